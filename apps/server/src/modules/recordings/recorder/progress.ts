import type { RecordTrouble } from '@rmeet/conference';
import type { GapReason } from '@rmeet/recorder';
import type { RecordReport } from '../../conferences/index.ts';
import type { RecordingRow } from '../tables.ts';

/** Why a recording waits without a command. */
export type Obstacle = Extract<RecordTrouble, 'diskFull' | 'quotaFull'> | null;

/** What a recorder knows of its recording besides the row. */
export interface Facts {
  /** The first part is written. */
  isWriting: boolean;
  obstacle: Obstacle;
  isSpaceLow: boolean;
}

/** The status to report, by what people want and what is possible. */
export function reportOf(
  { wish }: Pick<RecordingRow, 'wish'>,
  { isWriting, obstacle, isSpaceLow }: Facts,
): RecordReport {
  if (wish === 'pause') return { status: 'PAUSED', trouble: null, isSpaceLow };
  if (obstacle !== null) return { status: 'PAUSED', trouble: obstacle, isSpaceLow };
  return { status: isWriting ? 'RECORDING' : 'STARTING', trouble: null, isSpaceLow };
}

/** Why nothing is to be written now; undefined if it is. */
export function pauseOf({ wish }: Pick<RecordingRow, 'wish'>, obstacle: Obstacle): GapReason | undefined {
  return wish === 'pause' ? 'paused' : (obstacle ?? undefined);
}
