import { EARLY_JOIN_MINUTES, type ConferenceState } from '@rmeet/contract';
import type { CallEnd } from './call-types.ts';

/** The reason of a call's end after its conference has ended. */
export function endOf({ why }: { why?: 'over' | 'cancelled' | 'early' | undefined }): CallEnd {
  return why === 'cancelled' || why === 'early' ? why : 'ended';
}

/** Whether a conference that ends now was held before the booked time; known to terminals that may end it. */
export function isBeforeTime(conference: ConferenceState | null, now: number): boolean {
  const start = conference?.invitation?.startTime;
  return start !== undefined && now < Date.parse(start) - EARLY_JOIN_MINUTES * 60_000;
}
