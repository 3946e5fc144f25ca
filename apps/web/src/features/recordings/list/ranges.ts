import dayjs from 'dayjs';

/** How days are written in the URL. */
export const DAY = 'YYYY-MM-DD';

/** Two days, the last one included; empty: without a limit. */
export interface Range {
  from: string;
  to: string;
}

/** Days of a range that ends today. */
const LENGTHS = { today: 1, week: 7, month: 30 } as const;
export const RANGES = ['today', 'week', 'month'] as const;
export type RangeName = (typeof RANGES)[number];

/** The range that a name stands for today. */
export function rangeOf(name: RangeName): Range {
  const today = dayjs();
  return { from: today.subtract(LENGTHS[name] - 1, 'day').format(DAY), to: today.format(DAY) };
}

/** The name of a range, if it has one today; empty: without limits. */
export function nameOfRange({ from, to }: Range): RangeName | '' | 'other' {
  if (from === '' && to === '') return '';
  return (
    RANGES.find((name) => {
      const range = rangeOf(name);
      return range.from === from && range.to === to;
    }) ?? 'other'
  );
}
