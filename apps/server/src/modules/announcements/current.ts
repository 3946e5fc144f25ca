import {
  ANNOUNCEMENT_LIMITS,
  PLATFORM_TENANT_ID,
  type contract,
  type CurrentAnnouncement,
  type Data,
} from '@rmeet/contract';
import type { Db } from '../../platform/db/index.ts';
import { AppError, type Context, type UserCaller } from '../../platform/http/index.ts';
import type { Push } from '../../platform/push/index.ts';
import { insertReads, placeOf, readsOf, runningFor } from './repo.ts';
import type { AnnouncementRow } from './tables.ts';

type UserContext = Context<UserCaller>;

/** When an announcement became visible. */
const begunAt = ({ startsAt, publishedAt, createdAt }: AnnouncementRow): Date => startsAt ?? publishedAt ?? createdAt;

function present(row: AnnouncementRow, readAt: Date | undefined): CurrentAnnouncement {
  const { id, title, body, url, important, endsAt } = row;
  return {
    id,
    title,
    body,
    url,
    important,
    byPlatform: row.tenantId === PLATFORM_TENANT_ID,
    from: begunAt(row).toISOString(),
    until: endsAt?.toISOString() ?? null,
    readAt: readAt?.toISOString() ?? null,
  };
}

/** The announcements that people see, and what they have read. */
export function createCurrent({ db, push, now }: { db: Db; push: Push; now: () => Date }) {
  /** The caller's running announcements: the tenant's and the platform's, the newest first; or the one with `id`. */
  async function runningOf({ tenantId, userId }: UserCaller, id?: string): Promise<AnnouncementRow[]> {
    const { place, own } = await db.tenant(tenantId, async (tx) => {
      const found = await placeOf(tx, userId);
      return { place: found, own: await runningFor(tx, found, now(), id) };
    });
    const platforms = await db.tenant(PLATFORM_TENANT_ID, (tx) => runningFor(tx, place, now(), id));
    return [...own, ...platforms]
      .sort((a, b) => begunAt(b).getTime() - begunAt(a).getTime() || (a.id < b.id ? 1 : -1))
      .slice(0, ANNOUNCEMENT_LIMITS.current);
  }

  const idsOf = (rows: readonly AnnouncementRow[]): string[] => rows.map((row) => row.id);

  /** Marks announcements of the caller as read, and updates the caller's other pages. */
  async function mark({ tenantId, userId }: UserCaller, ids: readonly string[]): Promise<void> {
    await db.tenant(tenantId, async (tx) => {
      if ((await insertReads(tx, userId, ids, now())) === 0) return;
      await push.publish(tx, 'user', { type: 'announcementsChanged', userIds: [userId] });
    });
  }

  async function countUnread(caller: UserCaller): Promise<{ unread: number }> {
    const rows = await runningOf(caller);
    const reads = await db.tenant(caller.tenantId, (tx) => readsOf(tx, caller.userId, idsOf(rows)));
    return { unread: rows.length - reads.size };
  }

  return {
    async list({ caller }: UserContext): Promise<Data<typeof contract.announcements.current>> {
      const rows = await runningOf(caller);
      const reads = await db.tenant(caller.tenantId, (tx) => readsOf(tx, caller.userId, idsOf(rows)));
      const records = rows.map((row) => present(row, reads.get(row.id)));
      return { records, total: records.length, unread: records.length - reads.size };
    },

    /** @throws AppError NOT_FOUND if the caller has no such announcement now */
    async markRead({ caller }: UserContext, id: string): Promise<{ unread: number }> {
      const rows = await runningOf(caller, id);
      if (rows.length === 0) throw new AppError('NOT_FOUND');
      await mark(caller, idsOf(rows));
      return countUnread(caller);
    },

    async markAllRead({ caller }: UserContext): Promise<{ unread: number }> {
      await mark(caller, idsOf(await runningOf(caller)));
      return countUnread(caller);
    },
  };
}

export type Current = ReturnType<typeof createCurrent>;
