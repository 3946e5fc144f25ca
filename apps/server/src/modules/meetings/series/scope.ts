import type { SeriesScope } from '@rmeet/contract';
import { AppError } from '../../../platform/http/index.ts';
import { mustBeChangeable } from '../access/access.ts';
import { isToCome } from '../status.ts';
import type { MeetingRow, MeetingSeriesRow } from '../tables.ts';
import type { Recurrence } from './book.ts';
import { planSeries, type Plan, type SeriesMeeting } from './plan.ts';

/** Which meetings of a series a change is for. */
export interface Chosen {
  series: MeetingSeriesRow;
  edited: SeriesMeeting;
  /** Meetings the change is for, in the order of the rule; the edited one is among them. */
  targets: SeriesMeeting[];
  others: SeriesMeeting[];
}

const ofSeries = (rows: readonly MeetingRow[]): SeriesMeeting[] =>
  rows.filter((row): row is SeriesMeeting => row.recurrenceId !== null);

/**
 * The meetings that a change of one of them is for. What runs or has begun stays as it is.
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

/** Where the change begins, if the series has meetings before that; null where it is for all of the series. */
export function beginning({ edited, targets, others }: Chosen, scope: SeriesScope): Date | null {
  const from = scope === 'following' ? edited.recurrenceId : (targets[0] ?? edited).recurrenceId;
  return others.some(({ recurrenceId }) => recurrenceId < from) ? from : null;
}

/** How the series goes on when the edited meeting starts at another time, or the meetings recur by another rule. */
export function planFrom(
  { series, edited, targets, others }: Chosen,
  from: Date | null,
  wish: { startTime: Date; timeZone: string; recurrence: Recurrence | null },
): Plan {
  return planSeries({
    series,
    from,
    targets,
    others: others.filter(({ recurrenceId }) => from === null || recurrenceId >= from),
    edited,
    ...wish,
  });
}
