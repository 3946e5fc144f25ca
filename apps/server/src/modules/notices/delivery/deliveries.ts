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
import { addNotices, latestEdition, noticesOf, standing } from '../repo.ts';
import { notice, type NoticeRow } from '../tables.ts';
import type { TellDeps } from '../changes/notify.ts';
import { topicsOf } from '../topics.ts';

type UserContext = Context<UserCaller>;

const statusOf = (rows: readonly NoticeRow[]): NoticeStatus =>
  rows.some(({ status }) => status === 'SENDING')
    ? 'SENDING'
    : rows.some(({ status }) => status === 'FAIL')
      ? 'FAIL'
      : 'SUCCESS';

/** Of each channel the newest notice. */
function newest(rows: readonly NoticeRow[]): NoticeRow[] {
  const byChannel = new Map(rows.map((row) => [row.channel, row]));
  return NOTICE_CHANNELS.flatMap((channel) => byChannel.get(channel) ?? []);
}

/** How the notices of a meeting went, and sending them again. */
export function createDeliveries(db: Db, deps: TellDeps) {
  const { channels, now, sendSoon } = deps;

  /**
   * Everybody who was told of the meeting, those who are invited first; nobody's address for those who may not manage
   * it.
   */
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

  /** Puts what people know by mail and text message into the queue again; what waits there already just waits. */
  async function sendAgain(tx: TenantTx, row: MeetingRow): Promise<void> {
    const invited = new Set((await findParticipants(tx, [row.id])).map(recipientOf).map(keyOf));
    for (const topic of topicsOf(row)) {
      const edition = await latestEdition(tx, topic);
      if (!edition) continue;
      const rows = (await noticesOf(tx, topic)).filter(({ kind }) => kind !== 'reminder');
      const recipients = [...standing(rows)]
        .filter(([key]) => invited.has(key))
        .map(([, recipient]) => recipientIn(recipient));
      const ways = await channels.of(tx, edition.facts.host.id, recipients);
      for (const recipient of recipients) {
        const own = rows.filter((one) => keyOf(one) === keyOf(recipient));
        for (const { channel, failure } of ways(recipient)) {
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
    sendSoon(tx);
  }

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
        await sendAgain(tx, row);
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
