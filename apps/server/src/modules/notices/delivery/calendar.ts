import ical, { ICalAttendeeRole, ICalAttendeeStatus, ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import { getVtimezoneComponent } from '@touch4it/ical-timezones';
import { Temporal } from 'temporal-polyfill';
import { hasNoticeLink, noticeLink } from '../texts/link.ts';
import type { MeetingSnapshot } from '../changes/snapshot.ts';

interface Invite {
  snapshot: MeetingSnapshot;
  sequence: number;
  /** When this edition was created. */
  stamp: Date;
  password: string;
  publicUrl: string | null;
  isCancelled: boolean;
  /** The event's text. */
  description: string;
  organizer: { name: string; email: string };
  attendee: { name: string; email: string };
}

/** Control characters that iCalendar forbids in texts (RFC 5545 section 3.3.11): all but line breaks and tabs. */
// oxlint-disable-next-line no-control-regex -- these are removed
const CONTROL = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/g;
const plain = (text: string): string => text.replace(/\r\n?/g, '\n').replace(CONTROL, '');
/** A name as a quoted parameter, without quotes in it (RFC 5545 section 3.2). */
const parameter = (text: string): string => plain(text).replace(/["\n]/g, ' ').trim();

/** Recurring events use the local time of their zone, so the calendar contains the zone; other events use UTC. */
function zoneOf({ recurrence, recurrenceId, timeZone }: MeetingSnapshot): string | null {
  const recurs = recurrence !== null || recurrenceId !== null;
  return recurs && timeZone !== 'UTC' && getVtimezoneComponent(timeZone) !== null ? timeZone : null;
}

const compact = (isoTime: string): string => isoTime.replaceAll(/[-:]/g, '').slice(0, 15);

/** A time for the calendar library: local time of the zone, or UTC. */
function clockOf(time: string, zone: string | null): { value: Date; text: string } {
  if (zone === null) return { value: new Date(time), text: `:${compact(time)}Z` };
  const local = Temporal.Instant.from(time).toZonedDateTimeISO(zone);
  return {
    value: local as unknown as Date,
    text: `;TZID=${zone}:${compact(local.toPlainDateTime().toString({ smallestUnit: 'second' }))}`,
  };
}

/**
 * An invitation or its cancellation for one recipient (RFC 5545, RFC 5546). Calendars identify the meeting by its UID,
 * an occurrence of a series also by its RECURRENCE-ID, and follow the highest SEQUENCE. It contains no other person's
 * address than the host's.
 */
export function calendarOf({
  snapshot,
  sequence,
  stamp,
  password,
  publicUrl,
  isCancelled,
  description,
  organizer,
  attendee,
}: Invite): { method: 'REQUEST' | 'CANCEL'; content: string } {
  const zone = zoneOf(snapshot);
  const url =
    isCancelled || !hasNoticeLink(snapshot) || publicUrl === null ? '' : noticeLink(publicUrl, snapshot, password);
  const end = new Date(Date.parse(snapshot.startTime) + snapshot.duration * 60_000).toISOString();
  const calendar = ical({
    prodId: { company: 'Rmeet', product: 'Rmeet', language: 'EN' },
    method: isCancelled ? ICalCalendarMethod.CANCEL : ICalCalendarMethod.REQUEST,
  });
  if (zone !== null) calendar.timezone({ name: zone, generator: getVtimezoneComponent });
  const event = calendar.createEvent({
    ...(zone === null ? {} : { timezone: zone }),
    id: `${snapshot.uid}@rmeet`,
    sequence,
    stamp,
    start: clockOf(snapshot.startTime, zone).value,
    end: clockOf(end, zone).value,
    summary: plain(snapshot.subject).replace(/\n+/g, ' '),
    description: plain(description),
    status: isCancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    location: plain([...snapshot.rooms, ...(url === '' ? [] : [url])].join('; ')),
    organizer: { name: parameter(organizer.name), email: organizer.email },
    attendees: [
      {
        name: parameter(attendee.name === '' ? attendee.email : attendee.name),
        email: attendee.email,
        rsvp: !isCancelled,
        role: ICalAttendeeRole.REQ,
        status: ICalAttendeeStatus.NEEDSACTION,
      },
    ],
  });
  if (url !== '') event.url(url);
  if (snapshot.recurrence) {
    const left = [...snapshot.recurrence.except, ...snapshot.recurrence.cancelled].map(
      (time) => `EXDATE${clockOf(time, zone).text}`,
    );
    event.repeating([`RRULE:${snapshot.recurrence.rule}`, ...left].join('\n'));
  }
  if (snapshot.recurrenceId !== null) event.recurrenceId(clockOf(snapshot.recurrenceId, zone).value);
  // The library writes this field in local time, too, although it must be in UTC (RFC 5545 section 3.8.7.2).
  const content = calendar.toString().replace(/^DTSTAMP:.*$/m, `DTSTAMP:${compact(stamp.toISOString())}Z`);
  return { method: isCancelled ? 'CANCEL' : 'REQUEST', content };
}
