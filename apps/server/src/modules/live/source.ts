import type { BroadcastRow } from './tables.ts';

type Sourced = Pick<BroadcastRow, 'id' | 'source' | 'recordingId'>;

/** Whether a broadcast shows an outside stream, not a conference. */
export const isOutside = ({ source }: Pick<BroadcastRow, 'source'>): boolean => source !== 'conference';

/**
 * What the media that viewers see is named by: the recording, or the broadcast itself for an outside stream, which is
 * not recorded. Null: nothing has been on air yet.
 */
export const mediaIdOf = (row: Sourced): string | null => (isOutside(row) ? row.id : row.recordingId);
