import { MEASURES, MEETING_TYPES, STATISTIC_DIMENSIONS, STATISTIC_UNITS, type Measure } from '@rmeet/contract';
import dayjs from 'dayjs';
import { oneOf, shortText, type ListState } from '../../lib/listState.ts';
import { GROUP_NAMES, GROUPS, type GroupName } from './groups.ts';

export const DAY = 'YYYY-MM-DD';
/** Periods of more days are shown by month at first, of more than a month by week. */
const LONG = 190;
const MEDIUM = 62;

/** A day in the form used in the URL: `2026-11-20`; any other value is the default. */
const day = (raw: string): string => (/^\d{4}-\d{2}-\d{2}$/.test(raw) && dayjs(raw).isValid() ? raw : '');

/** All state of the page, which is in the URL. */
export const SHAPE = {
  filters: {
    tenant: shortText(60),
    from: day,
    to: day,
    unit: oneOf<(typeof STATISTIC_UNITS)[number] | ''>(STATISTIC_UNITS, ''),
    department: shortText(300),
    type: oneOf<(typeof MEETING_TYPES)[number] | ''>(MEETING_TYPES, ''),
    group: oneOf<GroupName>(GROUP_NAMES, 'meetings'),
    measure: oneOf<Measure | ''>(MEASURES, ''),
    by: oneOf<(typeof STATISTIC_DIMENSIONS)[number] | ''>(STATISTIC_DIMENSIONS, ''),
    view: oneOf<'chart' | 'table'>(['chart', 'table'], 'chart'),
  },
  sorts: ['startedAt', 'minutes'],
  order: () => 'DESC' as const,
} as const;
export type StatisticsState = ListState<typeof SHAPE>;

/** The period of the state; this month if it names none, and in order. */
export function periodOf({ from, to }: Pick<StatisticsState, 'from' | 'to'>): { from: string; to: string } {
  const first = from === '' ? dayjs().startOf('month').format(DAY) : from;
  const last = to === '' ? dayjs(first).endOf('month').format(DAY) : to;
  return last < first ? { from: last, to: first } : { from: first, to: last };
}

/** What all calls of the page ask about. */
export function cutOf(state: StatisticsState) {
  const { tenant, department, type } = state;
  return {
    ...periodOf(state),
    ...(tenant === '' ? {} : { tenantId: tenant }),
    ...(department === '' ? {} : { department }),
    ...(type === '' ? {} : { type }),
  };
}

/** The chosen unit, or one with a readable number of values. */
export function unitOf(state: StatisticsState): (typeof STATISTIC_UNITS)[number] {
  if (state.unit !== '') return state.unit;
  const { from, to } = periodOf(state);
  const days = dayjs(to).diff(from, 'day');
  return days > LONG ? 'month' : days > MEDIUM ? 'week' : 'day';
}

/** The measure that is drawn: the chosen one if it belongs to the group. */
export function measureOf({ group, measure }: Pick<StatisticsState, 'group' | 'measure'>): Measure {
  const own: readonly Measure[] = GROUPS[group].measures;
  return own.find((known) => known === measure) ?? GROUPS[group].measures[0];
}

/** The dimension of the breakdown: the chosen one if the group has it. */
export function dimensionOf({ group, by }: Pick<StatisticsState, 'group' | 'by'>) {
  const own: readonly (typeof STATISTIC_DIMENSIONS)[number][] = GROUPS[group].dimensions;
  return own.find((known) => known === by) ?? GROUPS[group].dimensions[0];
}
