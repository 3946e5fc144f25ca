import type { Locale } from '@rmeet/contract';

const FREQUENCIES: Record<string, Record<Locale, [every: string, unit: string]>> = {
  DAILY: { zh: ['每天', '天'], en: ['Every day', 'days'] },
  WEEKLY: { zh: ['每周', '周'], en: ['Every week', 'weeks'] },
  MONTHLY: { zh: ['每月', '个月'], en: ['Every month', 'months'] },
  YEARLY: { zh: ['每年', '年'], en: ['Every year', 'years'] },
};
const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/** A Monday, to name the days of the week by. */
const MONDAY = Date.UTC(2026, 0, 5);

function dayNames(days: readonly string[], locale: Locale): string {
  const format = new Intl.DateTimeFormat(locale === 'zh' ? 'zh-CN' : 'en-GB', { weekday: 'short', timeZone: 'UTC' });
  return days
    .map((day) => format.format(MONDAY + WEEKDAYS.indexOf(day) * 86_400_000))
    .join(locale === 'zh' ? '、' : ', ');
}

/** The end of a rule, ` until ...` or ` ... times`; empty if it has none. */
function endText(parts: ReadonlyMap<string, string>, timeZone: string, locale: Locale): string {
  const zh = locale === 'zh';
  const count = parts.get('COUNT');
  const countText = count === undefined ? '' : zh ? `，共 ${count} 次` : `, ${count} times`;
  const until = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(parts.get('UNTIL') ?? '');
  if (!until) return countText;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = until.slice(1).map(Number);
  const last = new Intl.DateTimeFormat(zh ? 'zh-CN' : 'en-GB', {
    timeZone,
    year: 'numeric',
    month: zh ? 'numeric' : 'short',
    day: 'numeric',
  }).format(Date.UTC(year, month - 1, day, hour, minute));
  return countText + (zh ? `，至 ${last}` : `, until ${last}`);
}

/**
 * A rule of RFC 5545 in words: how often, on which days of the week, and until when. Finer details are only in the
 * calendar file.
 */
export function repeatsText(rule: string, timeZone: string, locale: Locale): string {
  const parts = new Map(
    rule
      .toUpperCase()
      .split(';')
      .map((part) => part.split('=') as [string, string]),
  );
  const [every, unit] = FREQUENCIES[parts.get('FREQ') ?? '']?.[locale] ?? [rule, ''];
  const interval = Number(parts.get('INTERVAL') ?? 1);
  const zh = locale === 'zh';
  const days = (parts.get('BYDAY') ?? '').split(',').filter((day) => WEEKDAYS.includes(day));
  const frequency = interval > 1 ? (zh ? `每 ${interval} ${unit}` : `Every ${interval} ${unit}`) : every;
  const daysText = days.length === 0 ? '' : (zh ? ' ' : ' on ') + dayNames(days, locale);
  return frequency + daysText + endText(parts, timeZone, locale);
}
