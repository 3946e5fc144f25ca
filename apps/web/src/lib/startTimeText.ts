import type { Locale } from '@rmeet/contract';

const DAY = 86_400_000;

/** Whole days between two days in the browser's time zone. */
function daysUntil(start: Date, now: Date): number {
  const midnight = (time: Date): number => Date.UTC(time.getFullYear(), time.getMonth(), time.getDate());
  return (midnight(start) - midnight(now)) / DAY;
}

/** The start of a meeting as text: `tomorrow, 10:00`, later than that `Mon, 30 November, 10:00`. */
export function startTimeText(start: Date, now: Date, locale: Locale): string {
  const tag = locale === 'zh' ? 'zh-CN' : 'en-GB';
  const days = daysUntil(start, now);
  const year = start.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' as const };
  const day =
    days === 0 || days === 1
      ? new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }).format(days, 'day')
      : new Intl.DateTimeFormat(tag, { weekday: 'short', day: 'numeric', month: 'long', ...year }).format(start);
  const time = new Intl.DateTimeFormat(tag, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(start);
  return locale === 'zh' ? `${day} ${time}` : `${day}, ${time}`;
}
