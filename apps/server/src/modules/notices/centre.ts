import { and, desc, eq, inArray, isNotNull, isNull } from 'drizzle-orm';
import { TOTAL_COUNT_LIMIT, type contract, type Data, type Input, type Notice } from '@rmeet/contract';
import { allOf } from '../../platform/db/conditions.ts';
import type { Db, TenantTx } from '../../platform/db/index.ts';
import { AppError, type Context, type UserCaller } from '../../platform/http/index.ts';
import type { Push } from '../../platform/push/index.ts';
import { notice, noticeEdition } from './tables.ts';

type UserContext = Context<UserCaller>;
type ListQuery = Input<typeof contract.notices.list>['query'];

const ownOf = (accountId: string) =>
  allOf(eq(notice.channel, 'centre'), eq(notice.accountId, accountId), isNull(notice.clearedAt));
const isUnread = isNull(notice.readAt);

const countUnread = (tx: TenantTx, accountId: string): Promise<number> =>
  tx.count(notice, and(ownOf(accountId), isUnread), TOTAL_COUNT_LIMIT);

/** The notice centre: what its reader was told, by itself and nobody else's. */
export function createCentre({ db, push, now }: { db: Db; push: Push; now: () => Date }) {
  /** Marks notices of the caller as read and tells its other windows; those that are read already stay as they are. */
  async function markRead(tx: TenantTx, accountId: string, id?: string): Promise<{ unread: number }> {
    const rows = await tx.update(
      notice,
      { readAt: now() },
      allOf(ownOf(accountId), isUnread, ...(id === undefined ? [] : [eq(notice.id, id)])),
    );
    if (rows.length > 0) await push.publish(tx, 'user', { type: 'noticesChanged', userIds: [accountId] });
    return { unread: await countUnread(tx, accountId) };
  }

  /** Takes notices of the caller out of the centre: one, or all that were read. */
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
        const editions =
          rows.length === 0
            ? []
            : await tx.find(
                noticeEdition,
                inArray(
                  noticeEdition.id,
                  rows.map(({ editionId }) => editionId),
                ),
              );
        const factsOf = new Map(editions.map(({ id, facts }) => [id, facts]));
        const records = rows.flatMap(({ id, editionId, kind, createdAt, readAt }): Notice[] => {
          const facts = factsOf.get(editionId);
          if (!facts) return [];
          const { meetingId: meetId, subject, host, startTime, duration, timeZone, rooms, approval = null } = facts;
          return [
            {
              id,
              kind,
              meetId,
              subject,
              host: host.name,
              startTime,
              duration,
              timeZone,
              rooms,
              approval: approval && { meetings: approval.meetings, approver: approval.approver, note: approval.note },
              createdAt: createdAt.toISOString(),
              readAt: readAt?.toISOString() ?? null,
            },
          ];
        });
        const total = await tx.count(notice, where, TOTAL_COUNT_LIMIT + 1);
        const page = {
          records,
          total: Math.min(total, TOTAL_COUNT_LIMIT),
          current,
          size,
          unread: await countUnread(tx, userId),
        };
        return total > TOTAL_COUNT_LIMIT ? { ...page, totalIsLowerBound: true } : page;
      });
    },

    /** @throws AppError NOT_FOUND where there is no such notice of the caller's */
    markRead({ caller: { tenantId, userId } }: UserContext, id: string): Promise<{ unread: number }> {
      return db.tenant(tenantId, async (tx) => {
        if (!(await tx.findOne(notice, and(ownOf(userId), eq(notice.id, id))))) throw new AppError('NOT_FOUND');
        return markRead(tx, userId, id);
      });
    },

    markAllRead: ({ caller: { tenantId, userId } }: UserContext): Promise<{ unread: number }> =>
      db.tenant(tenantId, (tx) => markRead(tx, userId)),

    /** @throws AppError NOT_FOUND where there is no such notice of the caller's */
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
