import type { contract, Data, Occurrence } from '@rmeet/contract';

type Preview = Data<typeof contract.series.preview>;

/**
 * What becomes of a day: its meeting is made, goes on as it is, or at another time; it is left out by hand, given up
 * since the rule has no place for it, or has been off by itself before and stays so.
 */
type Fate = 'made' | 'stays' | 'moved' | 'leftOut' | 'givenUp' | 'staysOut';

export interface Outcome {
  /** By the rule; of what is given up, as it is. */
  startTime: string;
  fate: Fate;
  /** What the rule has then; null where it has nothing. */
  occurrence: Occurrence | null;
  /** There is a meeting now, which was changed by itself. */
  detached: boolean;
}

function fateOf({ meeting, startTime, endTime }: Occurrence): Fate {
  if (meeting === null) return 'made';
  const isThen =
    meeting.startTime === startTime && meeting.duration * 60_000 === Date.parse(endTime) - Date.parse(startTime);
  return isThen ? 'stays' : 'moved';
}

/** What a rule makes of each day, in the order of time. */
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

/** How many meetings are made, go on, are moved and are given up. */
export function countFates(outcomes: readonly Outcome[]): Record<'made' | 'stays' | 'moved' | 'givenUp', number> {
  const count = (of: (one: Outcome) => boolean) => outcomes.filter(of).length;
  return {
    made: count(({ fate }) => fate === 'made'),
    stays: count(({ fate }) => fate === 'stays'),
    moved: count(({ fate }) => fate === 'moved'),
    // What is left out by hand is given up where there is a meeting.
    givenUp: count(
      ({ fate, occurrence }) => fate === 'givenUp' || (fate === 'leftOut' && (occurrence?.meeting ?? null) !== null),
    ),
  };
}

/** Whether a meeting is to be that cannot have all its rooms. */
export function isBlocked({ fate, occurrence }: Outcome): boolean {
  return (
    fate !== 'leftOut' && occurrence !== null && (occurrence.roomsTaken.length > 0 || occurrence.roomsClosed.length > 0)
  );
}
