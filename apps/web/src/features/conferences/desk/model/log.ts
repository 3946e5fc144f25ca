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
 * Terminals that owe an answer for more than LATE_AFTER. `age`: ms since the command was seen; `isInside`: nobody waits for
 * those who left.
 */
export function lateOf({ concerned, acknowledgements }: LoggedCommand, age: number, isInside: (termId: string) => boolean): readonly string[] {
  // All of them and the engine: the most frequent case.
  if (age <= LATE_AFTER || acknowledgements.length > concerned.length) return [];
  const answered = new Set(acknowledgements.map(({ termId }) => termId));
  return concerned.filter((termId) => !answered.has(termId) && isInside(termId));
}

/** Comings and goings are commands of the server's; a chair looks for what people did. */
export function isByPeople({ verb }: LoggedCommand): boolean {
  return verb !== 'arrive' && verb !== 'depart';
}

/** The newest command of people that can be taken back; null for none. */
export function lastUndoable(commands: readonly LoggedCommand[]): LoggedCommand | null {
  return commands.find((command) => command.canUndo && command.undoneBy === null && isByPeople(command)) ?? null;
}
