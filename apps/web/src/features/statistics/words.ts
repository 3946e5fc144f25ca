import {
  type Locale,
  type Measure,
  type StatisticDimension,
  type StatisticPart,
  type StatisticUnit,
} from '@rmeet/contract';
import { useLanguage, useTexts } from '../../lib/i18n/index.ts';
import { sizeWords } from '../../lib/sizeWords.ts';

type T = ReturnType<typeof useTexts<'statistics'>>;
/** For keys sent by the server: a missing text falls back to the key itself. */
type LooseT = (key: string, options: { defaultValue: string }) => string;

const BYTES: ReadonlySet<Measure> = new Set(['recordedBytes', 'storageBytes']);
/** Dimensions whose keys the page has words for. */
const WORDED: ReadonlySet<StatisticDimension> = new Set(['type', 'cause', 'device', 'method', 'storage']);

/** A value for readers; a dash if it is not known. */
export function valueWords(measure: Measure, value: number | null | undefined, language: Locale, none: string): string {
  if (value === null || value === undefined) return none;
  return BYTES.has(measure) ? sizeWords(value) : value.toLocaleString(language);
}

/** The change since the period before: `+12.5%`; null if there is nothing to compare with. */
export function changeWords(now: number | null, before: number | null, language: Locale): string | null {
  if (now === null || before === null || before === 0) return null;
  return ((now - before) / before).toLocaleString(language, {
    style: 'percent',
    maximumFractionDigits: 1,
    signDisplay: 'exceptZero',
  });
}

/** The name of a part. */
function partWords(dimension: StatisticDimension, { key, name }: StatisticPart, t: T): string {
  if (name !== '') return name;
  if (dimension === 'department' || dimension === 'qualityDepartment') {
    if (key === '/') return t('noDepartment');
    return key.endsWith('/') ? t('directlyIn', { department: key.slice(0, -1) }) : key;
  }
  if (dimension === 'network') return key === '' ? t('noNetwork') : key;
  if (!WORDED.has(dimension)) return key;
  return (t as unknown as LooseT)(`part.${dimension}.${key}`, { defaultValue: key });
}

/** Texts for measures and values. */
export function useStatisticWords() {
  const t = useTexts('statistics');
  const common = useTexts('common');
  const language = useLanguage();
  return {
    measure: (measure: Measure) => t(`measure.${measure}`),
    value: (measure: Measure, value: number | null | undefined) =>
      valueWords(measure, value, language, common('empty')),
    change: (now: number | null, before: number | null) => changeWords(now, before, language),
    part: (dimension: StatisticDimension, part: StatisticPart) => partWords(dimension, part, t),
    bucket: (unit: StatisticUnit, start: string) =>
      unit === 'month' ? start.slice(0, 7) : unit === 'week' ? t('weekFrom', { day: start }) : start,
  };
}
