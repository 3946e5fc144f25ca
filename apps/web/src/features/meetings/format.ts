import { CONFERENCE_TEMPLATES, type ConferenceTemplateId } from '@rmeet/conference';
import { lengthWords, type Locale, type Participant } from '@rmeet/contract';
import { language, type useTexts } from '../../lib/i18n/index.ts';
import { clockOf, dayOf, offsetName, offsetOf, ownZone } from '../../lib/rooms/index.ts';

export type MeetingTexts = ReturnType<typeof useTexts<'meetings'>>;

/** A nine-digit number in groups of three, as it is read aloud. */
export function formatNumber(numericId: string): string {
  return numericId.replace(/(\d{3})(?=\d)/g, '$1 ');
}

/** An ISO time in a time zone, by default the browser's; the same in both languages: `2026-11-20 09:00`. */
export function formatTime(iso: string, zone = ownZone()): string {
  const at = Date.parse(iso);
  return `${dayOf(at, zone)} ${clockOf(at, zone)}`;
}

/**
 * A time in the zone it was booked in, if that differs from the local time: `03:00 GMT+1`; with the day if it differs,
 * too.
 */
export function elsewhereTime(iso: string, zone: string): string | null {
  const at = Date.parse(iso);
  const own = ownZone();
  if (zone === own || offsetOf(at, zone) === offsetOf(at, own)) return null;
  const clock = `${clockOf(at, zone)} ${offsetName(at, zone)}`;
  return dayOf(at, zone) === dayOf(at, own) ? clock : `${dayOf(at, zone).slice(5)} ${clock}`;
}

/** Minutes as text, in the current language. */
export function formatDuration(minutes: number): string {
  return lengthWords(minutes, language());
}

/** The browser's zone as an offset, for people in other zones: `GMT+8`. */
export function zoneOf(iso: string): string {
  return offsetName(Date.parse(iso), ownZone());
}

/** The name of a conference template. */
export function templateName(id: ConferenceTemplateId, locale: Locale): string {
  const { name, nameEn } = CONFERENCE_TEMPLATES.find((one) => one.id === id) ?? CONFERENCE_TEMPLATES[0];
  return locale === 'en' ? nameEn : name;
}

/** The name of a participant, or if missing the mail address or number. */
export function participantName(one: Participant): string {
  if (one.kind === 'mail') return one.email;
  return one.kind === 'phone' && one.name === '' ? one.phone : one.name;
}
