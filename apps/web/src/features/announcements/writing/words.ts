import { localName, type Announcement, type Locale } from '@rmeet/contract';
import { system } from '../../../lib/browser.ts';
import type { useTexts } from '../../../lib/i18n/index.ts';
import { formatTime } from '../../../lib/time.ts';

type Texts = ReturnType<typeof useTexts<'writing'>>;

/** Whom an announcement is for, in one line. */
export function audienceOf(
  { wholeTenant, departments, roles, accounts }: Announcement['aimedAt'],
  t: Texts,
  language: Locale,
): string {
  if (wholeTenant) return t(system === 'admin' ? 'wholePlatform' : 'wholeTenant');
  const names = [
    ...departments,
    ...roles.map((role) => localName(role, language)),
    ...accounts.map(({ name }) => name),
  ];
  return names.join(t('comma'));
}

/** When an announcement is shown, in one line. */
export function timesOf({ from, until }: Pick<Announcement, 'from' | 'until'>, t: Texts): string {
  if (from === null && until === null) return t('times.always');
  if (from === null) return t('times.until', { until: formatTime(until) });
  return until === null
    ? t('times.from', { from: formatTime(from) })
    : t('times.both', { from: formatTime(from), until: formatTime(until) });
}
