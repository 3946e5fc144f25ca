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
import { textOf } from '../texts/service.ts';
import { fieldValues, fillMail, fillSms } from '../texts/fill.ts';
import type { NoticeContext } from '../texts/types.ts';

/** How many notices are sent at once. */
const BATCH = 6;
/** How long a claim lasts: longer than a mail server or gateway may take to respond. */
const CLAIM = 90_000;
const MAX_ATTEMPTS = 5;
/** Delays after failed attempts. */
const DELAYS = [30_000, 120_000, 480_000, 1_800_000] as const;

export interface DeliveryDeps {
  db: Db;
  mail: Mail;
  sms: Sms;
  secrets: SecretBox;
  settings: Settings;
  log: Log;
  now: () => Date;
  /** The server's public address, for links; null while it is unknown. */
  publicUrl: () => string | null;
}

type Outgoing = { by: 'mail'; message: Message } | { by: 'sms'; gateway: Gateway; message: TextMessage };
interface Reader {
  name: string;
  email: string;
  phone: string;
  locale: Locale;
}

/** The reader of a notice; undefined if the account is deleted or disabled. */
async function findReader(tx: TenantTx, row: NoticeRow, hostLocale: Locale): Promise<Reader | undefined> {
  if (row.accountId === null)
    return { name: row.name, email: row.email ?? '', phone: row.phone ?? '', locale: hostLocale };
  const [account] = await findAccounts(tx, [row.accountId]);
  return account?.enabled ? account : undefined;
}

/** Sends the notices that are due. */
export class Delivery {
  readonly #deps: DeliveryDeps;

  constructor(deps: DeliveryDeps) {
    this.#deps = deps;
  }

