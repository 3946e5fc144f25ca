import type { Meeting } from '@rmeet/contract';
import { useLanguage, useTexts } from '../../../lib/i18n/index.ts';
import { clockOf, dayOf, ownZone, type Interval } from '../../../lib/rooms/index.ts';
import type { IconName } from '../../../ui/icons.tsx';
import type { CalendarView } from './viewState.ts';
import './texts.ts';

/** A type has an icon in addition to its colour. */
export const TYPE_ICONS = {
  NETWORK_MEETING: 'globe',
  VIDEO_MEETING: 'video',
  LIVE_MEETING: 'live',
  PHONE_MEETING: 'phone',
  LOCAL_MEETING: 'room',
} as const satisfies Record<Meeting['type'], IconName>;

/** Noon of a day in UTC, for formats that use UTC. */
function noon(day: string): number {
  return Date.parse(`${day}T12:00:00Z`);
}

/** The calendar's texts in the current language. */
// oxlint-disable-next-line max-lines-per-function -- one flat list of texts
export function useCalendarWords() {
  const t = useTexts('calendar');
  const meetings = useTexts('meetings');
  const language = useLanguage();
  const zone = ownZone();
  const locale = language === 'zh' ? 'zh-CN' : 'en-US';
  const format = (options: Intl.DateTimeFormatOptions) => {
    const made = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options });
    return (day: string) => made.format(noon(day));
  };
  const longDay = format({ weekday: 'long', day: 'numeric', month: 'long' });
  const fullDay = format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
  const shortDay = format({ day: 'numeric', month: 'long' });
  const dayYear = format({ day: 'numeric', month: 'long', year: 'numeric' });
  const month = format({ month: 'long', year: 'numeric' });

  /** `09:00–10:00`; with the end's day if it is a different one. */
  const times = ({ start, end }: Interval) => {
    const until = clockOf(end, zone);
    const isOtherDay = dayOf(end - 1, zone) !== dayOf(start, zone);
    return isOtherDay
      ? t('times.otherDay', { from: clockOf(start, zone), until, day: shortDay(dayOf(end, zone)) })
      : t('times.sameDay', { from: clockOf(start, zone), until });
  };
  const when = (interval: Interval) =>
    t('times.day', { day: longDay(dayOf(interval.start, zone)), times: times(interval) });
  const status = ({ status: name, terminalCount, approval }: Meeting) =>
    [
      meetings(`status.${name}`),
      ...(terminalCount > 0 ? [meetings('inMeeting', { count: terminalCount })] : []),
      ...(approval === 'waiting' || approval === 'refused' ? [t(`approval.${approval}`)] : []),
    ].join(', ');
  return {
    t,
    times,
    when,
    status,
    longDay,
    fullDay,
    weekday: format({ weekday: 'short' }),
    dayNumber: (day: string) => String(Number(day.slice(8))),
    type: ({ type }: Meeting) => meetings(`type.${type}`),
    entry: (meeting: Meeting, interval: Interval) =>
      t('entry', {
        subject: meeting.subject,
        when: when(interval),
        type: meetings(`type.${meeting.type}`),
        status: status(meeting),
        host: meeting.host.name,
      }),
    /** The part of {@link entry} that is not visible. */
    rest: (meeting: Meeting, interval: Interval) =>
      t('rest', {
        when: when(interval),
        type: meetings(`type.${meeting.type}`),
        status: status(meeting),
        host: meeting.host.name,
      }),
    title: (view: CalendarView, days: readonly string[], day: string) => {
      if (view === 'month') return month(day);
      if (view === 'day') return fullDay(day);
      const [first = day] = days;
      const last = days.at(-1) ?? day;
      return t('times.days', {
        from: first.slice(0, 4) === last.slice(0, 4) ? shortDay(first) : dayYear(first),
        until: dayYear(last),
      });
    },
  };
}

export type CalendarWords = ReturnType<typeof useCalendarWords>;
