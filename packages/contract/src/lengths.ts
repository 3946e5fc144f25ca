import type { Locale } from './constants.ts';

/**
 * A duration in words, the same in lists, messages and mails: `45 min`, `1 h 30 min`, `1 小时 30 分`. In whole minutes.
 */
export function lengthWords(total: number, locale: Locale): string {
  const [hours, minutes] = [Math.floor(total / 60), total % 60];
  const isZh = locale === 'zh';
  if (hours === 0) return isZh ? `${minutes} 分钟` : `${minutes} min`;
  const ofHours = isZh ? `${hours} 小时` : `${hours} h`;
  return minutes === 0 ? ofHours : `${ofHours} ${minutes} ${isZh ? '分' : 'min'}`;
}
