import { MEETING_TYPES } from '@rmeet/contract';
import dayjs from 'dayjs';
import { oneOf, withoutEmpty, type ListState } from '../../lib/listState.ts';

/** A day in the form used in the URL: `2026-11-20`; any other value does not filter. */
const day = (raw: string): string => (/^\d{4}-\d{2}-\d{2}$/.test(raw) && dayjs(raw).isValid() ? raw : '');

/** Only meetings with a conference have a record; live broadcasts cannot be booked. */
export const HELD_TYPES = MEETING_TYPES.filter((type) => type !== 'LOCAL_MEETING');

export const listShape = {
  filters: { type: oneOf(['', ...HELD_TYPES], ''), from: day, to: day },
  sorts: ['startedAt', 'duration'],
  order: () => 'DESC' as const,
} as const;
export type HistoryState = ListState<typeof listShape>;

/** The request's filter: whole days in the reader's time zone. */
export function queryOf({ keyword, type, from, to, sort, order, current, size }: HistoryState) {
  return {
    sort,
    order,
    current,
    size,
    ...withoutEmpty({ keyword, type }),
    ...(from === '' ? {} : { from: dayjs(from).startOf('day').toISOString() }),
    ...(to === '' ? {} : { until: dayjs(to).add(1, 'day').startOf('day').toISOString() }),
  };
}
