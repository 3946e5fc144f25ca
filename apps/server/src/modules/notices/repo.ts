import { and, asc, desc, eq, inArray, isNull, lte, or, sql } from 'drizzle-orm';
import { allOf } from '../../platform/db/conditions.ts';
import { newId, type PlatformTx, type TenantTx } from '../../platform/db/index.ts';
import type { MeetingRow } from '../meetings/tables.ts';
import { keyOf, type Recipient } from './recipients.ts';
import { notice, noticeEdition, type NoticeEditionRow, type NoticeRow } from './tables.ts';

/** What notices are about: a meeting or a whole series. */
export type Topic = { meetingId: string } | { seriesId: string };

/** The topics of a meeting: the meeting itself, and the series it belongs to. */
export function topicsOf({ id, seriesId }: Pick<MeetingRow, 'id' | 'seriesId'>): Topic[] {
  return seriesId === null ? [{ meetingId: id }] : [{ seriesId }, { meetingId: id }];
}

type About = NoticeEditionRow['about'];

const ofTopic = (topic: Topic, about: About) =>
  and(
    'meetingId' in topic ? eq(noticeEdition.meetingId, topic.meetingId) : eq(noticeEdition.seriesId, topic.seriesId),
    eq(noticeEdition.about, about),
  );

/** The newest edition: for invited people, or for those affected by an approval. */
export function latestEdition(
  tx: TenantTx,
  topic: Topic,
  about: About = 'meeting',
): Promise<NoticeEditionRow | undefined> {
  return tx.findOne(noticeEdition, ofTopic(topic, about), { orderBy: desc(noticeEdition.sequence) });
}

/** Moves the editions of a meeting that became the first of a series, which has its id, to the series. */
export async function adoptEditions(tx: TenantTx, seriesId: string): Promise<void> {
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
  values: Pick<NoticeEditionRow, 'sequence' | 'snapshot' | 'passwordSealed' | 'createdAt'> & { about?: About },
): Promise<NoticeEditionRow> {
  const [row] = await tx.insert(noticeEdition, { id: newId(), ...topic, ...values });
  if (!row) throw new Error('The edition was not stored.');
  return row;
}

/** Every notice of a topic, the oldest first. */
export async function noticesOf(tx: TenantTx, topic: Topic, about: About = 'meeting'): Promise<NoticeRow[]> {
  const editions = (await tx.find(noticeEdition, ofTopic(topic, about))).map(({ id }) => id);
  if (editions.length === 0) return [];
  return tx.find(notice, inArray(notice.editionId, editions), { orderBy: [asc(notice.createdAt), asc(notice.id)] });
}

/** The recipients who were notified of a meeting and have not received a cancellation since. */
export function currentRecipients(notices: readonly NoticeRow[]): Map<string, Recipient> {
  const recipients = new Map<string, Recipient>();
  for (const row of notices) {
    if (row.kind === 'cancellation') recipients.delete(keyOf(row));
    else if (row.kind !== 'reminder') recipients.set(keyOf(row), row);
  }
  return recipients;
}

export type NewNotice = Omit<typeof notice.$inferInsert, 'tenantId' | 'id' | 'createdAt' | 'dueAt'>;

export function addNotices(tx: TenantTx, rows: readonly NewNotice[], now: Date): Promise<NoticeRow[]> {
  if (rows.length === 0) return Promise.resolve([]);
  return tx.insert(
    notice,
    rows.map((row) => ({ ...row, id: newId(), createdAt: now, dueAt: now })),
  );
}

/** Deletes notices that have not been sent. */
export async function dropNotices(tx: TenantTx, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.delete(notice, allOf(inArray(notice.id, [...ids]), eq(notice.status, 'SENDING')));
}

/** Claims notices that are due for one server process until `until`. If it dies, others can claim them afterwards. */
export async function claimDue(tx: PlatformTx, now: Date, until: Date, limit: number): Promise<NoticeRow[]> {
  const isDue = and(
    eq(notice.status, 'SENDING'),
    lte(notice.dueAt, now),
    or(isNull(notice.claimedUntil), lte(notice.claimedUntil, now)),
  );
  const found = await tx.find(notice, isDue, { orderBy: [asc(notice.dueAt), asc(notice.id)], limit });
  if (found.length === 0) return [];
  // Another process may have claimed some meanwhile; those no longer meet the condition.
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

/** Releases all claims, for a start as the only server process. */
export async function releaseClaims(tx: PlatformTx): Promise<void> {
  await tx.update(
    notice,
    { claimedUntil: null },
    and(eq(notice.status, 'SENDING'), sql`${notice.claimedUntil} is not null`),
  );
}

/** Stores the result of an attempt. A notice that was deleted meanwhile stays deleted. */
export async function settle(
  tx: TenantTx,
  id: string,
  values: Partial<Pick<NoticeRow, 'status' | 'attempts' | 'failure' | 'dueAt' | 'triedAt'>>,
): Promise<void> {
  await tx.update(notice, { ...values, claimedUntil: null }, allOf(eq(notice.id, id), eq(notice.status, 'SENDING')));
}
