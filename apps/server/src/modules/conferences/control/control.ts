import { VERB_RIGHTS, type ConferenceCommand, type ConferenceVerb } from '@rmeet/conference';
import type { Commander, CommandAnswer } from '@rmeet/contract';
import type { Db, TenantTx } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/http/index.ts';
import type { Push } from '../../../platform/push/index.ts';
import { publishDeskTerminal } from '../desk/events.ts';
import { mayCommand, mayDo } from '../policy.ts';
import { findPreviousSession } from '../repo.ts';
import type { ConferenceRow, TerminalRow } from '../tables.ts';
import { authorize, SERVER, type Authorization, type ControlContext } from './authorization.ts';
import type { ConferenceEngine } from './engine.ts';
import { executeCommand, type Executed, type ExecutionDeps } from './execution.ts';
import { validateCommand } from './validation.ts';

type CommandOf<V extends ConferenceVerb> = Extract<ConferenceCommand, { verb: V }>;

export interface ControlDeps extends ExecutionDeps {
  db: Db;
  push: Push;
  engine: ConferenceEngine;
}

/** Changes the control state of running conferences, by commands that are executed one after another. */
export function createControl(deps: ControlDeps) {
  const { db, push, engine } = deps;
  const execute = (
    tx: TenantTx,
    conference: ConferenceRow,
    command: ConferenceCommand,
    by: Commander,
    context: ControlContext | null,
  ): Promise<Executed> => executeCommand(deps, tx, conference, command, by, context);

  /**
   * Finds and locks the caller's running conference, for a caller who may give this command.
   *
   * @throws AppError NOT_FOUND, CONFERENCE_OVER, TERMINAL_GONE, FORBIDDEN
   */
  async function commanding(
    tx: TenantTx,
    context: ControlContext,
    meetId: string,
    verb: ConferenceVerb,
  ): Promise<Authorization> {
    const authorization = await authorize(tx, context.caller, meetId, true);
    if (!mayCommand(authorization.parts, verb)) throw new AppError('FORBIDDEN');
    return authorization;
  }

  return {
    /** See executeCommand(). */
    execute,
    commanding,

    /** A terminal is inside now. It inherits the settings of the same person's previous session. */
    async arrive(tx: TenantTx, conference: ConferenceRow, row: TerminalRow): Promise<void> {
      const { termId, name, role } = row;
      const previousTermId = conference.control.terminals[termId] ? null : await findPreviousSession(tx, row);
      await execute(tx, conference, { verb: 'arrive', termId, name, role, previousTermId }, SERVER, null);
      await publishDeskTerminal(push, tx, conference, row, engine);
    },

    /** Terminals are no longer inside. Skips those that were not. */
    async depart(tx: TenantTx, conference: ConferenceRow, termIds: readonly string[]): Promise<void> {
      const inside = termIds.filter((termId) => conference.control.terminals[termId]?.present);
      if (inside.length > 0) await execute(tx, conference, { verb: 'depart', termIds: inside }, SERVER, null);
    },

    /** Logs that the server ended the conference. */
    logEnd: async (tx: TenantTx, conference: ConferenceRow): Promise<void> => {
      await execute(tx, conference, { verb: 'end' }, SERVER, null);
    },

    /** The running conference for a caller who may at least see it; nothing is locked. */
    async seeing(tx: TenantTx, context: ControlContext, meetId: string): Promise<Authorization> {
      const authorization = await authorize(tx, context.caller, meetId, false);
      if (!mayDo(authorization.parts, 'see')) throw new AppError('FORBIDDEN');
      return authorization;
    },

    /**
     * Executes one command of a call, in its own transaction.
     *
     * @param build creates the command, after the caller's right was checked
     * @param effect what else changes with the command, before it is published
     * @throws AppError NOT_FOUND, CONFERENCE_OVER, TERMINAL_GONE, FORBIDDEN, TERMINAL_ABSENT, VERB_IMPOSSIBLE
     */
    async command<V extends ConferenceVerb>(
      context: ControlContext,
      meetId: string,
      verb: V,
      build: (authorization: Authorization, tx: TenantTx) => CommandOf<V> | Promise<CommandOf<V>>,
      effect?: (tx: TenantTx, authorization: Authorization, command: CommandOf<V>) => Promise<void>,
    ): Promise<CommandAnswer> {
      return db.tenant(context.caller.tenantId, async (tx) => {
        const authorization = await commanding(tx, context, meetId, verb);
        const { conference, by } = authorization;
        const built = await build(authorization, tx);
        const command = await validateCommand(tx, engine, authorization, built, context.locale);
        await effect?.(tx, authorization, command);
        const audited = VERB_RIGHTS[verb] === 'ownMedia' ? null : context;
        const { commandId, step } = await execute(tx, conference, command, by, audited);
        return { commandId, version: step.version, affected: step.affected };
      });
    },
  };
}

export type Control = ReturnType<typeof createControl>;
