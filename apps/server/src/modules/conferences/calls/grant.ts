import type { ConferenceRole } from '@rmeet/conference';
import type { CommandAnswer } from '@rmeet/contract';
import type { Db, TenantTx } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/http/index.ts';
import type { Push } from '../../../platform/push/index.ts';
import { recordAudit } from '../../audit/index.ts';
import {
  announceMeeting,
  findMeeting,
  grantMeeting,
  isOver,
  relationIn,
  takeMeetingBack,
} from '../../meetings/index.ts';
import type { MeetingRow } from '../../meetings/tables.ts';
import { findAccounts } from '../../accounts/users/index.ts';
import type { AccountRow } from '../../accounts/users/tables.ts';
import {
  BELONGING,
  partsOutside,
  type Control,
  type ControlContext,
  type LetIn,
  type Standing,
} from '../control/index.ts';
import { mayCommand, roleOf } from '../policy.ts';
import { findOfAccounts, findRunning, updateTerminals } from '../repo.ts';
import { presentTerminal } from '../state.ts';
import type { ConferenceRow, TerminalRow } from '../tables.ts';

export interface GrantDeps {
  db: Db;
  push: Push;
  now: () => Date;
  control: Control;
  letIn: LetIn;
}

/**
 * Who else may do with a meeting what its host may. It holds at once, inside and outside, and so does taking it back.
 */
export function createGrants({ db, push, now, control, letIn }: GrantDeps) {
  /**
   * Throws PARTICIPANT_UNKNOWN for an account that is not of this tenant or cannot sign in; the host needs no grant.
   */
  async function peopleOf(
    tx: TenantTx,
    meeting: MeetingRow,
    userIds: readonly string[],
    granted: boolean,
  ): Promise<AccountRow[]> {
    const ids = new Set(userIds);
    const known = (await findAccounts(tx, [...ids])).filter(({ kind }) => kind === 'user');
    // What an account that was disabled meanwhile holds can be taken back.
    if (known.length < ids.size || (granted && known.some(({ enabled }) => !enabled)))
      throw new AppError('PARTICIPANT_UNKNOWN');
    return known.filter(({ id }) => id !== meeting.hostId);
  }

  /** Their terminals, inside, waiting or lost for a moment, with the role they have from now on. */
  async function newRoles(
    tx: TenantTx,
    conference: ConferenceRow,
    meeting: MeetingRow,
    people: readonly AccountRow[],
  ): Promise<Map<TerminalRow, ConferenceRole>> {
    const roles = new Map<TerminalRow, ConferenceRole>();
    const terminals = (
      await findOfAccounts(
        tx,
        conference.id,
        people.map(({ id }) => id),
      )
    ).filter(({ state }) => BELONGING.has(state));
    for (const row of terminals) {
      const person = people.find(({ id }) => id === row.accountId);
      if (!person) continue;
      const role = roleOf(
        await relationIn(
          tx,
          { userId: person.id, tenantId: person.tenantId, isTenantAdmin: person.isTenantAdmin },
          meeting,
        ),
        true,
      );
      if (role !== row.role) roles.set(row, role);
    }
    return roles;
  }

  async function changeRoles(tx: TenantTx, roles: ReadonlyMap<TerminalRow, ConferenceRole>): Promise<TerminalRow[]> {
    const changed: TerminalRow[] = [];
    for (const [{ termId }, role] of roles)
      changed.push(...(await updateTerminals(tx, [termId], [...BELONGING], { role })));
    return changed;
  }

  async function carryOut(
    tx: TenantTx,
    { conference, by }: Standing,
    meeting: MeetingRow,
    people: readonly AccountRow[],
    granted: boolean,
    context: ControlContext,
  ): Promise<CommandAnswer> {
    const roles = await newRoles(tx, conference, meeting, people);
    const changed = await changeRoles(tx, roles);
    const inControl = [...roles].flatMap(([{ termId }, role]) =>
      conference.control.terminals[termId] ? [[termId, role] as const] : [],
    );
    const command = {
      verb: 'grant' as const,
      userIds: people.map(({ id }) => id),
      granted,
      roles: Object.fromEntries(inControl),
    };
    const { commandId, step } = await control.execute(tx, conference, command, by, context);
    for (const row of changed.filter(({ state }) => state === 'admitted')) {
      await push.publish(tx, `meeting:${meeting.id}`, {
        type: 'terminalChanged',
        terminal: presentTerminal(row),
        conferenceId: conference.id,
      });
    }
    await letIn.rolesChanged(tx, conference, changed);
    const termIds = changed.map(({ termId }) => termId);
    if (termIds.length > 0) tx.afterCommit(() => push.refresh({ termIds }));
    return { commandId, version: step.version, concerned: step.concerned };
  }

  /** Somebody who may grant, in the running conference; null where there is none, which is nothing to a terminal. */
  async function granting(tx: TenantTx, context: ControlContext, meetId: string): Promise<Standing | null> {
    const { caller } = context;
    if (caller.kind === 'terminal' || (await findRunning(tx, meetId)))
      return control.commanding(tx, context, meetId, 'grant');
    if (!mayCommand(await partsOutside(tx, caller, meetId), 'grant')) throw new AppError('FORBIDDEN');
    return null;
  }

  return {
    /**
     * Grants a meeting or takes it back; a command of the conference where one is running, else null.
     *
     * @throws AppError NOT_FOUND, FORBIDDEN, PARTICIPANT_UNKNOWN, MEETING_ENDED, and what commands throw
     */
    grant(
      context: ControlContext,
      meetId: string,
      userIds: readonly string[],
      granted: boolean,
    ): Promise<CommandAnswer | null> {
      return db.tenant(context.caller.tenantId, async (tx) => {
        const standing = await granting(tx, context, meetId);
        const meeting = await findMeeting(tx, meetId, true);
        if (!meeting) throw new AppError('NOT_FOUND');
        if (!standing && isOver(meeting, now())) throw new AppError('MEETING_ENDED');
        const people = await peopleOf(tx, meeting, userIds, granted);
        const ids = people.map(({ id }) => id);
        const changed = granted
          ? await grantMeeting(tx, meetId, ids, { grantedBy: context.caller.name, grantedAt: now() })
          : await takeMeetingBack(tx, meetId, ids);
        await announceMeeting(push, tx, meetId);
        // Desks they have opened from outside are looked at anew.
        tx.afterCommit(() => push.refresh({ userIds: changed }));
        if (standing)
          return carryOut(
            tx,
            standing,
            meeting,
            people.filter(({ id }) => changed.includes(id)),
            granted,
            context,
          );
        await recordAudit(tx, context, now(), {
          target: { kind: 'meeting', id: meetId, name: meeting.subject },
          after: { userIds: changed, granted },
        });
        return null;
      });
    },
  };
}

export type Grants = ReturnType<typeof createGrants>;
