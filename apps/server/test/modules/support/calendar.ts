import ICAL from 'ical.js';
import { expect } from 'vitest';
import type { ReceivedMail } from '@rmeet/testkit';

/** The calendar content of a mail. */
interface Told {
  method: string;
  uid: string;
  sequence: number;
  /** RECURRENCE-ID, and the starts, in UTC; twenty at most. */
  recurrenceId: string | undefined;
  starts: string[];
}

/** A mail's calendar parsed by another program. */
export function readCalendar(received: ReceivedMail | undefined): Told {
  ICAL.TimezoneService.reset();
  const root = new ICAL.Component(ICAL.parse(received?.ical?.content ?? '') as unknown[]);
  for (const zone of root.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone);
  const component = root.getFirstSubcomponent('vevent');
  if (!component) throw new Error('There is no event.');
  const event = new ICAL.Event(component);
  const starts: string[] = [];
  const times = event.iterator();
  for (
    let time = event.isRecurring() ? times.next() : event.startDate;
    time && starts.length < 20;
    time = event.isRecurring() ? times.next() : (undefined as never)
  )
    starts.push(time.toJSDate().toISOString());
  expect(component.getFirstPropertyValue('dtstamp')?.toString()).toMatch(/Z$/);
  return {
    method: String(root.getFirstPropertyValue('method')),
    uid: event.uid,
    sequence: event.sequence,
    recurrenceId: event.recurrenceId ? event.recurrenceId.toJSDate().toISOString() : undefined,
    starts,
  };
}
