import { and, asc, eq, ilike, inArray, isNotNull, isNull, sql, type SQL } from 'drizzle-orm';
import type { FoundRecording } from '@rmeet/contract';
import { allOf } from '../../../platform/db/conditions.ts';
import { containing, newId, searchedIds, type Db, type TenantTx } from '../../../platform/db/index.ts';
import { inBatches } from '../../../platform/db/batches.ts';
import { conference, terminalSession } from '../../conferences/tables.ts';
import { recording, recordingText, type RecordingRow } from '../tables.ts';
import { readChat, readLog } from './timeline/log.ts';
import { captionsOf } from './timeline/timeline.ts';

/** Recordings for one round. */
const BATCH = 50;
/** Longest text that is searched, characters. */
const LONGEST = 2_000;
/** Texts, and recordings by their subject, that are found by an index. */
const MOST = 10_000;
/** Texts shown for one recording. */
const SHOWN = 5;

/**
 * A condition for recordings of the tenant in which a keyword was found: in the subject, or in a text. A rare keyword
 * is found by the indexes; for one that is in very many places, each recording of the list is looked at.
 */
export async function foundIn(tx: TenantTx, keyword: string): Promise<SQL> {
  const bySubject = await searchedIds(tx, [recording.subject], keyword, MOST);
  const texts = await searchedIds(tx, [recordingText.text], keyword, MOST);
  if (bySubject.length >= MOST || texts.length >= MOST) {
    const pattern = containing(keyword);
    return sql`(${ilike(recording.subject, pattern)} or exists (select 1 from ${recordingText} where
      ${recordingText.recordingId} = ${recording.id} and ${ilike(recordingText.text, pattern)}))`;
  }
  const source = tx.scoped(recordingText);
  const rows = await tx
    .select({ id: source.recordingId })
    .from(source)
    .where(sql`${source.id} = any(${`{${texts.join(',')}}`}::uuid[])`)
    .groupBy(source.recordingId);
  const ids = [...new Set([...bySubject, ...rows.map(({ id }) => id)])];
  return sql`${recording.id} = any(${`{${ids.join(',')}}`}::uuid[])`;
}

/** Where a keyword is in each of these recordings, in the order of time; names first. */
export async function placesOf(
  tx: TenantTx,
  recordingIds: readonly string[],
  keyword: string,
): Promise<Map<string, FoundRecording['found']>> {
  if (recordingIds.length === 0) return new Map();
  const rows = await tx.find(
    recordingText,
    and(inArray(recordingText.recordingId, [...recordingIds]), ilike(recordingText.text, containing(keyword))),
    { orderBy: [sql`${recordingText.at} asc nulls first`, asc(recordingText.id)] },
  );
  const byRecording = Map.groupBy(rows, ({ recordingId }) => recordingId);
  return new Map(
    [...byRecording].map(([id, found]) => [
      id,
      found.slice(0, SHOWN).map(({ foundIn: place, text, at }) => ({ in: place, text, at })),
    ]),
  );
}

type Text = Pick<typeof recordingText.$inferInsert, 'foundIn' | 'text' | 'at'>;

async function textsOf(tx: TenantTx, row: RecordingRow): Promise<Text[]> {
  const sessions = await tx.find(
    terminalSession,
    and(eq(terminalSession.conferenceId, row.conferenceId), isNotNull(terminalSession.firstInsideAt)),
  );
  const names = [...new Set(sessions.map(({ name }) => name))];
  const chat = await readChat(tx, row);
  const captions = captionsOf(await readLog(tx, row));
  return [
    ...names.map((text): Text => ({ foundIn: 'person', text, at: null })),
    ...chat.map(({ text, sentAt }): Text => ({
      foundIn: 'chat',
      text,
      at: sentAt.getTime() - row.startedAt.getTime(),
    })),
    ...captions.map(({ text, from }): Text => ({ foundIn: 'caption', text, at: from })),
  ].filter(({ text }) => text !== '');
}

/** Stores what can be searched of recordings whose conference is over. */
export async function storeTexts({ db, now }: { db: Db; now: () => Date }): Promise<void> {
  const over = sql`exists (select 1 from ${conference} where ${conference.id} = ${recording.conferenceId} and
    ${conference.endedAt} is not null)`;
  const due = and(
    isNull(recording.textsAt),
    isNotNull(recording.endedAt),
    inArray(recording.state, ['ready', 'failed']),
    over,
  );
  const rows = await db.platform((tx) => tx.find(recording, due, { limit: BATCH }));
  for (const { id, tenantId } of rows)
    await db.tenant(tenantId, async (tx) => {
      const row = await tx.findOne(recording, allOf(eq(recording.id, id), isNull(recording.textsAt)), {
        lock: 'no key update',
      });
      if (!row) return;
      const texts = (await textsOf(tx, row)).map(({ foundIn: place, text, at }) => ({
        id: newId(),
        recordingId: id,
        foundIn: place,
        text: text.slice(0, LONGEST),
        at,
      }));
      for (const batch of inBatches(texts)) await tx.insert(recordingText, batch);
      await tx.update(recording, { textsAt: now() }, eq(recording.id, id));
    });
}
