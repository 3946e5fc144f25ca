import { MEETING_TYPES, RECORDING_FILTERS, RECORDING_STATES } from '@rmeet/contract';
import dayjs from 'dayjs';
import { oneOf, withoutEmpty, type ListState } from '../../../lib/listState.ts';

/** A day in the form used in the URL: `2026-11-20`; any other value does not filter. */
const day = (raw: string): string => (/^\d{4}-\d{2}-\d{2}$/.test(raw) && dayjs(raw).isValid() ? raw : '');

/** Types of meetings that have a conference to record. */
export const RECORDED_TYPES = MEETING_TYPES.filter((type) => type !== 'LOCAL_MEETING');

export const listShape = {
  filters: {
    filter: oneOf(RECORDING_FILTERS, 'all'),
    state: oneOf(['', ...RECORDING_STATES], ''),
    type: oneOf(['', ...RECORDED_TYPES], ''),
    from: day,
    to: day,
  },
  sorts: ['startTime', 'duration', 'bytes', 'subject'],
  order: () => 'DESC' as const,
} as const;
export type RecordingsState = ListState<typeof listShape>;

/** The request's filter: whole days in the reader's time zone. */
export function queryOf({ keyword, filter, state, type, from, to, sort, order, current, size }: RecordingsState) {
  return {
    filter,
    sort,
    order: order === 'ASC' ? ('asc' as const) : ('desc' as const),
    current,
    size,
    ...withoutEmpty({ keyword, state, type }),
    ...(from === '' ? {} : { from: dayjs(from).startOf('day').toISOString() }),
    ...(to === '' ? {} : { to: dayjs(to).add(1, 'day').startOf('day').toISOString() }),
  };
}
