import {
  applyCommand,
  controlChanges,
  VERB_RIGHTS,
  type ConferenceCommand,
  type ConferenceControl,
  type ConferenceVerb,
} from '@rmeet/conference';
import type { Commander, CommandAnswer, ControlStep } from '@rmeet/contract';
import { newId, type Db, type TenantTx } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/http/index.ts';
import type { Push, PushEvent } from '../../../platform/push/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { findMeeting } from '../../meetings/index.ts';
import { publishDeskTerminal } from '../desk/events.ts';
import { conferenceCan, mayCommand, mayDo, partsOf } from '../policy.ts';
import { findPreviousTermId, findTerminal, findTerminals, updateTerminals } from '../repo.ts';
import { presentTerminal } from '../state.ts';
import type { ConferenceRow, TerminalRow } from '../tables.ts';
import { concernedBy } from './affected-terminals.ts';
import type { ConferenceEngine } from './engine.ts';
import { canUndo, inputOf } from './present.ts';
import { insertCommand, saveControl } from './repo.ts';
import { checkSense } from './validation.ts';
import { SERVER, standingIn, type ControlContext, type Standing } from './authorization.ts';

type CommandOf<V extends ConferenceVerb> = Extract<ConferenceCommand, { verb: V }>;

export interface ControlDeps {
  db: Db;
  push: Push;
  now: () => Date;
  engine: ConferenceEngine;
  /** Terminals have come in or are inside no longer. */
  moved: (tx: TenantTx, conference: ConferenceRow, termIds: readonly string[]) => Promise<void>;
}

/** A command carried out within a transaction. */
export interface Executed {
  commandId: string;
  step: ControlStep;
}

/** Terminals whose rights a command changed: they are to get a new snapshot. */
function withOtherRights(before: ConferenceControl, after: ConferenceControl): string[] {
  if (before.chairId === after.chairId && before.coChairIds === after.coChairIds) return [];
  return Object.entries(after.terminals).flatMap(([termId, { role, present }]) => {
    const rightsIn = (control: ConferenceControl) =>
      JSON.stringify(conferenceCan(partsOf({ termId, role, state: 'admitted' }, control)));
    return present && before.terminals[termId]?.present && rightsIn(before) !== rightsIn(after) ? [termId] : [];
  });
}

