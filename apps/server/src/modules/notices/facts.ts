/** What the people who are told of a meeting see of it, besides its password. */
export interface Facts {
  /** UID of RFC 5545: of the meeting, or of the series it belongs to. */
  uid: string;
  /** Which of the series, as its start by the rule, ISO 8601; null for the whole series and for a meeting of its own. */
  recurrenceId: string | null;
  /** Rule of RFC 5545 and the starts that are left out; null for a single meeting. */
  recurrence: { rule: string; except: string[] } | null;
  isCancelled: boolean;
  subject: string;
  agenda: string;
  /** ISO 8601. */
  startTime: string;
  /** Minutes. */
  duration: number;
  timeZone: string;
  number: string;
  host: { id: string; name: string };
  /** Rooms with their buildings, as people are told. */
  rooms: string[];
  /** The meeting whose password it is. */
  meetingId: string;
  /** The address the browser of whoever booked sees of this server, for links. */
  origin: string;
}

/** What does not count as a change when it differs. */
const UNSEEN: ReadonlySet<keyof Facts> = new Set(['origin', 'meetingId']);

/** Whether people would see a difference. */
export function isSame(one: Facts, other: Facts): boolean {
  const names = (Object.keys(one) as (keyof Facts)[]).filter((name) => !UNSEEN.has(name));
  return names.every((name) => JSON.stringify(one[name]) === JSON.stringify(other[name]));
}
