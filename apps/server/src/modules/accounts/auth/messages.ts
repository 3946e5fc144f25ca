import { deviceOf, type Locale, type SentWay } from '@rmeet/contract';
import { and, eq, isNull } from 'drizzle-orm';
import { z } from 'zod';
import type { Db, TenantTx } from '../../../platform/db/index.ts';
import type { Jobs } from '../../../platform/jobs/types.ts';
import type { Log } from '../../../platform/log/log.ts';
import { MailRefused, type Mail, type Message } from '../../../platform/mail/index.ts';
import type { Gateway, Sms } from '../../../platform/sms/index.ts';
import { placeOf } from '../tenants/index.ts';
import { findAccount } from '../users/index.ts';
import { account, type AccountRow } from '../users/tables.ts';
import { findFactor } from './factors/repo.ts';
import type { Outside, SecurityEvent, SecurityMessage } from './outside.ts';

/** A mail about an account: to whom, about what. Its address is looked up when it is sent. */
const mailing = z.object({
  tenantId: z.uuid(),
  to: z.uuid(),
  message: z.enum([
    'newSignIn',
    'factorAdded',
    'passkeyAdded',
    'passkeyRemoved',
    'factorRemoved',
    'factorReset',
    'recoveryUsed',
    'emergencySignIn',
    'factorSuspended',
  ] satisfies SecurityMessage[]),
  /** The account that it is about. */
  account: z.string(),
  place: z.string(),
  address: z.string(),
  userAgent: z.string(),
  at: z.iso.datetime(),
});
type Mailing = z.infer<typeof mailing>;

const JOB = 'security-mail';
/** A code is worth nothing after some minutes. */
const CODE: Record<Locale, (code: string) => string> = {
  zh: (code) => `【Rmeet】验证码 ${code}，10 分钟内有效。请勿告知他人；如非本人操作，请立即修改密码。`,
  en: (code) =>
    `Rmeet: your code is ${code}. It works for 10 minutes. Give it to no one. If you did not ask for it, someone ` +
    'knows your password: change it.',
};
const CODE_SUBJECT: Record<Locale, string> = { zh: 'Rmeet 登录验证码', en: 'Your Rmeet sign-in code' };

type Words = Record<SecurityMessage, (account: string) => [subject: string, what: string, todo: string]>;
const zhDevice = '如果不是您本人，请立即修改密码，并在“个人信息”中退出不认识的设备：';
const enDevice = 'If this was not you, change your password at once and sign out devices you do not know:';
const WORDS: Record<Locale, Words> = {
  zh: {
    newSignIn: (name) => ['新设备登录提醒', `账号 ${name} 在一台新设备上登录。`, zhDevice],
    factorAdded: (name) => ['已添加两步验证', `账号 ${name} 添加了身份验证器。`, zhDevice],
    passkeyAdded: (name) => ['已添加通行密钥', `账号 ${name} 添加了一个通行密钥，可用它登录。`, zhDevice],
    passkeyRemoved: (name) => ['已移除通行密钥', `账号 ${name} 移除了一个通行密钥。`, zhDevice],
    factorRemoved: (name) => ['已移除两步验证', `账号 ${name} 移除了身份验证器。`, zhDevice],
    factorReset: (name) => [
      '管理员已重置您的两步验证',
      `管理员重置了账号 ${name} 的两步验证方式。`,
      '如果您没有提出过此请求，请联系管理员。您可以在这里重新设置：',
    ],
    recoveryUsed: (name) => ['已使用恢复码登录', `账号 ${name} 使用一个恢复码完成了登录。`, zhDevice],
    emergencySignIn: (name) => [
      '管理员使用了应急密码登录',
      `本单位已关闭密码登录，管理员 ${name} 仍以密码登录。`,
      '如果您不知情，请与该管理员核实，并查看审计日志：',
    ],
    factorSuspended: (name) => [
      '两步验证已临时关闭',
      `有人在服务器上用命令关闭了账号 ${name} 的两步验证，一小时后自动恢复。`,
      '如果您不知情，请立即与平台运营人员核实，并查看审计日志：',
    ],
  },
  en: {
    newSignIn: (name) => ['Sign-in on a new device', `The account ${name} signed in on a new device.`, enDevice],
    factorAdded: (name) => ['A second factor was added', `An authenticator app was added to ${name}.`, enDevice],
    passkeyAdded: (name) => ['A passkey was added', `A passkey that can sign in was added to ${name}.`, enDevice],
    passkeyRemoved: (name) => ['A passkey was removed', `A passkey of ${name} was removed.`, enDevice],
    factorRemoved: (name) => ['A second factor was removed', `The authenticator app of ${name} was removed.`, enDevice],
    factorReset: (name) => [
      'Your second factor was reset',
      `An administrator removed the second factors of the account ${name}.`,
      'If you did not ask for this, tell your administrator. You can set them up again here:',
    ],
    recoveryUsed: (name) => ['A recovery code was used', `The account ${name} signed in by a recovery code.`, enDevice],
    emergencySignIn: (name) => [
      'An administrator signed in by password',
      `Your organisation has switched passwords off; the administrator ${name} signed in by one all the same.`,
      'If you do not know why, ask that administrator and look at the audit log:',
    ],
    factorSuspended: (name) => [
      'A second factor was switched off for an hour',
      `By a command on the server, no second factor is asked of the account ${name} for an hour.`,
      "If you do not know why, ask the platform's staff at once and look at the audit log:",
    ],
  },
};
const ABOUT_ADMINS: ReadonlySet<SecurityMessage> = new Set(['emergencySignIn', 'factorSuspended']);

