import { and, desc, eq, sql } from 'drizzle-orm';
import type { TenantTx } from '../../platform/db/index.ts';
import type { LivePort } from '../meetings/index.ts';
import { meeting, type MeetingRow } from '../meetings/tables.ts';
import { changeOf, checkPeople, chosenOf, nameOnly, type Chosen } from './settings.ts';
import { broadcast, broadcastAllowed, type BroadcastRow } from './tables.ts';

/** Meetings of the same series that have no broadcast yet; for a single meeting itself. */
async function withoutBroadcast(tx: TenantTx, { id, seriesId }: MeetingRow): Promise<string[]> {
  const ofSeries = seriesId === null ? eq(meeting.id, id) : eq(meeting.seriesId, seriesId);
  const has = sql`exists (select 1 from ${broadcast} where ${broadcast.id} = ${meeting.id})`;
  const rows = await tx.find(meeting, and(ofSeries, eq(meeting.type, 'LIVE_MEETING'), sql`not ${has}`));
  return rows.map((row) => row.id);
}

/** Stores broadcasts with their white lists. */
export async function insertBroadcasts(
  tx: TenantTx,
  ids: readonly string[],
  columns: ReturnType<typeof changeOf> & Partial<Pick<BroadcastRow, 'source'>>,
  named: readonly string[],
  createdAt: Date,
): Promise<void> {
  if (ids.length === 0) return;
  await tx.insert(
    broadcast,
    ids.map((id) => ({ id, ...columns, createdAt })),
  );
  for (const id of ids) await nameOnly(tx, id, named);
}

/** The broadcast whose settings new meetings of a series get: that of the edited meeting, else the newest one. */
async function patternOf(tx: TenantTx, row: MeetingRow, editedId: string): Promise<BroadcastRow | undefined> {
  const edited = await tx.findOne(broadcast, eq(broadcast.id, editedId));
  if (edited || row.seriesId === null) return edited;
  const ofSeries = sql`exists (select 1 from ${meeting} where ${meeting.id} = ${broadcast.id} and ${meeting.seriesId} =
    ${row.seriesId})`;
  return tx.findOne(broadcast, ofSeries, { orderBy: desc(broadcast.createdAt) });
}

/** What the booking of meetings needs of broadcasts. */
export function createLiveBooking({ now }: { now: () => Date }): LivePort {
  return {
    async prepare(body) {
      const chosen: Chosen = await chosenOf(body);
      const columns = changeOf(chosen);
      return async (tx, row) => {
        const named = await checkPeople(tx, chosen.whiteList ?? []);
        await insertBroadcasts(tx, await withoutBroadcast(tx, row), columns, named, now());
      };
    },
    async meetingChanged(tx, row, editedId) {
      if (row.type !== 'LIVE_MEETING') return;
      const missing = await withoutBroadcast(tx, row);
      const pattern = missing.length === 0 ? undefined : await patternOf(tx, row, editedId);
      if (!pattern) return;
      const named = await tx.find(broadcastAllowed, eq(broadcastAllowed.broadcastId, pattern.id));
      const columns = changeOf({}, pattern);
      await insertBroadcasts(
        tx,
        missing,
        columns,
        named.map(({ accountId }) => accountId),
        now(),
      );
    },
  };
}
