import type { contract, Input, Locale } from '@rmeet/contract';
import type { Db } from '../../platform/db/index.ts';
import { AppError, type Context, type UserCaller } from '../../platform/http/index.ts';
import type { Log } from '../../platform/log/log.ts';
import { htmlOf, MailRefused, type Mail } from '../../platform/mail/index.ts';
import { findAccount } from '../accounts/users/index.ts';
import { recordAudit } from '../audit/index.ts';
import { findSettings, tenantTarget } from './settings.ts';

type UserContext = Context<UserCaller>;
type Body = Input<typeof contract.assistant.handOver>['body'];

export interface DeskDeps {
  db: Db;
  mail: Mail;
  log: Log;
  now: () => Date;
}

const TEXTS = {
  zh: {
    question: (name: string) => `智能助手转交的问题：${name}`,
    rights: (name: string) => `权限申请：${name}`,
    from: '提问人',
    account: '账号',
    organisation: '单位',
    asked: '内容',
    tried: '已尝试',
    nothing: '无',
  },
  en: {
    question: (name: string) => `Question passed on by the assistant: ${name}`,
    rights: (name: string) => `Request for rights: ${name}`,
    from: 'From',
    account: 'Account',
    organisation: 'Organisation',
    asked: 'Message',
    tried: 'Already tried',
    nothing: 'nothing',
  },
} as const;

interface Sender {
  name: string;
  account: string;
  tenantName: string;
}

function textOf(locale: Locale, { name, account, tenantName }: Sender, { question, tried }: Body): string {
  const texts = TEXTS[locale];
  const list = tried.length === 0 ? texts.nothing : tried.map((one) => `- ${one}`).join('\n');
  return [
    `${texts.from}: ${name}\n${texts.account}: ${account}\n${texts.organisation}: ${tenantName}`,
    `${texts.asked}:\n${question}`,
    `${texts.tried}:\n${list}`,
  ].join('\n\n');
}

/** Hands questions over to the service desk of the caller's organisation. */
export function createDesk({ db, mail, log, now }: DeskDeps) {
  /** @throws AppError ASSISTANT_DESK_MISSING, MAIL_NOT_CONFIGURED, ASSISTANT_MAIL_FAILED */
  return async (context: UserContext, body: Body): Promise<null> => {
    const { caller, locale } = context;
    const { to, email, tenantName } = await db.tenant(caller.tenantId, async (tx) => {
      const { deskMail } = await findSettings(tx);
      if (deskMail === '') throw new AppError('ASSISTANT_DESK_MISSING');
      if (!mail.isConfigured) throw new AppError('MAIL_NOT_CONFIGURED');
      const target = await tenantTarget(tx);
      // What was asked is the person's own business: the log has who passed something on, and when.
      await recordAudit(tx, context, now(), { target, after: { kind: body.kind } });
      return { to: deskMail, email: (await findAccount(tx, caller.userId))?.email ?? '', tenantName: target.name };
    });
    const text = textOf(locale, { name: caller.name, account: caller.account, tenantName }, body);
    const message = {
      to,
      subject: TEXTS[locale][body.kind](caller.name),
      text,
      html: htmlOf(text),
      ...(email === '' ? {} : { replyTo: { name: caller.name, address: email } }),
    };
    const failed = await mail.attempt(message).then(
      ({ failure }) => failure,
      (error: unknown) => {
        if (error instanceof MailRefused) return error.name;
        throw error;
      },
    );
    if (failed === null) return null;
    log.warn({ failure: failed, tenantId: caller.tenantId }, 'A question was not handed over to the service desk');
    throw new AppError('ASSISTANT_MAIL_FAILED');
  };
}
