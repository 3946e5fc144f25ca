import { eq } from 'drizzle-orm';
import type { RecordingEdit } from '@rmeet/contract';
import type { TenantTx } from '../../../platform/db/index.ts';
import { recording } from '../tables.ts';

/** As many as an edit may have; the shortest ones beyond it are played. */
const MAX_CUTS = 100;

/** A stretch of time that is played. */
export interface Shown {
  from: Date;
  until: Date;
}

function editOf(startedAt: Date, spans: readonly Shown[]): RecordingEdit {
  const at = (time: Date): number => Math.max(0, time.getTime() - startedAt.getTime());
  const start = at(spans[0]!.from);
  const gaps = spans.flatMap(({ from }, index) => {
    const before = spans[index - 1];
    return before && before.until < from ? [{ from: at(before.until), to: at(from) }] : [];
  });
  const longest = gaps.toSorted((a, b) => b.to - b.from - (a.to - a.from)).slice(0, MAX_CUTS);
  return {
    start: start === 0 ? null : start,
    end: at(spans.at(-1)!.until),
    cuts: longest.toSorted((a, b) => a.from - b.from),
  };
}

/**
 * Edits a recording so that only these stretches are played. Nothing is deleted: those who manage it may change the
 * edit.
 *
 * @param spans in order; one at least, and none empty
 */
export async function showOnly(tx: TenantTx, recordingId: string, spans: readonly Shown[]): Promise<void> {
  const row = await tx.findOne(recording, eq(recording.id, recordingId), { lock: 'no key update' });
  if (row) await tx.update(recording, { edit: editOf(row.startedAt, spans) }, eq(recording.id, recordingId));
}
