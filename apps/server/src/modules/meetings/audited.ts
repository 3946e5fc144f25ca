import type { Meeting } from '@rmeet/contract';
import { changed } from '../audit/index.ts';

const FIELDS = ['subject', 'agenda', 'startTime', 'duration', 'password', 'waitingRoom', 'participants', 'rooms'] as const satisfies readonly (keyof Meeting)[];
type Fields = Record<string, unknown>;

/** That there is a password, not which. */
function hidePassword(fields: Fields): Fields {
  return 'password' in fields ? { ...fields, password: fields['password'] === '' ? '' : '***' } : fields;
}

/** Rooms by their names. */
function named(meeting: Meeting): Omit<Meeting, 'rooms'> & { rooms: string[] } {
  return { ...meeting, rooms: meeting.rooms.map(({ name, building }) => `${name}, ${building}`) };
}

/** A booked meeting as the audit log shows it. */
export function auditedBooking(meeting: Meeting): Fields {
  const shown = named(meeting);
  return hidePassword(Object.fromEntries(FIELDS.map((field) => [field, shown[field]])));
}

/** What an edit changed, likewise. */
export function auditedEdit(before: Meeting, after: Meeting): { before: Fields; after: Fields } {
  const difference = changed(named(before), named(after), FIELDS);
  return { before: hidePassword(difference.before), after: hidePassword(difference.after) };
}
