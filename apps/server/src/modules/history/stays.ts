import type { Stay } from '@rmeet/contract';
import type { CommandRow, TerminalRow } from '../conferences/tables.ts';

/** Verbs that let terminals in or put them out. */
export const MOVES = ['arrive', 'depart', 'remove', 'sendBack'] as const;
export type Move = Pick<CommandRow, 'command' | 'createdAt'>;

/** One stay of one terminal, times in ms; `leftAt` is null while it lasts. */
export interface StayTimes {
  termId: string;
  joinedAt: number;
  leftAt: number | null;
  end: Stay['end'];
}

const idsOf = (command: Move['command']): readonly string[] =>
  command.verb === 'arrive'
    ? [command.termId]
    : command.verb === 'depart' || command.verb === 'remove' || command.verb === 'sendBack'
      ? command.termIds
      : [];

/**
 * How a stay ended that was not ended by a command: the terminal's last one as its session says, earlier ones because
 * it was lost.
 */
function endOf(verb: Move['command']['verb'], isLast: boolean, state: TerminalRow['state'] | undefined): Stay['end'] {
  if (verb === 'remove') return 'removed';
  if (verb === 'sendBack') return 'sentBack';
  return isLast && state === 'left' ? 'left' : 'lost';
}

/**
 * When each terminal was inside, by the log of a conference: a session forgets its earlier stays when it is lost and
 * back, or sent back to wait.
 *
 * @param moves commands of the verbs above, oldest first
 * @param endedAt of the conference; what was inside then ended with it
 */
export function staysOf(
  moves: readonly Move[],
  states: ReadonlyMap<string, TerminalRow['state']>,
  endedAt: Date | null,
): StayTimes[] {
  const stays: StayTimes[] = [];
  const open = new Map<string, StayTimes>();
  const returns = new Map<string, number>();
  for (const { command } of moves)
    if (command.verb === 'arrive') returns.set(command.termId, (returns.get(command.termId) ?? 0) + 1);
  for (const { command, createdAt } of moves) {
    for (const termId of idsOf(command)) {
      const known = open.get(termId);
      if (command.verb === 'arrive') {
        returns.set(termId, (returns.get(termId) ?? 1) - 1);
        if (known) continue;
        const stay: StayTimes = { termId, joinedAt: createdAt.getTime(), leftAt: null, end: null };
        open.set(termId, stay);
        stays.push(stay);
      } else if (known) {
        Object.assign(known, {
          leftAt: createdAt.getTime(),
          end: endOf(command.verb, returns.get(termId) === 0, states.get(termId)),
        });
        open.delete(termId);
      }
    }
  }
  if (endedAt) for (const stay of open.values()) Object.assign(stay, { leftAt: endedAt.getTime(), end: 'ended' });
  return stays;
}

/** ms covered by at least one of these stays; one that lasts counts to now. */
export function coveredBy(stays: readonly Pick<StayTimes, 'joinedAt' | 'leftAt'>[], now: number): number {
  let total = 0;
  let until = Number.NEGATIVE_INFINITY;
  for (const { joinedAt, leftAt } of stays.toSorted((a, b) => a.joinedAt - b.joinedAt)) {
    const end = leftAt ?? now;
    total += Math.max(0, end - Math.max(joinedAt, until));
    until = Math.max(until, end);
  }
  return total;
}
