import { inArray } from 'drizzle-orm';
import type { IngestStatus } from '@rmeet/contract';
import type { TenantTx } from '../../../platform/db/index.ts';
import { broadcastIngest, type BroadcastIngestRow } from '../ingest/tables.ts';

/** The outside streams of these broadcasts, by their ids. */
export async function ingestsOf(tx: TenantTx, ids: readonly string[]): Promise<Map<string, BroadcastIngestRow>> {
  const rows = ids.length === 0 ? [] : await tx.find(broadcastIngest, inArray(broadcastIngest.broadcastId, [...ids]));
  return new Map(rows.map((row) => [row.broadcastId, row]));
}

/** Whether a process holds the stream: one that was killed did not say that nothing arrives any more. */
const isHeldNow = ({ leaseUntil }: BroadcastIngestRow, now: Date): boolean => leaseUntil !== null && leaseUntil > now;

/** Whether an outside stream arrives now. */
export const isArriving = (row: BroadcastIngestRow | undefined, now: Date): boolean =>
  row?.state === 'arriving' && isHeldNow(row, now);

const WAITING: IngestStatus = {
  state: 'waiting',
  reason: '',
  since: null,
  way: null,
  width: null,
  height: null,
  hasSound: false,
  bitrate: 0,
};

/** What arrives of an outside stream now, as the contract shows it. */
export function ingestStatusOf(row: BroadcastIngestRow, now: Date): IngestStatus {
  if (row.state === 'waiting' || !isHeldNow(row, now)) return WAITING;
  if (row.state !== 'arriving') return { ...WAITING, state: row.state, reason: row.reason };
  const { state, way, width, height, hasSound, bitrate } = row;
  return { state, reason: '', since: row.since?.toISOString() ?? null, way, width, height, hasSound, bitrate };
}
