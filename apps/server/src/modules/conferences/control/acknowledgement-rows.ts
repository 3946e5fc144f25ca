import type { Db, TenantTx } from '../../../platform/db/index.ts';
import type { Log } from '../../../platform/log/log.ts';
import type { Push } from '../../../platform/push/index.ts';
import type { ConferenceRef } from './engine.ts';
import { presentAck } from './present.ts';
import type { AckRow } from './repo.ts';

/** Rows per statement, which takes at most 65,535 parameters. */
const ROWS_PER_STATEMENT = 1_000;

export type NewAck = Omit<AckRow, 'tenantId'>;

/** Milliseconds from a command to its acknowledgement. */
export const latencyOf = (at: Date, createdAt: Date): number => Math.max(0, at.getTime() - createdAt.getTime());

export function* chunksOf<T>(rows: readonly T[], size = ROWS_PER_STATEMENT): Generator<T[]> {
  for (let start = 0; start < rows.length; start += size) yield rows.slice(start, start + size);
}

/** Sends acknowledgements to the desks of a conference. */
export async function notifyDesks(
  push: Push,
  tx: TenantTx,
  conference: ConferenceRef,
  rows: readonly AckRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const acks = rows.map((row) => ({ commandId: row.commandId, ...presentAck(row) }));
  await push.publish(tx, `meeting:${conference.meetingId}`, {
    type: 'acknowledged',
    acks,
    conferenceId: conference.id,
  });
}

export interface AcknowledgementDeps {
  db: Db;
  push: Push;
  now: () => Date;
  log: Log;
}
