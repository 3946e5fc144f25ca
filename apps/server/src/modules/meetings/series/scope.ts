import type { SeriesScope } from '@rmeet/contract';
import { AppError } from '../../../platform/http/index.ts';
import { mustBeChangeable } from '../access/access.ts';
import { isToCome } from '../status.ts';
import type { MeetingRow, MeetingSeriesRow } from '../tables.ts';
import type { Recurrence } from './book.ts';
import { planSeries, type Plan, type SeriesMeeting } from './plan.ts';

/** The meetings of a series that a change applies to. */
export interface Chosen {
  series: MeetingSeriesRow;
  edited: SeriesMeeting;
  /** Meetings that are changed, in the order of the rule, including the edited one. */
  targets: SeriesMeeting[];
  others: SeriesMeeting[];
}

const ofSeries = (rows: readonly MeetingRow[]): SeriesMeeting[] =>
  rows.filter((row): row is SeriesMeeting => row.recurrenceId !== null);

/**
 * The meetings that a change of one of them applies to. Those that run or have begun stay unchanged.
 *
 * @param rows all meetings of the series, in the order of the rule
 * @throws AppError MEETING_CONFLICT, MEETING_RUNNING, MEETING_ENDED
 */
export function chosenBy(
  series: MeetingSeriesRow,
  rows: readonly MeetingRow[],
  id: string,
  scope: SeriesScope,
  now: Date,
): Chosen {
  const all = ofSeries(rows);
  const edited = all.find((row) => row.id === id && row.cancelledAt === null);
  if (!edited) throw new AppError('MEETING_CONFLICT');
  mustBeChangeable(edited, now);
  const isTarget = (row: SeriesMeeting): boolean =>
    row.id === id ||
    (isToCome(row, now) && row.startTime > now && (scope === 'all' || row.recurrenceId >= edited.recurrenceId));
  return { series, edited, targets: all.filter(isTarget), others: all.filter((row) => !isTarget(row)) };
}

/** Where the change begins, if the series has earlier meetings; null for all of the series. */
export function beginning({ edited, targets, others }: Chosen, scope: SeriesScope): Date | null {
  const from = scope === 'following' ? edited.recurrenceId : (targets[0] ?? edited).recurrenceId;
  return others.some(({ recurrenceId }) => recurrenceId < from) ? from : null;
}

/** How the series continues if the edited meeting starts at another time, or the rule changes. */
export function planFrom(
  { series, edited, targets, others }: Chosen,
  from: Date | null,
  request: { startTime: Date; timeZone: string; recurrence: Recurrence | null },
): Plan {
  return planSeries({
    series,
    from,
    targets,
    others: others.filter(({ recurrenceId }) => from === null || recurrenceId >= from),
    edited,
    ...request,
  });
}
