import type { contract, Data, Occurrence } from '@rmeet/contract';

type Preview = Data<typeof contract.series.preview>;

/**
 * What happens to a day: its meeting is created, unchanged or moved; it is left out manually, cancelled because the
 * rule no longer includes it, or was cancelled individually before and stays so.
 */
type Fate = 'made' | 'stays' | 'moved' | 'leftOut' | 'givenUp' | 'staysOut';

export interface Outcome {
  /** By the rule; for a cancelled meeting its current start. */
  startTime: string;
  fate: Fate;
  /** The rule's occurrence on that day; null if there is none. */
  occurrence: Occurrence | null;
  /** The existing meeting was changed individually. */
  detached: boolean;
}

function fateOf({ meeting, startTime, endTime }: Occurrence): Fate {
  if (meeting === null) return 'made';
  const isThen =
    meeting.startTime === startTime && meeting.duration * 60_000 === Date.parse(endTime) - Date.parse(startTime);
  return isThen ? 'stays' : 'moved';
}

/** The result of a rule for each day, in chronological order. */
export function outcomesOf({ occurrences, dropped, stayOut }: Preview, except: readonly string[]): Outcome[] {
  const ruled = occurrences.map((occurrence) => ({
    startTime: occurrence.startTime,
    occurrence,
    detached: occurrence.meeting?.detached ?? false,
    fate: except.includes(occurrence.startTime) ? ('leftOut' as const) : fateOf(occurrence),
  }));
  const givenUp = dropped.map(({ startTime, detached }) => ({
    startTime,
    fate: 'givenUp' as const,
    occurrence: null,
    detached,
  }));
  const off = stayOut.map((startTime) => ({ startTime, fate: 'staysOut' as const, occurrence: null, detached: false }));
  return [...ruled, ...givenUp, ...off].toSorted((one, other) => one.startTime.localeCompare(other.startTime));
}

/** The number of meetings that are created, unchanged, moved and cancelled. */
export function countFates(outcomes: readonly Outcome[]): Record<'made' | 'stays' | 'moved' | 'givenUp', number> {
  const count = (of: (one: Outcome) => boolean) => outcomes.filter(of).length;
  return {
    made: count(({ fate }) => fate === 'made'),
    stays: count(({ fate }) => fate === 'stays'),
    moved: count(({ fate }) => fate === 'moved'),
    // A day left out manually is cancelled if it has a meeting.
    givenUp: count(
      ({ fate, occurrence }) => fate === 'givenUp' || (fate === 'leftOut' && (occurrence?.meeting ?? null) !== null),
    ),
  };
}

/** Whether a planned meeting cannot have all its rooms. */
export function isBlocked({ fate, occurrence }: Outcome): boolean {
  return (
    fate !== 'leftOut' && occurrence !== null && (occurrence.roomsTaken.length > 0 || occurrence.roomsClosed.length > 0)
  );
}
