import { ENGINE_ACK, type LoggedCommand } from '@rmeet/contract';
import { LATE_AFTER } from './rows.ts';

/** How a command was answered. Times in ms. */
export interface Answers {
  /** Terminals that must obey, and how many have answered. */
  concerned: number;
  answered: number;
  /** The slowest answer; null before the first. */
  slowest: number | null;
  /** How long the media engine took; null before it has answered. */
  engine: number | null;
  failures: readonly { termId: string; failed: string }[];
}

export function answersTo({ concerned, acknowledgements }: LoggedCommand): Answers {
  const engine = acknowledgements.find(({ termId }) => termId === ENGINE_ACK);
  const answers = acknowledgements.filter(({ termId }) => termId !== ENGINE_ACK);
  const answered = new Set(answers.map(({ termId }) => termId));
  return {
    concerned: concerned.length,
    answered: concerned.filter((termId) => answered.has(termId)).length,
    slowest: answers.length === 0 ? null : Math.max(...answers.map(({ latency }) => latency)),
    engine: engine?.latency ?? null,
    failures: acknowledgements.flatMap(({ termId, failed }) => (failed === null ? [] : [{ termId, failed }])),
  };
}

/**
 * Terminals that owe an answer for more than LATE_AFTER. `age`: ms since the command was seen; `isInside`: nobody waits
 * for those who left.
 */
export function lateOf(
  { concerned, acknowledgements }: LoggedCommand,
  age: number,
  isInside: (termId: string) => boolean,
): readonly string[] {
  // All of them and the engine: the most frequent case.
  if (age <= LATE_AFTER || acknowledgements.length > concerned.length) return [];
  const answered = new Set(acknowledgements.map(({ termId }) => termId));
  return concerned.filter((termId) => !answered.has(termId) && isInside(termId));
}

/** How long terminals were interrupted by a move, ms, and who is not back yet. */
interface Interruption {
  back: number;
  missing: string[];
  median: number | null;
  p95: number | null;
  worst: number | null;
}

/** The value below which this share of them lies (nearest rank). */
function rank(sorted: readonly number[], share: number): number | null {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
}

/**
 * How terminals came over in a move, of those it concerned. A gap is the longest time without any medium, ms
 * (`ack.gap`).
 */
export function interruptionOf(
  concerned: readonly string[],
  acks: readonly { termId: string; failed: string | null; gap?: number | undefined }[],
): Interruption {
  const asked = new Set(concerned);
  const back = acks.filter(({ termId, failed }) => failed === null && asked.has(termId));
  const gaps = back.flatMap(({ gap }) => gap ?? []).toSorted((a, b) => a - b);
  const ids = new Set(back.map(({ termId }) => termId));
  return {
    back: ids.size,
    missing: concerned.filter((termId) => !ids.has(termId)),
    median: rank(gaps, 0.5),
    p95: rank(gaps, 0.95),
    worst: gaps.at(-1) ?? null,
  };
}

/** Comings and goings are commands of the server's; a chair looks for what people did. */
export function isByPeople({ verb }: LoggedCommand): boolean {
  return verb !== 'arrive' && verb !== 'depart';
}

/** The newest command of people that can be taken back; null for none. */
export function lastUndoable(commands: readonly LoggedCommand[]): LoggedCommand | null {
  return commands.find((command) => command.canUndo && command.undoneBy === null && isByPeople(command)) ?? null;
}
