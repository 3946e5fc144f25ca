import type { Meeting } from '@rmeet/contract';
import { useLanguage, useTexts } from '../../../lib/i18n/index.ts';
import { readRule } from './rule.ts';
import { ruleWords } from './words.ts';

/** The recurrence of a meeting's series as a sentence; null for a single meeting. */
export function useSeriesWords({ series, timeZone }: Pick<Meeting, 'series' | 'timeZone'>): string | null {
  const t = useTexts('meetings');
  const language = useLanguage();
  if (series === null) return null;
  const rule = readRule(series.rule);
  // The start by the rule, even if this meeting was moved.
  return rule ? ruleWords(rule, { startTime: series.recurrenceId, timeZone }, language, t) : t('series.some');
}
