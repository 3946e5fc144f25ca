import { ENGINE_ACK, type LoggedCommand } from '@rmeet/contract';
import { LATE_AFTER } from './rows.ts';

/** How a command was acknowledged. Times in ms. */
export interface Answers {
  /** Number of terminals that must obey, and of those that have acknowledged. */
  affected: number;
  answered: number;
  /** The slowest acknowledgement; null before the first. */
  slowest: number | null;
  /** How long the media engine took; null before it has acknowledged. */
  engine: number | null;
  failures: readonly { termId: string; failed: string }[];
}

export function answersTo({ affected, acknowledgements }: LoggedCommand): Answers {
  const engine = acknowledgements.find(({ termId }) => termId === ENGINE_ACK);
  const answers = acknowledgements.filter(({ termId }) => termId !== ENGINE_ACK);
  const answered = new Set(answers.map(({ termId }) => termId));
  return {
    affected: affected.length,
    answered: affected.filter((termId) => answered.has(termId)).length,
    slowest: answers.length === 0 ? null : Math.max(...answers.map(({ latency }) => latency)),
    engine: engine?.latency ?? null,
    failures: acknowledgements.flatMap(({ termId, failed }) => (failed === null ? [] : [{ termId, failed }])),
  };
}

/**
 * Terminals whose acknowledgement is overdue by more than LATE_AFTER. `age`: ms since the command was seen; `isInside`:
 * terminals that have left are not waited for.
 */
export function lateOf(
  { affected, acknowledgements }: LoggedCommand,
  age: number,
  isInside: (termId: string) => boolean,
): readonly string[] {
  // All terminals and the engine have acknowledged: the most frequent case.
  if (age <= LATE_AFTER || acknowledgements.length > affected.length) return [];
  const answered = new Set(acknowledgements.map(({ termId }) => termId));
  return affected.filter((termId) => !answered.has(termId) && isInside(termId));
}

/** How long a move interrupted the terminals, ms, and which are not back yet. */
interface Interruption {
  back: number;
  missing: string[];
  median: number | null;
  p95: number | null;
  worst: number | null;
}

/** The percentile `share` of sorted values (nearest rank). */
function rank(sorted: readonly number[], share: number): number | null {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
}

/** How a move interrupted the terminals affected. A gap is the longest time without any media, ms (`ack.gap`). */
export function interruptionOf(
  affected: readonly string[],
  acks: readonly { termId: string; failed: string | null; gap?: number | undefined }[],
): Interruption {
  const asked = new Set(affected);
  const back = acks.filter(({ termId, failed }) => failed === null && asked.has(termId));
  const gaps = back.flatMap(({ gap }) => gap ?? []).toSorted((a, b) => a - b);
  const ids = new Set(back.map(({ termId }) => termId));
  return {
    back: ids.size,
    missing: affected.filter((termId) => !ids.has(termId)),
    median: rank(gaps, 0.5),
    p95: rank(gaps, 0.95),
    worst: gaps.at(-1) ?? null,
  };
}

/** Joins and leaves are commands of the server; a chair looks for what people did. */
export function isByPeople({ verb }: LoggedCommand): boolean {
  return verb !== 'arrive' && verb !== 'depart';
}

/** The newest command given by a person that can be undone; null if there is none. */
export function lastUndoable(commands: readonly LoggedCommand[]): LoggedCommand | null {
  return commands.find((command) => command.canUndo && command.undoneBy === null && isByPeople(command)) ?? null;
}
