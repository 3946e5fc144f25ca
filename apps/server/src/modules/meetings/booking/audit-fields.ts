import type { Meeting } from '@rmeet/contract';
import { changed } from '../../audit/index.ts';

const FIELDS = [
  'type',
  'subject',
  'agenda',
  'startTime',
  'duration',
  'timeZone',
  'password',
  'waitingRoom',
  'joinBeforeHost',
  'muteOnEntry',
  'template',
  'e2ee',
  'autoRecord',
  'vip',
  'participants',
  'rooms',
  'terminals',
  'files',
  'resource',
  'series',
] as const satisfies readonly (keyof Meeting)[];
type Fields = Record<string, unknown>;

/** The last two digits of a telephone number, enough to tell parties apart. */
const masked = (phone: string): string => `***${phone.slice(-2)}`;

/** Hides the password, and all but the end of telephone numbers. */
function hide(fields: Fields): Fields {
  const { password, participants } = fields as Partial<Pick<Meeting, 'password' | 'participants'>>;
  return {
    ...fields,
    ...(password === undefined ? {} : { password: password === '' ? '' : '***' }),
    ...(participants === undefined
      ? {}
      : {
          participants: participants.map((one) =>
            one.kind === 'phone' ? { kind: one.kind, name: one.name, phone: masked(one.phone) } : one,
          ),
        }),
  };
}

/** Replaces rooms, terminals, files and the resource by their names, and a series by its rule. */
function named(meeting: Meeting): Omit<Meeting, 'rooms' | 'terminals' | 'files' | 'resource' | 'series'> & {
  rooms: string[];
  terminals: string[];
  files: string[];
  resource: string | null;
  series: string | null;
} {
  return {
    ...meeting,
    rooms: meeting.rooms.map(({ name, building }) => `${name}, ${building}`),
    terminals: meeting.terminals.map(({ name }) => name),
    files: meeting.files.map(({ name }) => name),
    resource: meeting.resource?.name ?? null,
    series: meeting.series?.rule ?? null,
  };
}

/** A booked meeting for the audit log. */
export function auditedBooking(meeting: Meeting): Fields {
  const shown = named(meeting);
  return hide(Object.fromEntries(FIELDS.map((field) => [field, shown[field]])));
}

/** What an edit changed, for the audit log. */
export function auditedEdit(before: Meeting, after: Meeting): { before: Fields; after: Fields } {
  const difference = changed(named(before), named(after), FIELDS);
  return { before: hide(difference.before), after: hide(difference.after) };
}
