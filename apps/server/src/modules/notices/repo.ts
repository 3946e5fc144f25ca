import { and, asc, desc, eq, inArray, isNull, lte, or, sql } from 'drizzle-orm';
import { allOf } from '../../platform/db/conditions.ts';
import { newId, type PlatformTx, type TenantTx } from '../../platform/db/index.ts';
import { keyOf, type Recipient } from './recipients.ts';
import { notice, noticeEdition, type NoticeEditionRow, type NoticeRow } from './tables.ts';

/** What people are told of: a meeting or a whole series. */
export type Topic = { meetingId: string } | { seriesId: string };

type About = NoticeEditionRow['about'];

const ofTopic = (topic: Topic, about: About) =>
  and(
    'meetingId' in topic ? eq(noticeEdition.meetingId, topic.meetingId) : eq(noticeEdition.seriesId, topic.seriesId),
    eq(noticeEdition.about, about),
  );

/** What people were told last: those who are invited, or of an approval those whom that is for. */
export function latestEdition(
  tx: TenantTx,
  topic: Topic,
  about: About = 'meeting',
): Promise<NoticeEditionRow | undefined> {
  return tx.findOne(noticeEdition, ofTopic(topic, about), { orderBy: desc(noticeEdition.sequence) });
}

/**
 * What people were told of a meeting of its own was told of the series that it became the first of, and which has its
 * id.
 */
export async function handOver(tx: TenantTx, seriesId: string): Promise<void> {
  for (const about of ['meeting', 'approval'] as const) {
    if (await latestEdition(tx, { seriesId }, about)) continue;
    await tx.update(
      noticeEdition,
      { seriesId, meetingId: null },
      allOf(eq(noticeEdition.meetingId, seriesId), eq(noticeEdition.about, about)),
    );
  }
}

export async function addEdition(
  tx: TenantTx,
  topic: Topic,
  values: Pick<NoticeEditionRow, 'sequence' | 'facts' | 'passwordSealed' | 'createdAt'> & { about?: About },
): Promise<NoticeEditionRow> {
  const [row] = await tx.insert(noticeEdition, { id: newId(), ...topic, ...values });
  if (!row) throw new Error('What people are told was not stored.');
  return row;
}

/** Every notice of a topic, the oldest first. */
export async function noticesOf(tx: TenantTx, topic: Topic, about: About = 'meeting'): Promise<NoticeRow[]> {
  const editions = (await tx.find(noticeEdition, ofTopic(topic, about))).map(({ id }) => id);
  if (editions.length === 0) return [];
  return tx.find(notice, inArray(notice.editionId, editions), { orderBy: [asc(notice.createdAt), asc(notice.id)] });
}

/** Who was told of a meeting and has not been told since that it is not for them. */
export function standing(notices: readonly NoticeRow[]): Map<string, Recipient> {
  const told = new Map<string, Recipient>();
  for (const row of notices) {
    if (row.kind === 'cancellation') told.delete(keyOf(row));
    else if (row.kind !== 'reminder') told.set(keyOf(row), row);
  }
  return told;
}

export type NewNotice = Omit<typeof notice.$inferInsert, 'tenantId' | 'id' | 'createdAt' | 'dueAt'>;

export function addNotices(tx: TenantTx, rows: readonly NewNotice[], now: Date): Promise<NoticeRow[]> {
  if (rows.length === 0) return Promise.resolve([]);
  return tx.insert(
    notice,
    rows.map((row) => ({ ...row, id: newId(), createdAt: now, dueAt: now })),
  );
}

/** Takes notices back that have not gone out. */
export async function dropNotices(tx: TenantTx, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.delete(notice, allOf(inArray(notice.id, [...ids]), eq(notice.status, 'SENDING')));
}

/**
 * Takes notices that are due, for one server process until `until`: others leave them alone so long. One that dies with
 * them leaves them to the others then.
 */
export async function claimDue(tx: PlatformTx, now: Date, until: Date, limit: number): Promise<NoticeRow[]> {
  const isDue = and(
    eq(notice.status, 'SENDING'),
    lte(notice.dueAt, now),
    or(isNull(notice.claimedUntil), lte(notice.claimedUntil, now)),
  );
  const found = await tx.find(notice, isDue, { orderBy: [asc(notice.dueAt), asc(notice.id)], limit });
  if (found.length === 0) return [];
  // Another process may have taken some meanwhile: those do not meet the condition any more.
  return tx.update(
    notice,
    { claimedUntil: until },
    and(
      inArray(
        notice.id,
        found.map(({ id }) => id),
      ),
      isDue,
    ),
  );
}

/** Lets go of what a process had taken that is gone; where there is but one process, that is everything. */
export async function releaseClaims(tx: PlatformTx): Promise<void> {
  await tx.update(
    notice,
    { claimedUntil: null },
    and(eq(notice.status, 'SENDING'), sql`${notice.claimedUntil} is not null`),
  );
}

/** Writes down how a try went. A notice that was taken back meanwhile stays gone. */
export async function settle(
  tx: TenantTx,
  id: string,
  values: Partial<Pick<NoticeRow, 'status' | 'attempts' | 'failure' | 'dueAt' | 'triedAt'>>,
): Promise<void> {
  await tx.update(notice, { ...values, claimedUntil: null }, allOf(eq(notice.id, id), eq(notice.status, 'SENDING')));
}
