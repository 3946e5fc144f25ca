import {
  applyCommand,
  controlChanges,
  type ConferenceCommand,
  type ConferenceControl,
  type ControlChange,
} from '@rmeet/conference';
import type { Commander, ControlStep } from '@rmeet/contract';
import { newId, type TenantTx } from '../../../platform/db/index.ts';
import type { Push, PushEvent } from '../../../platform/push/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { findMeeting } from '../../meetings/index.ts';
import { conferenceCan, partsOf } from '../policy.ts';
import { findTerminal, findTerminals, updateTerminals } from '../repo.ts';
import { presentTerminal } from '../state.ts';
import type { ConferenceRow } from '../tables.ts';
import { affectedTerminals } from './affected-terminals.ts';
import type { ControlContext } from './authorization.ts';
import type { ConferenceEngine } from './engine.ts';
import { canUndo, inputOf } from './present.ts';
import { insertCommand, saveControl } from './repo.ts';

export interface ExecutionDeps {
  push: Pick<Push, 'publish' | 'publishAll' | 'refresh'>;
  now: () => Date;
  engine: Pick<ConferenceEngine, 'changed'>;
  /** Called when terminals have entered or left. */
  moved: (tx: TenantTx, conference: ConferenceRow, termIds: readonly string[]) => Promise<void>;
}

/** A command executed within a transaction. */
export interface Executed {
  commandId: string;
  step: ControlStep;
}

/** Terminals whose rights a command changed; they get a new snapshot. */
function withChangedRights(before: ConferenceControl, after: ConferenceControl): string[] {
  if (before.chairId === after.chairId && before.coChairIds === after.coChairIds) return [];
  return Object.entries(after.terminals).flatMap(([termId, { role, present }]) => {
    const rightsIn = (control: ConferenceControl) =>
      JSON.stringify(conferenceCan(partsOf({ termId, role, state: 'admitted' }, control)));
    return present && before.terminals[termId]?.present && rightsIn(before) !== rightsIn(after) ? [termId] : [];
  });
}

/** Terminals that a command moved into or out of the conference. */
const movedBy = (changes: readonly ControlChange[]): string[] =>
  changes.flatMap(({ termId, field }) => (termId !== null && (field === '*' || field === 'present') ? [termId] : []));

/** The event of a command. Each command has its own event, whose version identifies it in acknowledgements. */
async function eventOf(tx: TenantTx, command: ConferenceCommand, step: ControlStep): Promise<PushEvent> {
  if (command.verb === 'depart' && command.termIds.length === 1)
    return { type: 'terminalLeft', termId: command.termIds[0], step };
  if (command.verb !== 'arrive') return { type: 'control', step };
  const row = await findTerminal(tx, command.termId);
  if (!row) throw new Error(`Terminal ${command.termId} arrives without a session.`);
  return { type: 'terminalJoined', terminal: presentTerminal(row), step };
}

/**
 * Publishes a command, and to desks its input unless the server itself gave it.
 *
 * @returns the push version of the command's event
 */
async function publishCommand(
  { push }: ExecutionDeps,
  tx: TenantTx,
  { id: conferenceId, meetingId }: ConferenceRow,
  command: ConferenceCommand,
  step: ControlStep,
): Promise<number> {
  const topic = `meeting:${meetingId}`;
  const event = { ...(await eventOf(tx, command, step)), conferenceId };
  if (step.by.kind === 'server') return push.publish(tx, topic, event);
  const input = {
    type: 'commandInput',
    commandId: step.commandId,
    input: inputOf(command),
    canUndo: canUndo({ verb: command.verb, changes: step.changes }),
    undoes: command.verb === 'undo' ? command.commandId : null,
    conferenceId,
  };
  return (await push.publishAll(tx, topic, [event, input])) - 1;
}

/** The names of the terminals that a command is about: termIds mean nothing to later readers of the audit log. */
async function namesOf(tx: TenantTx, command: ConferenceCommand): Promise<{ names?: string[] }> {
  const termIds =
    'termIds' in command ? command.termIds : 'termId' in command && command.termId !== null ? [command.termId] : [];
  return termIds.length === 0 ? {} : { names: (await findTerminals(tx, termIds)).map(({ name }) => name) };
}

async function audit(
  { now }: ExecutionDeps,
  tx: TenantTx,
  context: ControlContext,
  conference: ConferenceRow,
  command: ConferenceCommand,
): Promise<void> {
  const meeting = await findMeeting(tx, conference.meetingId);
  await recordAudit(tx, context, now(), {
    target: { kind: 'conference', id: conference.id, name: meeting?.subject ?? '' },
    after: { verb: command.verb, ...inputOf(command), ...(await namesOf(tx, command)) },
  });
}

/**
 * Applies a command, stores it, publishes it, and updates the engine after the commit. The transaction must hold the
 * lock of the conference. The conference's row is updated in place, so that further commands build on it.
 *
 * @param context of the call, for the audit log; null for commands that are not audited
 */
export async function executeCommand(
  deps: ExecutionDeps,
  tx: TenantTx,
  conference: ConferenceRow,
  command: ConferenceCommand,
  by: Commander,
  context: ControlContext | null,
): Promise<Executed> {
  const { push, now, engine, moved } = deps;
  const before = conference.control;
  const control = applyCommand(before, command);
  const changes = controlChanges(before, control);
  const commandId = newId();
  const createdAt = now();
  const { version } = control;
  const { verb } = command;
  const affected = affectedTerminals(command, before, control, changes);
  const step: ControlStep = { commandId, version, verb, by, at: createdAt.toISOString(), changes, affected };

  for (const { termId, field, after } of changes)
    if (termId !== null && field === 'name')
      await updateTerminals(tx, [termId], ['admitted', 'lost'], { name: String(after) });
  const pushVersion = await publishCommand(deps, tx, conference, command, step);
  await insertCommand(tx, {
    id: commandId,
    conferenceId: conference.id,
    version,
    verb,
    command,
    commander: by,
    changes,
    affected,
    undoes: command.verb === 'undo' ? command.commandId : null,
    createdAt,
    pushVersion,
  });
  await saveControl(tx, conference.id, control);
  if (context) await audit(deps, tx, context, conference, command);
  conference.control = control;
  conference.generation = control.generation;
  const movedIds = movedBy(changes);
  if (movedIds.length > 0) await moved(tx, conference, movedIds);

  const { id, tenantId, meetingId } = conference;
  tx.afterCommit(() => engine.changed({ id, tenantId, meetingId }));
  const termIds = withChangedRights(before, control);
  if (termIds.length > 0) tx.afterCommit(() => push.refresh({ termIds }));
  return { commandId, step };
}
