import { EARLY_JOIN_MINUTES, type ConferenceState } from '@rmeet/contract';
import type { CallEnd } from './call-types.ts';

/** Why the call is over when its conference has ended. */
export function endOf({ why }: { why?: 'over' | 'cancelled' | 'early' | undefined }): CallEnd {
  return why === 'cancelled' || why === 'early' ? why : 'ended';
}

/** Whether a conference that its host ends now was held before the meeting's time; those who may end it know that. */
export function isBeforeTime(conference: ConferenceState | null, now: number): boolean {
  const start = conference?.invitation?.startTime;
  return start !== undefined && now < Date.parse(start) - EARLY_JOIN_MINUTES * 60_000;
}
