import { eq } from 'drizzle-orm';
import { isOfApproval, type Locale } from '@rmeet/contract';
import type { Db, TenantTx } from '../../../platform/db/index.ts';
import type { Log } from '../../../platform/log/log.ts';
import { MailRefused, type Mail, type Message } from '../../../platform/mail/index.ts';
import type { SecretBox } from '../../../platform/secrets/index.ts';
import { SmsRefused, type Gateway, type Sms, type TextMessage } from '../../../platform/sms/index.ts';
import { passwordOf } from '../../meetings/index.ts';
import { findAccounts } from '../../accounts/users/index.ts';
import { calendarOf } from './calendar.ts';
import { claimDue, dropNotices, settle } from '../repo.ts';
import type { Settings } from '../settings.ts';
import { noticeEdition, type NoticeEditionRow, type NoticeRow } from '../tables.ts';
import { wordsOf } from '../texts/service.ts';
import { fillMail, fillSms, valuesOf } from '../texts/fill.ts';

/** How many are sent at once. */
const BATCH = 6;
/** Longer than a mail server or gateway may take to answer. */
const CLAIM = 90_000;
const MOST_ATTEMPTS = 5;
/** How long after a try in vain the next one is. */
const WAITS = [30_000, 120_000, 480_000, 1_800_000] as const;

interface DeliverDeps {
  db: Db;
  mail: Mail;
  sms: Sms;
  secrets: SecretBox;
  settings: Settings;
  log: Log;
  now: () => Date;
  /** Where this server is reached, for links; null while it does not know. */
  publicUrl: () => string | null;
}

type Outgoing = { by: 'mail'; message: Message } | { by: 'sms'; gateway: Gateway; message: TextMessage };
interface Reader {
  name: string;
  email: string;
  phone: string;
  locale: Locale;
}

/** Sends the notices that are due. */
export function createDelivery({ db, mail, sms, secrets, settings, log, now, publicUrl }: DeliverDeps) {
  /** Who reads a notice; undefined for an account that is gone or disabled. */
  async function readerOf(tx: TenantTx, row: NoticeRow, hostLocale: Locale): Promise<Reader | undefined> {
    if (row.accountId === null)
      return { name: row.name, email: row.email ?? '', phone: row.phone ?? '', locale: hostLocale };
    const [account] = await findAccounts(tx, [row.accountId]);
    return account?.enabled ? account : undefined;
  }

  function mailOf(
    row: NoticeRow,
    { facts, sequence, createdAt, passwordSealed }: NoticeEditionRow,
    words: Parameters<typeof fillMail>[0],
    reader: Reader,
    host: { name: string; email: string },
  ): Message {
    const password = passwordOf(secrets, { id: facts.meetingId, tenantId: row.tenantId, passwordSealed });
    const { subject, text, html } = fillMail(
      words,
      valuesOf({
        facts,
        password,
        kind: row.kind,
        name: reader.name,
        locale: reader.locale,
        channel: 'mail',
        publicUrl: publicUrl(),
      }),
    );
    const organizer = { name: host.name, email: host.email === '' ? mail.sender : host.email };
    const ical =
      row.kind === 'reminder' || isOfApproval(row.kind)
        ? undefined
        : calendarOf({
            facts,
            sequence,
            stamp: createdAt,
            password,
            publicUrl: publicUrl(),
            isCancelled: row.kind === 'cancellation',
            description: text,
            organizer,
            attendee: reader,
          });
    return {
      to: reader.email,
      subject,
      text,
      html,
      ...(ical ? { ical } : {}),
      ...(host.email === '' ? {} : { replyTo: { name: host.name, address: host.email } }),
      // Nobody's absence note answers these (RFC 3834).
      headers: { 'Auto-Submitted': 'auto-generated' },
    };
  }

  /**
   * What is to be sent; `gone` where there is nobody or nothing to send it to any more, or a reminder comes too late.
   */
  function write(row: NoticeRow): Promise<Outgoing | 'gone' | 'notConfigured'> {
    return db.tenant(row.tenantId, async (tx) => {
      const edition = await tx.findOne(noticeEdition, eq(noticeEdition.id, row.editionId));
      if (!edition) return 'gone';
      const { facts } = edition;
      if (row.kind === 'reminder' && Date.parse(facts.startTime) + facts.duration * 60_000 <= now().getTime())
        return 'gone';
      const [account] = await findAccounts(tx, [facts.host.id]);
      const reader = await readerOf(tx, row, account?.locale ?? 'zh');
      if (!reader || (row.channel === 'mail' ? reader.email : reader.phone) === '') return 'gone';
      if (row.channel === 'mail') {
        if (!mail.isConfigured) return 'notConfigured';
        const words = await wordsOf(tx, row.kind, 'mail', reader.locale);
        return {
          by: 'mail',
          message: mailOf(row, edition, words, reader, { name: facts.host.name, email: account?.email ?? '' }),
        };
      }
      const gateway = await settings.gatewayOf(tx);
      if (!gateway) return 'notConfigured';
      const password = passwordOf(secrets, {
        id: facts.meetingId,
        tenantId: row.tenantId,
        passwordSealed: edition.passwordSealed,
      });
      const text = fillSms(
        await wordsOf(tx, row.kind, 'sms', reader.locale),
        valuesOf({
          facts,
          password,
          kind: row.kind,
          name: reader.name,
          locale: reader.locale,
          channel: 'sms',
          publicUrl: publicUrl(),
        }),
      );
      return { by: 'sms', gateway, message: { phone: reader.phone, text } };
    });
  }

  async function sendOne(row: NoticeRow): Promise<void> {
    const note = (values: Parameters<typeof settle>[2]) =>
      db.tenant(row.tenantId, (tx) => settle(tx, row.id, { ...values, triedAt: now() }));
    const attempts = row.attempts + 1;
    try {
      const outgoing = await write(row);
      if (outgoing === 'gone') {
        await db.tenant(row.tenantId, (tx) => dropNotices(tx, [row.id]));
        return;
      }
      if (outgoing === 'notConfigured') {
        await note({ status: 'FAIL', failure: 'notConfigured' });
        return;
      }
      if (outgoing.by === 'mail') await mail.send(outgoing.message);
      else await sms.send(outgoing.gateway, outgoing.message);
    } catch (error) {
      const isRefused = error instanceof MailRefused || error instanceof SmsRefused;
      const isOver = isRefused || attempts >= MOST_ATTEMPTS;
      log.warn(
        { error, noticeId: row.id, attempts },
        isOver ? 'A notice was given up' : 'A notice was not sent and is tried again',
      );
      if (isOver) await note({ status: 'FAIL', failure: isRefused ? 'refused' : 'unreachable', attempts });
      else await note({ attempts, dueAt: new Date(now().getTime() + (WAITS[attempts - 1] ?? 0)) });
      return;
    }
    await note({ status: 'SUCCESS', attempts });
  }

  return {
    /**
     * Sends everything that is due now. A notice that another process is at is left to it; one whose process died
     * before it could say that it was sent is sent once more.
     *
     * @returns how many were tried
     */
    async sendDue(): Promise<number> {
      for (let sent = 0; ;) {
        const claimed = await db.platform((tx) => claimDue(tx, now(), new Date(now().getTime() + CLAIM), BATCH));
        if (claimed.length === 0) return sent;
        const results = await Promise.allSettled(claimed.map(sendOne));
        const failed = results.find((result) => result.status === 'rejected');
        // The database failed, not the mail server: the claims run out, and the notices are found again.
        if (failed) throw failed.reason;
        sent += claimed.length;
      }
    },
  };
}

export type Delivery = ReturnType<typeof createDelivery>;