  /**
   * Sends everything that is due. Skips notices that another process has claimed. If a process dies before it could
   * record that a notice was sent, the notice is sent again.
   *
   * @returns how many were attempted
   */
  async sendDue(): Promise<number> {
    const { db, now } = this.#deps;
    for (let sent = 0; ;) {
      const claimed = await db.platform((tx) => claimDue(tx, now(), new Date(now().getTime() + CLAIM), BATCH));
      if (claimed.length === 0) return sent;
      const results = await Promise.allSettled(claimed.map((row) => this.#sendOne(row)));
      const failed = results.find((result) => result.status === 'rejected');
      // The database failed, not the mail server: the claims expire, and the notices are found again.
      if (failed) throw failed.reason;
      sent += claimed.length;
    }
  }

  async #sendOne(row: NoticeRow): Promise<void> {
    const { mail, sms } = this.#deps;
    const attempts = row.attempts + 1;
    try {
      const outgoing = await this.#write(row);
      if (outgoing === 'gone') {
        await this.#deps.db.tenant(row.tenantId, (tx) => dropNotices(tx, [row.id]));
        return;
      }
      if (outgoing === 'notConfigured') {
        await this.#record(row, { status: 'FAIL', failure: 'notConfigured' });
        return;
      }
      if (outgoing.by === 'mail') await mail.send(outgoing.message);
      else await sms.send(outgoing.gateway, outgoing.message);
    } catch (error) {
      await this.#recordFailure(row, attempts, error);
      return;
    }
    await this.#record(row, { status: 'SUCCESS', attempts });
  }

  async #recordFailure(row: NoticeRow, attempts: number, error: unknown): Promise<void> {
    const { log, now } = this.#deps;
    const isRefused = error instanceof MailRefused || error instanceof SmsRefused;
    const isFinal = isRefused || attempts >= MAX_ATTEMPTS;
    log.warn(
      { error, noticeId: row.id, attempts },
      isFinal ? 'Sending a notice failed for good' : 'Sending a notice failed; it is retried',
    );
    const dueAt = new Date(now().getTime() + (DELAYS[attempts - 1] ?? 0));
    await this.#record(
      row,
      isFinal ? { status: 'FAIL', failure: isRefused ? 'refused' : 'unreachable', attempts } : { attempts, dueAt },
    );
  }

  async #record(row: NoticeRow, values: Parameters<typeof settle>[2]): Promise<void> {
    const { db, now } = this.#deps;
    await db.tenant(row.tenantId, (tx) => settle(tx, row.id, { ...values, triedAt: now() }));
  }

  /** The message to send; `gone` if there is no reader or content any more, or a reminder comes too late. */
  #write(row: NoticeRow): Promise<Outgoing | 'gone' | 'notConfigured'> {
    const { db, now } = this.#deps;
    return db.tenant(row.tenantId, async (tx) => {
      const edition = await tx.findOne(noticeEdition, eq(noticeEdition.id, row.editionId));
      if (!edition) return 'gone';
      const { snapshot } = edition;
      if (row.kind === 'reminder' && Date.parse(snapshot.startTime) + snapshot.duration * 60_000 <= now().getTime())
        return 'gone';
      const [account] = await findAccounts(tx, [snapshot.host.id]);
      const reader = await findReader(tx, row, account?.locale ?? 'zh');
      if (!reader || (row.channel === 'mail' ? reader.email : reader.phone) === '') return 'gone';
      return row.channel === 'mail'
        ? this.#writeMail(tx, row, edition, reader, account?.email ?? '')
        : this.#writeSms(tx, row, edition, reader);
    });
  }

  async #writeMail(
    tx: TenantTx,
    row: NoticeRow,
    edition: NoticeEditionRow,
    reader: Reader,
    hostEmail: string,
  ): Promise<Outgoing | 'notConfigured'> {
    const { mail } = this.#deps;
    if (!mail.isConfigured) return 'notConfigured';
    const context = this.#contextOf(row, edition, reader, 'mail');
    const words = await textOf(tx, row.kind, 'mail', reader.locale);
    const { subject, text, html } = fillMail(words, fieldValues(context));
    const { host } = edition.snapshot;
    const organizer = { name: host.name, email: hostEmail === '' ? mail.sender : hostEmail };
    const hasCalendar = row.kind !== 'reminder' && !isOfApproval(row.kind);
    const message: Message = {
      to: reader.email,
      subject,
      text,
      html,
      ...(hasCalendar ? { ical: calendarFor(row, edition, context, { text, organizer, reader }) } : {}),
      ...(hostEmail === '' ? {} : { replyTo: { name: host.name, address: hostEmail } }),
      // So that no absence note replies (RFC 3834).
      headers: { 'Auto-Submitted': 'auto-generated' },
    };
    return { by: 'mail', message };
  }

  async #writeSms(
    tx: TenantTx,
    row: NoticeRow,
    edition: NoticeEditionRow,
    reader: Reader,
  ): Promise<Outgoing | 'notConfigured'> {
    const gateway = await this.#deps.settings.gatewayOf(tx);
    if (!gateway) return 'notConfigured';
    const words = await textOf(tx, row.kind, 'sms', reader.locale);
    const text = fillSms(words, fieldValues(this.#contextOf(row, edition, reader, 'sms')));
    return { by: 'sms', gateway, message: { phone: reader.phone, text } };
  }

  #contextOf(
    { tenantId, kind }: NoticeRow,
    { snapshot, passwordSealed }: NoticeEditionRow,
    { name, locale }: Reader,
    channel: NoticeContext['channel'],
  ): NoticeContext {
    const { secrets, publicUrl } = this.#deps;
    const password = passwordOf(secrets, { id: snapshot.meetingId, tenantId, passwordSealed });
    return { snapshot, password, kind, name, locale, channel, publicUrl: publicUrl() };
  }
}

function calendarFor(
  { kind }: NoticeRow,
  { sequence, createdAt }: NoticeEditionRow,
  { snapshot, password, publicUrl }: NoticeContext,
  { text, organizer, reader }: { text: string; organizer: { name: string; email: string }; reader: Reader },
): ReturnType<typeof calendarOf> {
  return calendarOf({
    snapshot,
    sequence,
    stamp: createdAt,
    password,
    publicUrl,
    isCancelled: kind === 'cancellation',
    description: text,
    organizer,
    attendee: reader,
  });
}
