import { and, desc, eq, inArray, isNotNull, isNull } from 'drizzle-orm';
import { TOTAL_COUNT_LIMIT, type contract, type Data, type Input, type Notice } from '@rmeet/contract';
import { allOf } from '../../platform/db/conditions.ts';
import type { Db, TenantTx } from '../../platform/db/index.ts';
import { AppError, type Context, type UserCaller } from '../../platform/http/index.ts';
import type { Push } from '../../platform/push/index.ts';
import type { MeetingSnapshot } from './changes/snapshot.ts';
import { notice, noticeEdition, type NoticeRow } from './tables.ts';

type UserContext = Context<UserCaller>;
type ListQuery = Input<typeof contract.notices.list>['query'];

const ownOf = (accountId: string) =>
  allOf(eq(notice.channel, 'centre'), eq(notice.accountId, accountId), isNull(notice.clearedAt));
const isUnread = isNull(notice.readAt);

const countUnread = (tx: TenantTx, accountId: string): Promise<number> =>
  tx.count(notice, and(ownOf(accountId), isUnread), TOTAL_COUNT_LIMIT);

function present(
  { id, kind, createdAt, readAt }: NoticeRow,
  { meetingId, subject, host, startTime, duration, timeZone, rooms, approval }: MeetingSnapshot,
): Notice {
  return {
    id,
    kind,
    meetId: meetingId,
    subject,
    host: host.name,
    startTime,
    duration,
    timeZone,
    rooms,
    approval: approval ? { meetings: approval.meetings, approver: approval.approver, note: approval.note } : null,
    createdAt: createdAt.toISOString(),
    readAt: readAt?.toISOString() ?? null,
  };
}

/** Notices with the meetings they are about. */
async function presentAll(tx: TenantTx, rows: readonly NoticeRow[]): Promise<Notice[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ editionId }) => editionId);
  const editions = await tx.find(noticeEdition, inArray(noticeEdition.id, ids));
  const snapshots = new Map(editions.map(({ id, snapshot }) => [id, snapshot]));
  return rows.flatMap((row) => {
    const snapshot = snapshots.get(row.editionId);
    return snapshot ? [present(row, snapshot)] : [];
  });
}

/** The notice centre, where each account sees its own notices. */
export function createCentre({ db, push, now }: { db: Db; push: Push; now: () => Date }) {
  /** Marks unread notices of the caller as read, and updates the caller's other windows. */
  async function markRead(tx: TenantTx, accountId: string, id?: string): Promise<{ unread: number }> {
    const rows = await tx.update(
      notice,
      { readAt: now() },
      allOf(ownOf(accountId), isUnread, ...(id === undefined ? [] : [eq(notice.id, id)])),
    );
    if (rows.length > 0) await push.publish(tx, 'user', { type: 'noticesChanged', userIds: [accountId] });
    return { unread: await countUnread(tx, accountId) };
  }

  /** Clears notices of the caller from the centre: one, or all that were read. */
  async function clear(tx: TenantTx, accountId: string, id?: string): Promise<{ cleared: number; unread: number }> {
    const rows = await tx.update(
      notice,
      { clearedAt: now() },
      allOf(ownOf(accountId), id === undefined ? isNotNull(notice.readAt) : eq(notice.id, id)),
    );
    if (rows.length > 0) await push.publish(tx, 'user', { type: 'noticesChanged', userIds: [accountId] });
    return { cleared: rows.length, unread: await countUnread(tx, accountId) };
  }

  return {
    list(
      { caller: { tenantId, userId } }: UserContext,
      { current, size, unreadOnly }: ListQuery,
    ): Promise<Data<typeof contract.notices.list>> {
      return db.tenant(tenantId, async (tx) => {
        const where = and(ownOf(userId), unreadOnly ? isUnread : undefined);
        const rows = await tx.find(notice, where, {
          orderBy: [desc(notice.createdAt), desc(notice.id)],
          limit: size,
          offset: (current - 1) * size,
        });
        const records = await presentAll(tx, rows);
        const total = await tx.count(notice, where, TOTAL_COUNT_LIMIT + 1);
        const unread = await countUnread(tx, userId);
        const page = { records, total: Math.min(total, TOTAL_COUNT_LIMIT), current, size, unread };
        return total > TOTAL_COUNT_LIMIT ? { ...page, totalIsLowerBound: true } : page;
      });
    },

    /** @throws AppError NOT_FOUND if the caller has no such notice */
    markRead({ caller: { tenantId, userId } }: UserContext, id: string): Promise<{ unread: number }> {
      return db.tenant(tenantId, async (tx) => {
        if (!(await tx.findOne(notice, and(ownOf(userId), eq(notice.id, id))))) throw new AppError('NOT_FOUND');
        return markRead(tx, userId, id);
      });
    },

    markAllRead: ({ caller: { tenantId, userId } }: UserContext): Promise<{ unread: number }> =>
      db.tenant(tenantId, (tx) => markRead(tx, userId)),

    /** @throws AppError NOT_FOUND if the caller has no such notice */
    clear({ caller: { tenantId, userId } }: UserContext, id: string): Promise<{ unread: number }> {
      return db.tenant(tenantId, async (tx) => {
        const { cleared, unread } = await clear(tx, userId, id);
        if (cleared === 0) throw new AppError('NOT_FOUND');
        return { unread };
      });
    },

    clearRead: ({ caller: { tenantId, userId } }: UserContext): Promise<{ cleared: number; unread: number }> =>
      db.tenant(tenantId, (tx) => clear(tx, userId)),
  };
}

export type Centre = ReturnType<typeof createCentre>;
