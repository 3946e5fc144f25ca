import { isDeepStrictEqual } from 'node:util';
import type { ApprovalReason, ApprovalState } from '@rmeet/contract';

/** What the people who are told of a meeting see of it, besides its password. */
export interface Facts {
  /** UID of RFC 5545: of the meeting, or of the series it belongs to. */
  uid: string;
  /**
   * Which of the series, as its start by the rule, ISO 8601; null for the whole series and for a meeting of its own.
   */
  recurrenceId: string | null;
  /**
   * Rule of RFC 5545, the starts that are left out, and those that were cancelled one by one; null for a single
   * meeting.
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
  /** Empty for a local meeting, which nobody comes to by a number. */
  number: string;
  host: { id: string; name: string };
  /** Rooms with their buildings, as people are told. */
  rooms: string[];
  /** The meeting whose password it is. */
  meetingId: string;
  /** Of an approval what is told of it. */
  approval?:
    | {
        state: ApprovalState;
        /** When it was asked for, ISO 8601; of several meetings the last time. */
        askedAt: string;
        reasons: ApprovalReason[];
        /** How many of a series these are, and when the last of them starts. */
        meetings: number;
        lastStart: string;
        /** Who decided, and what they said. */
        approver: string;
        note: string;
      }
    | undefined;
}

/**
 * What people see of it, but for those cancelled one by one, who are told one by one. Older rows hold an address that
 * is not used any more.
 */
function seen(facts: Facts): unknown {
  return {
    ...facts,
    origin: '',
    meetingId: '',
    recurrence: facts.recurrence && { ...facts.recurrence, cancelled: [] },
  };
}

/** Whether people would see no difference. */
export function isSame(one: Facts, other: Facts): boolean {
  return isDeepStrictEqual(seen(one), seen(other));
}
