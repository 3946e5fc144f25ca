import type { Meeting } from '@rmeet/contract';
import { changed } from '../audit/index.ts';

const FIELDS = ['subject', 'agenda', 'startTime', 'duration', 'password', 'waitingRoom', 'participants'] as const satisfies readonly (keyof Meeting)[];
type Fields = Record<string, unknown>;

/** That there is a password, not which. */
function hidePassword(fields: Fields): Fields {
  return 'password' in fields ? { ...fields, password: fields['password'] === '' ? '' : '***' } : fields;
}

/** A booked meeting as the audit log shows it. */
export function auditedBooking(meeting: Meeting): Fields {
  return hidePassword(Object.fromEntries(FIELDS.map((field) => [field, meeting[field]])));
}

/** What an edit changed, likewise. */
export function auditedEdit(before: Meeting, after: Meeting): { before: Fields; after: Fields } {
  const difference = changed(before, after, FIELDS);
  return { before: hidePassword(difference.before), after: hidePassword(difference.after) };
}
