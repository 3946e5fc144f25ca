import { INVITATION_LIFETIME, type Locale } from '@rmeet/contract';
import { and, asc, eq, isNotNull, isNull, lte } from 'drizzle-orm';
import { allOf } from '../../../platform/db/conditions.ts';
import type { Db, PlatformTx, TenantTx } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/http/index.ts';
import type { Jobs } from '../../../platform/jobs/types.ts';
import type { Log } from '../../../platform/log/log.ts';
import { htmlOf, MailRefused, type Mail, type Message } from '../../../platform/mail/index.ts';
import { hashToken, newToken } from '../../../platform/secrets/index.ts';
import { findTenant } from '../tenants/index.ts';
import { unusableHash } from './passwords.ts';
import { isInvitable } from './policy.ts';
import { findAccount, findInvitations } from './repo.ts';
import { account, invitation, type AccountRow, type InvitationRow } from './tables.ts';

export const INVITATION_JOB = 'users-invitations';

export interface InvitationDeps {
  db: Db;
  jobs: Jobs;
  mail: Mail;
  log: Log;
  now: () => Date;
  /** The address for links in mails; null if none is known. */
  publicUrl: () => string | null;
}

/** Mails that one round sends at once: the mail client's connections. */
const AT_ONCE = 3;
const TRIES = 6;
const MINUTE = 60_000;
/** A process that sends a mail does so within this time, else another one sends it. */
const LEASE = 5 * MINUTE;

interface Words {
  name: string;
  tenant: string;
  account: string;
  link: string;
}

const TEXTS: Record<Locale, { subject: (words: Words) => string; text: (words: Words) => string }> = {
  zh: {
    subject: ({ tenant }) => `${tenant} 邀请您加入视频会议`,
    text: ({ name, tenant, account: own, link }) =>
      `${name}，您好：\n\n${tenant} 为您开通了视频会议账号：${own}\n\n请打开以下链接设置密码，设置后即可登录：\n${link}\n\n` +
      `链接 7 天内有效，只能使用一次，请勿转发。\n如果您不认识 ${tenant}，请忽略此邮件。`,
  },
  en: {
    subject: ({ tenant }) => `${tenant} invites you to its video meetings`,
    text: ({ name, tenant, account: own, link }) =>
      `Hello ${name},\n\n${tenant} has created an account for its video meetings for you: ${own}\n\n` +
      `Open this link to set your password. You are then signed in:\n${link}\n\n` +
      `The link works for 7 days and once. Please do not forward it.\nIf you do not know ${tenant}, ignore this mail.`,
  },
};

/** A claimed invitation whose mail is to be sent. */
interface Claimed {
  row: InvitationRow;
  tokenHash: string;
  message: Message;
}

function messageOf({ email, locale, ...of }: AccountRow, tenant: string, origin: string, token: string): Message {
  const words = { name: of.name, account: of.account, tenant, link: `${origin}/#/invitation?secret=${token}` };
  const text = TEXTS[locale].text(words);
  return {
    to: email,
    subject: TEXTS[locale].subject(words).replace(/\s+/g, ' '),
    text: `${text}\n`,
    html: htmlOf(text),
  };
}

