import { isDeepStrictEqual } from 'node:util';
import type { ApprovalReason, ApprovalState } from '@rmeet/contract';

/** The details of a meeting in a notice, except its password. */
export interface MeetingSnapshot {
  /** UID of RFC 5545: of the meeting, or of the series it belongs to. */
  uid: string;
  /**
   * The occurrence of a series, by its start in the rule, ISO 8601; null for the whole series and for a single meeting.
   */
  recurrenceId: string | null;
  /**
   * Rule of RFC 5545, the excluded starts, and those that were cancelled one by one; null for a single meeting.
   */
  recurrence: { rule: string; except: string[]; cancelled: string[] } | null;
  isCancelled: boolean;
  subject: string;
  agenda: string;
  /** ISO 8601. */
  startTime: string;
  /** Minutes. */
  duration: number;
  timeZone: string;
  /** Empty for a local meeting, which has no number to join by. */
  number: string;
  /** The broadcast of an outside stream: its link is the watch page. */
  isWatched?: true;
  host: { id: string; name: string };
  /** Omitted for meetings without end-to-end encryption. */
  e2ee?: true;
  /** Rooms with their buildings. */
  rooms: string[];
  /** The meeting that the password belongs to. */
  meetingId: string;
  /** The details of an approval. */
  approval?:
    | {
        state: ApprovalState;
        /** When it was requested, ISO 8601; for several meetings the last time. */
        askedAt: string;
        reasons: ApprovalReason[];
        /** The number of meetings of a series, and when the last of them starts. */
        meetings: number;
        lastStart: string;
        /** Who decided, and their note. */
        approver: string;
        note: string;
      }
    | undefined;
}

/**
 * The visible part, without occurrences cancelled one by one, which have their own notices. Older rows contain an
 * address that is no longer used.
 */
function visiblePart(snapshot: MeetingSnapshot): unknown {
  return {
    ...snapshot,
    origin: '',
    meetingId: '',
    recurrence: snapshot.recurrence && { ...snapshot.recurrence, cancelled: [] },
  };
}

/** Whether a reader would see no difference. */
export function isSame(one: MeetingSnapshot, other: MeetingSnapshot): boolean {
  return isDeepStrictEqual(visiblePart(one), visiblePart(other));
}
