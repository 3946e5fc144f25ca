import type { Participant } from '@rmeet/contract';
import type { useTexts } from '../../lib/i18n/index.ts';
import dayjs from 'dayjs';

export type MeetingTexts = ReturnType<typeof useTexts<'meetings'>>;

/** A nine-digit number in groups of three, as people read it out. */
export function formatNumber(numericId: string): string {
  return numericId.replace(/(\d{3})(?=\d)/g, '$1 ');
}

/** An ISO time in the browser's zone, the same in both languages: `2026-11-20 09:00`. */
export function formatTime(iso: string): string {
  return dayjs(iso).format('YYYY-MM-DD HH:mm');
}

/** Minutes in words. */
export function formatDuration(total: number, t: MeetingTexts): string {
  const hours = Math.floor(total / 60);
  const minutes = total % 60;
  if (hours === 0) return t('minutes', { minutes });
  return minutes === 0 ? t('hours', { hours }) : t('hoursMinutes', { hours, minutes });
}

/** The browser's zone as an offset, for people elsewhere: `GMT+8`. */
export function zoneOf(iso: string): string {
  const parts = new Intl.DateTimeFormat('en', { timeZoneName: 'shortOffset' }).formatToParts(new Date(iso));
  return parts.find((part) => part.type === 'timeZoneName')?.value ?? '';
}

/** What somebody invited is called: a name, else the address or number. */
export function participantName(one: Participant): string {
  if (one.kind === 'mail') return one.email;
  return one.kind === 'phone' && one.name === '' ? one.phone : one.name;
}