/** How the control of running conferences changes: by commands, one after the other. */
export function createControl({ db, push, now, engine, moved }: ControlDeps) {
  /** The event that tells a command: one for each, so that its version stands for it in acknowledgements. */
  async function eventOf(tx: TenantTx, command: ConferenceCommand, step: ControlStep): Promise<PushEvent> {
    if (command.verb === 'depart' && command.termIds.length === 1)
      return { type: 'terminalLeft', termId: command.termIds[0], step };
    if (command.verb !== 'arrive') return { type: 'control', step };
    const row = await findTerminal(tx, command.termId);
    if (!row) throw new Error(`Terminal ${command.termId} arrives without a session.`);
    return { type: 'terminalJoined', terminal: presentTerminal(row), step };
  }

  /** Whom a command is about, for readers who come long after the termIds mean anything. */
  async function namesOf(tx: TenantTx, command: ConferenceCommand): Promise<{ names?: string[] }> {
    const termIds =
      'termIds' in command ? command.termIds : 'termId' in command && command.termId !== null ? [command.termId] : [];
    return termIds.length === 0 ? {} : { names: (await findTerminals(tx, termIds)).map(({ name }) => name) };
  }

  async function audit(
    tx: TenantTx,
    context: ControlContext,
    conference: ConferenceRow,
    command: ConferenceCommand,
  ): Promise<void> {
    const meeting = await findMeeting(tx, conference.meetingId);
    const target = { kind: 'conference', id: conference.id, name: meeting?.subject ?? '' };
    await recordAudit(tx, context, now(), {
      target,
      after: { verb: command.verb, ...inputOf(command), ...(await namesOf(tx, command)) },
    });
  }

  /**
   * Applies a command, stores it, tells it and has the engine follow after the commit. The conference must be held by
   * the transaction; its row is brought up to date, so that further commands build on it.
   *
   * @param context of the call, for the audit log; null where the command is not one to answer for
   */
  async function execute(
    tx: TenantTx,
    conference: ConferenceRow,
    command: ConferenceCommand,
    by: Commander,
    context: ControlContext | null,
  ): Promise<Executed> {
    const before = conference.control;
    const control = applyCommand(before, command);
    const changes = controlChanges(before, control);
    const commandId = newId();
    const at = now();
    const concerned = concernedBy(command, before, control, changes);
    const step: ControlStep = {
      commandId,
      version: control.version,
      verb: command.verb,
      by,
      at: at.toISOString(),
      changes,
      concerned,
    };
    const topic = `meeting:${conference.meetingId}`;

    for (const { termId, field, after } of changes)
      if (termId !== null && field === 'name')
        await updateTerminals(tx, [termId], ['admitted', 'lost'], { name: String(after) });
    const undoes = command.verb === 'undo' ? command.commandId : null;
    const told = { ...(await eventOf(tx, command, step)), conferenceId: conference.id };
    const input = {
      type: 'commandInput',
      commandId,
      input: inputOf(command),
      canUndo: canUndo({ verb: command.verb, changes }),
      undoes,
      conferenceId: conference.id,
    };
    const version =
      by.kind === 'server' ? await push.publish(tx, topic, told) : await push.publishAll(tx, topic, [told, input]);
    await insertCommand(tx, {
      id: commandId,
      conferenceId: conference.id,
      version: control.version,
      verb: command.verb,
      command,
      commander: by,
      changes,
      concerned,
      undoes,
      createdAt: at,
      pushVersion: by.kind === 'server' ? version : version - 1,
    });
    await saveControl(tx, conference.id, control);
    if (context) await audit(tx, context, conference, command);
    conference.control = control;
    conference.generation = control.generation;
    const movedIds = changes.flatMap(({ termId, field }) =>
      termId !== null && (field === '*' || field === 'present') ? [termId] : [],
    );
    if (movedIds.length > 0) await moved(tx, conference, movedIds);

    const { id, tenantId, meetingId } = conference;
    tx.afterCommit(() => engine.changed({ id, tenantId, meetingId }));
    const termIds = withOtherRights(before, control);
    if (termIds.length > 0) tx.afterCommit(() => push.refresh({ termIds }));
    return { commandId, step };
  }

  /**
   * Finds the caller's running conference, held to the end of the transaction, for somebody who may give this command
   * there.
   *
   * @throws AppError NOT_FOUND, CONFERENCE_OVER, TERMINAL_GONE, FORBIDDEN
   */
  async function commanding(
    tx: TenantTx,
    context: ControlContext,
    meetId: string,
    verb: ConferenceVerb,
  ): Promise<Standing> {
    const standing = await standingIn(tx, context.caller, meetId, true);
    if (!mayCommand(standing.parts, verb)) throw new AppError('FORBIDDEN');
    return standing;
  }

  return {
    execute,
    commanding,

    /** A terminal is inside now; an earlier presence of the same person hands on how the chair has set it. */
    async arrive(tx: TenantTx, conference: ConferenceRow, row: TerminalRow): Promise<void> {
      const { termId, name, role } = row;
      const previousTermId = conference.control.terminals[termId] ? null : await findPreviousTermId(tx, row);
      await execute(tx, conference, { verb: 'arrive', termId, name, role, previousTermId }, SERVER, null);
      await publishDeskTerminal(push, tx, conference, row, engine);
    },

    /** Terminals inside are so no longer; whoever was not is passed over. */
    async depart(tx: TenantTx, conference: ConferenceRow, termIds: readonly string[]): Promise<void> {
      const inside = termIds.filter((termId) => conference.control.terminals[termId]?.present);
      if (inside.length > 0) await execute(tx, conference, { verb: 'depart', termIds: inside }, SERVER, null);
    },

    /** The server has ended the conference. */
    logEnd: async (tx: TenantTx, conference: ConferenceRow): Promise<void> => {
      await execute(tx, conference, { verb: 'end' }, SERVER, null);
    },

    /** For somebody who may at least see the conference; nothing is held. */
    async seeing(tx: TenantTx, context: ControlContext, meetId: string): Promise<Standing> {
      const standing = await standingIn(tx, context.caller, meetId, false);
      if (!mayDo(standing.parts, 'see')) throw new AppError('FORBIDDEN');
      return standing;
    },

    /**
     * One command of a call, in a transaction of its own.
     *
     * @param build makes it of what was found; it runs after the caller's right was checked
     * @param effect what else changes with it; it runs before the command is told
     * @throws AppError NOT_FOUND, CONFERENCE_OVER, TERMINAL_GONE, FORBIDDEN, TERMINAL_ABSENT, VERB_IMPOSSIBLE
     */
    async command<V extends ConferenceVerb>(
      context: ControlContext,
      meetId: string,
      verb: V,
      build: (standing: Standing, tx: TenantTx) => CommandOf<V> | Promise<CommandOf<V>>,
      effect?: (tx: TenantTx, standing: Standing, command: CommandOf<V>) => Promise<void>,
    ): Promise<CommandAnswer> {
      return db.tenant(context.caller.tenantId, async (tx) => {
        const standing = await commanding(tx, context, meetId, verb);
        const command = await checkSense(tx, engine, standing, await build(standing, tx), context.locale);
        await effect?.(tx, standing, command);
        const { commandId, step } = await execute(
          tx,
          standing.conference,
          command,
          standing.by,
          VERB_RIGHTS[verb] === 'ownMedia' ? null : context,
        );
        return { commandId, version: step.version, concerned: step.concerned };
      });
    },
  };
}

export type Control = ReturnType<typeof createControl>;