interface MessageDeps {
  db: Db;
  mail: Mail;
  sms: Sms;
  log: Log;
  /** The server's public address, for links; null while it is unknown. */
  publicUrl: () => string | null;
  /** The gateway for text messages of a tenant. */
  gatewayOf: (tx: TenantTx) => Promise<Gateway | null>;
}

function facts({ at, place, address, userAgent }: Mailing, locale: Locale): string[] {
  const time = new Date(at).toLocaleString(locale === 'zh' ? 'zh-CN' : 'en-GB', { timeZoneName: 'short' });
  const { browser, system } = deviceOf(userAgent);
  const device = [browser, system].filter((part) => part !== null).join(' · ');
  const where = place === '' ? address : `${place} (${address})`;
  const labels = locale === 'zh' ? ['时间：', '设备：', '地点：'] : ['Time: ', 'Device: ', 'Place: '];
  return [time, device, where].flatMap((value, n) => (value === '' ? [] : [`${labels[n]}${value}`]));
}

/** The text of a mail. `origin`: the server's public address. */
function writeMail(given: Mailing, locale: Locale, origin: string | null): Omit<Message, 'to'> {
  const [subject, what, todo] = WORDS[locale][given.message](given.account);
  const page = ABOUT_ADMINS.has(given.message) ? 'manage/#/audit' : '#/userInfo?card=sessions';
  const link = origin === null ? [] : [`${origin}/${page}`];
  return { subject, text: [what, '', ...facts(given, locale), '', todo, ...link, ''].join('\n') };
}

/** Sends one mail; a refusal for good is logged, another failure is thrown. */
async function send({ db, mail, log, publicUrl }: MessageDeps, given: Mailing): Promise<void> {
  const row = await db.tenant(given.tenantId, (tx) => findAccount(tx, given.to));
  if (!row || row.deletedAt || row.email === '' || !mail.isConfigured) return;
  try {
    await mail.send({ to: row.email, ...writeMail(given, row.locale, publicUrl()) });
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    log.warn({ error, tenantId: given.tenantId }, 'A mail about an account was refused');
  }
}

/** How mails are put on their way, after the commit. */
type Post = (given: Mailing) => void;

/** Puts mails about accounts into the queue of jobs. */
export function postByJobs(jobs: Jobs, deps: MessageDeps): Post {
  jobs.define(JOB, mailing, (given) => send(deps, given));
  // Not awaited: a sign-in does not wait for the queue.
  return (given) =>
    void jobs
      .send(undefined, JOB, given)
      .catch((error: unknown) => deps.log.warn({ error }, 'A mail about an account is lost'));
}

/** Sends mails at once, for programs; `sent` resolves when all are. */
export function postNow(deps: MessageDeps): { post: Post; sent: () => Promise<void> } {
  const running: Promise<void>[] = [];
  const post: Post = (given) =>
    void running.push(
      send(deps, given).catch((error: unknown) =>
        deps.log.warn({ error }, 'A mail about an account could not be sent'),
      ),
    );
  return { post, sent: async () => void (await Promise.all(running)) };
}

/** Codes and messages about accounts. */
export function createOutside(deps: MessageDeps, post: Post): Outside {
  const { db, mail, sms, log, gatewayOf } = deps;

  const mailOf = (to: AccountRow, message: SecurityMessage, event: SecurityEvent): Mailing => ({
    tenantId: to.tenantId,
    to: to.id,
    message,
    account: event.account.account,
    place: placeOf(event.tenant.secondFactor.places, event.address) ?? '',
    address: event.address,
    userAgent: event.userAgent,
    at: event.now.toISOString(),
  });

  const canMail = ({ email }: AccountRow): boolean => mail.isConfigured && email !== '';

  async function sendCode(to: AccountRow, way: SentWay, code: string): Promise<void> {
    const { locale, email, phone, tenantId } = to;
    if (way === 'MAIL') {
      await mail.send({ to: email, subject: CODE_SUBJECT[locale], text: CODE[locale](code) });
      return;
    }
    const gateway = await db.tenant(tenantId, gatewayOf);
    if (gateway) await sms.send(gateway, { phone, text: CODE[locale](code) });
  }

  return {
    async sentWaysOf(tx, { email, phone }) {
      const isMailed = mail.isConfigured && email !== '';
      const canText = phone !== '' && (await gatewayOf(tx)) !== null;
      return [...(isMailed ? (['MAIL'] as const) : []), ...(canText ? (['SMS'] as const) : [])];
    },
    sendCode(tx, to, way, code) {
      const failed = (error: unknown) => log.warn({ error, tenantId: to.tenantId }, 'A code could not be sent');
      tx.afterCommit(() => void sendCode(to, way, code).catch(failed));
    },
    async tell(tx, message, event) {
      const factor = await findFactor(tx, event.account.id);
      if (message === 'newSignIn' && factor?.signInMail === false) return;
      if (canMail(event.account)) tx.afterCommit(() => post(mailOf(event.account, message, event)));
    },
    async tellAdmins(tx, message, event) {
      const isAdmin = event.account.kind === 'operator' ? account.isSuperAdmin : account.isTenantAdmin;
      const admins = await tx.find(
        account,
        and(eq(isAdmin, true), eq(account.enabled, true), isNull(account.deletedAt)),
      );
      tx.afterCommit(() => {
        for (const admin of admins.filter(canMail)) post(mailOf(admin, message, event));
      });
    },
  };
}
