import { AppError } from '../../../platform/http/index.ts';
import type { MeetingRow } from '../tables.ts';

type Start = Pick<MeetingRow, 'startTime' | 'timeZone'>;

/**
 * A meeting's start in the reader's language, in the meeting's time zone with its name, since the server does not know
 * the reader's.
 */
export function presentStart({ startTime, timeZone }: Start, locale: 'zh' | 'en'): string {
  return new Intl.DateTimeFormat(locale === 'zh' ? 'zh-CN' : 'en-GB', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone,
  }).format(startTime);
}

/** Asks for confirmation to open a meeting before its time; the page shows the time by its own clock. */
export function meetingEarly(meeting: Start, locale: 'zh' | 'en'): AppError {
  return new AppError('MEETING_EARLY', { startTime: presentStart(meeting, locale) }, undefined, {
    startTime: meeting.startTime.toISOString(),
  });
}
