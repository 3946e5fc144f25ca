import type { Locale } from './constants.ts';

/**
 * When a meeting is, in the time zone it was booked in, the same in mails and in copied invitations: `Fri, 20 Nov 2026
 * 17:00–18:00 (Asia/Shanghai, GMT+08:00)`.
 */
export function timeWords(
  { startTime, duration, timeZone }: { startTime: string; duration: number; timeZone: string },
  locale: Locale,
): string {
  const tag = locale === 'zh' ? 'zh-CN' : 'en-GB';
  const [start, end] = [new Date(startTime), new Date(Date.parse(startTime) + duration * 60_000)];
  const day = new Intl.DateTimeFormat(tag, {
    timeZone,
    year: 'numeric',
    month: locale === 'zh' ? 'numeric' : 'short',
    day: 'numeric',
    weekday: 'short',
  });
  const clock = new Intl.DateTimeFormat(tag, { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const offset =
    new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'longOffset' })
      .formatToParts(start)
      .find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return (
    `${day.format(start)} ${clock.format(start)}–${clock.format(end)} ` +
    `(${timeZone}${timeZone === 'UTC' ? '' : `, ${offset}`})`
  );
}