/** Sends the mails of invitations; their secrets exist only while they are sent. */
function createSending({ db, mail, log, now, publicUrl }: Omit<InvitationDeps, 'jobs'>) {
  /** The next invitations that are due, with new secrets. Undefined if there is none. */
  async function claim(tx: PlatformTx, origin: string): Promise<Claimed[] | undefined> {
    const rows = await tx.find(invitation, allOf(isNotNull(invitation.dueAt), lte(invitation.dueAt, now())), {
      orderBy: [asc(invitation.dueAt), asc(invitation.accountId)],
      limit: AT_ONCE,
      lock: 'update of free',
    });
    const claimed: Claimed[] = [];
    for (const row of rows) {
      const [of, tenant] = [await findAccount(tx, row.accountId), await findTenant(tx, row.tenantId)];
      const token = newToken();
      const tokenHash = hashToken(token);
      // Disabled or deleted meanwhile, or without an address by now.
      const isLost = !of?.enabled || of.email === '' || !tenant;
      await tx.update(
        invitation,
        isLost
          ? { dueAt: null }
          : {
              tokenHash,
              expiresAt: new Date(now().getTime() + INVITATION_LIFETIME),
              dueAt: new Date(now().getTime() + LEASE),
              tries: row.tries + 1,
            },
        eq(invitation.accountId, row.accountId),
      );
      if (!isLost) claimed.push({ row, tokenHash, message: messageOf(of, tenant.name, origin, token) });
    }
    return rows.length === 0 ? undefined : claimed;
  }

  async function sendOne({ row: { accountId, tenantId, tries }, tokenHash, message }: Claimed): Promise<void> {
    /** Unless it was replaced or used up meanwhile. */
    const settle = (set: Partial<InvitationRow>) =>
      db.tenant(tenantId, (tx) =>
        tx.update(invitation, set, allOf(eq(invitation.accountId, accountId), eq(invitation.tokenHash, tokenHash))),
      );
    try {
      await mail.send(message);
    } catch (error) {
      const isLast = error instanceof MailRefused || tries + 1 >= TRIES;
      log.warn({ error, tenantId, isLast }, 'An invitation could not be sent');
      await settle({ dueAt: isLast ? null : new Date(now().getTime() + MINUTE * 2 ** tries) });
      return;
    }
    await settle({ dueAt: null, sentAt: now() });
  }

  /** Sends all mails that are due. */
  return async (): Promise<void> => {
    for (;;) {
      const origin = publicUrl();
      if (!mail.isConfigured || origin === null) return;
      const claimed = await db.platform((tx) => claim(tx, origin));
      if (!claimed) return;
      await Promise.all(claimed.map(sendOne));
    }
  };
}

/** Invitations by mail to set the first password. */
export function createInvitations(deps: InvitationDeps) {
  const { jobs, mail, log, now, publicUrl } = deps;
  const wake = (): void => {
    jobs
      .send(undefined, INVITATION_JOB, {}, { key: INVITATION_JOB })
      .catch((error: unknown) => log.warn({ error }, 'Invitations will be sent a minute later'));
  };
  const lacks = (): 'mailServer' | 'address' | null => {
    if (!mail.isConfigured) return 'mailServer';
    return publicUrl() === null ? 'address' : null;
  };

  return {
    /** What the server needs to send invitations; null if nothing. */
    lacks,

    /** @throws AppError INVITATIONS_UNAVAILABLE */
    mustBeReady(): void {
      if (lacks() !== null) throw new AppError('INVITATIONS_UNAVAILABLE');
    },

    /**
     * Invites the owner of an account, again if it was invited before: former links, and a password that another person
     * has set, no longer work.
     *
     * @throws AppError NOT_INVITABLE, ACCOUNT_WITHOUT_MAIL
     */
    async invite(tx: TenantTx, of: AccountRow): Promise<void> {
      const isInvited = (await findInvitations(tx, [of.id])).has(of.id);
      if (!isInvitable(of, isInvited)) throw new AppError('NOT_INVITABLE');
      if (of.email === '') throw new AppError('ACCOUNT_WITHOUT_MAIL');
      if (!isInvited)
        await tx.update(account, { passwordHash: unusableHash(), passwordDue: false }, eq(account.id, of.id));
      const fresh = { tokenHash: null, expiresAt: null, dueAt: now(), tries: 0, sentAt: null, revokedAt: null };
      await tx.insert(
        invitation,
        { accountId: of.id, createdAt: now(), ...fresh },
        { target: invitation.accountId, set: fresh },
      );
      tx.afterCommit(wake);
    },

    /** Withdraws an invitation; false if there is none, or it was withdrawn before. */
    async revoke(tx: TenantTx, accountId: string): Promise<boolean> {
      const revoked = await tx.update(
        invitation,
        { tokenHash: null, dueAt: null, revokedAt: now() },
        and(eq(invitation.accountId, accountId), isNull(invitation.revokedAt)),
      );
      return revoked.length > 0;
    },

    send: createSending(deps),
  };
}

export type Invitations = ReturnType<typeof createInvitations>;

/** The invitation with this secret that has not expired, locked to the end of the transaction. */
export async function findInvitation(tx: PlatformTx, secret: string, now: Date): Promise<InvitationRow | undefined> {
  const row = await tx.findOne(invitation, eq(invitation.tokenHash, hashToken(secret)), { lock: 'update' });
  return row?.expiresAt && row.expiresAt > now ? row : undefined;
}
