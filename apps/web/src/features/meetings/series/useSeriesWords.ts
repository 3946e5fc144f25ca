import type { Meeting } from '@rmeet/contract';
import { useLanguage, useTexts } from '../../../lib/i18n/index.ts';
import { readRule } from './rule.ts';
import { ruleWords } from './words.ts';

/** What the series of a meeting does, in a sentence; null for a meeting of its own. */
export function useSeriesWords({ series, timeZone }: Pick<Meeting, 'series' | 'timeZone'>): string | null {
  const t = useTexts('meetings');
  const language = useLanguage();
  if (series === null) return null;
  const rule = readRule(series.rule);
  // Where the rule has it start, also if this one was moved.
  return rule ? ruleWords(rule, { startTime: series.recurrenceId, timeZone }, language, t) : t('series.some');
}
