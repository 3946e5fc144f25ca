import { UNDOABLE, type ConferenceVerb } from '@rmeet/conference';
import type { Acknowledgement, ControlStep, LoggedCommand } from '@rmeet/contract';
import type { TenantTx } from '../../../platform/db/index.ts';
import type { CommandRow } from '../tables.ts';
import { findAcks, findUndoing, type AckRow } from './repo.ts';

/** Whether a command can be undone in principle; a later command may have changed the same fields. */
export function canUndo({ verb, changes }: Pick<CommandRow, 'changes'> & { verb: string }): boolean {
  return changes.length > 0 && UNDOABLE.includes(verb as ConferenceVerb);
}

/** The input of a command without its verb; for an undo, without the changes that it reverts. */
export function inputOf(command: CommandRow['command']): Record<string, unknown> {
  const { verb: _, ...input } = command;
  return command.verb === 'undo' ? { commandId: command.commandId } : input;
}

export function presentStep({ id, version, verb, commander, createdAt, changes, affected }: CommandRow): ControlStep {
  return { commandId: id, version, verb, by: commander, at: createdAt.toISOString(), changes, affected };
}

/** `gap` is left out if there is none. */
export const presentAck = ({ termId, latency, failed, gap }: AckRow): Acknowledgement => ({
  termId,
  latency,
  failed,
  ...(gap === null ? {} : { gap }),
});

function presentLogged(row: CommandRow, acks: readonly AckRow[], undoneBy: string | null): LoggedCommand {
  return {
    ...presentStep(row),
    input: inputOf(row.command),
    undoneBy,
    canUndo: undoneBy === null && canUndo(row),
    acknowledgements: acks.map(presentAck),
  };
}

/** Rows of the command log with their acknowledgements, in the given order; two statements for all of them. */
export async function presentLog(tx: TenantTx, rows: readonly CommandRow[]): Promise<LoggedCommand[]> {
  const ids = rows.map(({ id }) => id);
  const acks = Map.groupBy(await findAcks(tx, ids), ({ commandId }) => commandId);
  const undone = new Map((await findUndoing(tx, ids)).map(({ id, undoes }) => [undoes, id]));
  return rows.map((row) => presentLogged(row, acks.get(row.id) ?? [], undone.get(row.id) ?? null));
}
