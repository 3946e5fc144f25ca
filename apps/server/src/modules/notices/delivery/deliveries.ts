import { eq } from 'drizzle-orm';
import { isOfApproval, NOTICE_CHANNELS, type NoticeRecipient, type NoticeStatus } from '@rmeet/contract';
import { allOf } from '../../../platform/db/conditions.ts';
import type { Db, TenantTx } from '../../../platform/db/index.ts';
import { AppError, type Context, type UserCaller } from '../../../platform/http/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { findMeeting, findParticipants, isOver, manageMeeting, mayManage, relationIn } from '../../meetings/index.ts';
import type { MeetingRow } from '../../meetings/tables.ts';
import { findAccounts } from '../../accounts/users/index.ts';
import { keyOf, masked, recipientIn, recipientOf, type Recipient } from '../recipients.ts';
import { addNotices, currentRecipients, latestEdition, noticesOf, topicsOf } from '../repo.ts';
import { notice, type NoticeEditionRow, type NoticeRow } from '../tables.ts';
import type { NotifyDeps } from '../changes/notify.ts';

type UserContext = Context<UserCaller>;

const statusOf = (rows: readonly NoticeRow[]): NoticeStatus =>
  rows.some(({ status }) => status === 'SENDING')
    ? 'SENDING'
    : rows.some(({ status }) => status === 'FAIL')
      ? 'FAIL'
      : 'SUCCESS';

/** The newest notice of each channel. */
function newest(rows: readonly NoticeRow[]): NoticeRow[] {
  const byChannel = new Map(rows.map((row) => [row.channel, row]));
  return NOTICE_CHANNELS.flatMap((channel) => byChannel.get(channel) ?? []);
}

/** Everybody who was notified of the meeting, invited people first; addresses are masked unless `isManager`. */
async function present(tx: TenantTx, row: MeetingRow, isManager: boolean): Promise<NoticeRecipient[]> {
  const rows = (await Promise.all(topicsOf(row).map((topic) => noticesOf(tx, topic))))
    .flat()
    .toSorted((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
  const byRecipient = Map.groupBy(rows, keyOf);
  const invited = (await findParticipants(tx, [row.id])).map(recipientOf);
  const known = new Map<string, Recipient>(
    [...invited, ...rows.map(recipientIn)].map((recipient) => [keyOf(recipient), recipient]),
  );
  const names = new Map(
    (
      await findAccounts(
        tx,
        [...known.values()].flatMap(({ accountId }) => accountId ?? []),
      )
    ).map(({ id, name }) => [id, name]),
  );
  return [...known].flatMap(([key, { accountId, email, phone, name }]): NoticeRecipient[] => {
    const last = newest(byRecipient.get(key) ?? []);
    if (last.length === 0) return [];
    const contact = email ?? phone ?? '';
    return [
      {
        kind: accountId !== null ? 'user' : email !== null ? 'mail' : 'phone',
        userId: accountId,
        name: accountId === null ? name : (names.get(accountId) ?? ''),
        contact: isManager || contact === '' ? contact : masked(contact),
        status: statusOf(last),
        deliveries: last.flatMap(({ channel, kind, status, attempts, failure, triedAt, createdAt }) =>
          isOfApproval(kind)
            ? []
            : [{ channel, kind, status, attempts, failure, at: (triedAt ?? createdAt).toISOString() }],
        ),
      },
    ];
  });
}

/** Queues the newest notices of recipients again. Notices that are still queued just become due at once. */
async function requeue(
  { channels, now }: NotifyDeps,
  tx: TenantTx,
  edition: NoticeEditionRow,
  recipients: readonly Recipient[],
  rows: readonly NoticeRow[],
): Promise<void> {
  const optionsOf = await channels.of(tx, edition.snapshot.host.id, recipients);
  for (const recipient of recipients) {
    const own = rows.filter((one) => keyOf(one) === keyOf(recipient));
    for (const { channel, failure } of optionsOf(recipient)) {
      if (channel === 'centre') continue;
      const before = own.findLast((one) => one.channel === channel);
      const kind = before?.kind ?? 'invitation';
      const values =
        failure === null
          ? ({ status: 'SENDING', failure, attempts: 0, dueAt: now(), claimedUntil: null } as const)
          : ({ status: 'FAIL', failure, attempts: 0, dueAt: now(), triedAt: now() } as const);
      if (before?.status === 'SENDING')
        await tx.update(notice, { dueAt: now(), attempts: 0 }, eq(notice.id, before.id));
      else if (before?.editionId === edition.id) await tx.update(notice, values, allOf(eq(notice.id, before.id)));
      else await addNotices(tx, [{ editionId: edition.id, ...recipient, kind, channel, ...values }], now());
    }
  }
}

/** Queues the newest notices of invited people again, by mail and text message. */
async function sendAgain(deps: NotifyDeps, tx: TenantTx, row: MeetingRow): Promise<void> {
  const invited = new Set((await findParticipants(tx, [row.id])).map(recipientOf).map(keyOf));
  for (const topic of topicsOf(row)) {
    const edition = await latestEdition(tx, topic);
    if (!edition) continue;
    const rows = (await noticesOf(tx, topic)).filter(({ kind }) => kind !== 'reminder');
    const recipients = [...currentRecipients(rows)]
      .filter(([key]) => invited.has(key))
      .map(([, recipient]) => recipientIn(recipient));
    await requeue(deps, tx, edition, recipients, rows);
  }
  deps.sendSoon(tx);
}

/** The delivery status of a meeting's notices, and sending them again. */
export function createDeliveries(db: Db, deps: NotifyDeps) {
  const { now } = deps;
  return {
    /** @throws AppError NOT_FOUND */
    show({ caller }: UserContext, meetingId: string): Promise<NoticeRecipient[]> {
      return db.tenant(caller.tenantId, async (tx) => {
        const row = await findMeeting(tx, meetingId);
        const relation = row ? await relationIn(tx, caller, row) : 'none';
        if (!row || relation === 'none') throw new AppError('NOT_FOUND');
        return present(tx, row, mayManage(relation));
      });
    },

    /** @throws AppError NOT_FOUND, FORBIDDEN, MEETING_ENDED */
    resend(context: UserContext, meetingId: string): Promise<NoticeRecipient[]> {
      return db.tenant(context.caller.tenantId, async (tx) => {
        const row = await manageMeeting(tx, meetingId, context.caller, { lock: true });
        if (isOver(row, now())) throw new AppError('MEETING_ENDED');
        await sendAgain(deps, tx, row);
        const shown = await present(tx, row, true);
        await recordAudit(tx, context, now(), {
          target: { kind: 'meeting', id: row.id, name: row.subject },
          after: { noticesSentAgain: shown.length },
        });
        return shown;
      });
    },
  };
}

export type Deliveries = ReturnType<typeof createDeliveries>;
