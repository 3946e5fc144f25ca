import ical, { ICalAttendeeRole, ICalAttendeeStatus, ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import { linksOf } from '../meetings/index.ts';
import type { Facts } from './facts.ts';

interface Invite {
  facts: Facts;
  sequence: number;
  /** When this was written down. */
  stamp: Date;
  password: string;
  isCancelled: boolean;
  /** The event's text. */
  description: string;
  organizer: { name: string; email: string };
  attendee: { name: string; email: string };
}

/** What no text of iCalendar may hold (RFC 5545 section 3.3.11): control characters, but for the breaks of lines and tabs. */
// oxlint-disable-next-line no-control-regex -- these are what is taken out
const CONTROL = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/g;
const plain = (text: string): string => text.replace(/\r\n?/g, '\n').replace(CONTROL, '');
/** A name as a parameter: quoted there, so without quotes of its own (RFC 5545 section 3.2). */
const parameter = (text: string): string => plain(text).replace(/["\n]/g, ' ').trim();

/**
 * An invitation or its taking back for one recipient (RFC 5545, RFC 5546). Calendars know the meeting again by its UID and
 * follow the highest SEQUENCE. Nobody else's address is in it but the host's.
 */
export function calendarOf({ facts, sequence, stamp, password, isCancelled, description, organizer, attendee }: Invite): { method: 'REQUEST' | 'CANCEL'; content: string } {
  const start = new Date(facts.startTime);
  const { url } = linksOf(facts.origin, facts.number, password).config;
  const calendar = ical({ prodId: { company: 'Rmeet', product: 'Rmeet', language: 'EN' }, method: isCancelled ? ICalCalendarMethod.CANCEL : ICalCalendarMethod.REQUEST });
  const event = calendar.createEvent({
    id: `${facts.uid}@rmeet`, sequence, stamp, start, end: new Date(start.getTime() + facts.duration * 60_000),
    summary: plain(facts.subject).replace(/\n+/g, ' '), description: plain(description), status: isCancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    location: plain([...facts.rooms, ...(isCancelled ? [] : [url])].join('; ')),
    organizer: { name: parameter(organizer.name), email: organizer.email },
    attendees: [{ name: parameter(attendee.name === '' ? attendee.email : attendee.name), email: attendee.email, rsvp: !isCancelled, role: ICalAttendeeRole.REQ, status: ICalAttendeeStatus.NEEDSACTION }],
  });
  if (!isCancelled) event.url(url);
  return { method: isCancelled ? 'CANCEL' : 'REQUEST', content: calendar.toString() };
}
