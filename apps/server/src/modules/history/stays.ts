import type { Stay } from '@rmeet/contract';
import type { CommandRow, TerminalRow } from '../conferences/tables.ts';

/** Verbs that admit or remove terminals. */
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
 * The end of a stay that no command ended: for the terminal's last one the state of its session, earlier ones were lost
 * connections.
 */
function endOf(verb: Move['command']['verb'], isLast: boolean, state: TerminalRow['state'] | undefined): Stay['end'] {
  if (verb === 'remove') return 'removed';
  if (verb === 'sendBack') return 'sentBack';
  return isLast && state === 'left' ? 'left' : 'lost';
}

/**
 * When each terminal was present, by the log of a conference: a session does not keep its earlier stays when it is lost
 * and returns, or is sent back to the waiting room.
 *
 * @param moves commands of the verbs above, oldest first
 * @param endedAt of the conference; stays that were open then end with it
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

/** ms covered by at least one of these stays; an open one counts until now. */
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
