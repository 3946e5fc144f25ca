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
  CURRENT_STATES,
  partsOfCaller,
  type Control,
  type ControlContext,
  type Admitter,
  type Authorization,
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
  admitter: Admitter;
}

/**
 * The accounts to grant a meeting to, without the host, who needs no grant.
 *
 * @throws AppError PARTICIPANT_UNKNOWN for an account of another tenant, or one that cannot sign in
 */
async function findPeople(
  tx: TenantTx,
  meeting: MeetingRow,
  userIds: readonly string[],
  granted: boolean,
): Promise<AccountRow[]> {
  const ids = new Set(userIds);
  const known = (await findAccounts(tx, [...ids])).filter(({ kind }) => kind === 'user');
  // A grant of an account that was disabled since can be withdrawn.
  if (known.length < ids.size || (granted && known.some(({ enabled }) => !enabled)))
    throw new AppError('PARTICIPANT_UNKNOWN');
  return known.filter(({ id }) => id !== meeting.hostId);
}

/** The people's terminals that belong to the conference, with their new roles. */
async function newRoles(
  tx: TenantTx,
  conference: ConferenceRow,
  meeting: MeetingRow,
  people: readonly AccountRow[],
): Promise<Map<TerminalRow, ConferenceRole>> {
  const roles = new Map<TerminalRow, ConferenceRole>();
  const ids = people.map(({ id }) => id);
  const terminals = (await findOfAccounts(tx, conference.id, ids)).filter(({ state }) => CURRENT_STATES.has(state));
  for (const row of terminals) {
    const person = people.find(({ id }) => id === row.accountId);
    if (!person) continue;
    const { id: userId, tenantId, isTenantAdmin } = person;
    const role = roleOf(await relationIn(tx, { userId, tenantId, isTenantAdmin }, meeting), true);
    if (role !== row.role) roles.set(row, role);
  }
  return roles;
}

async function changeRoles(tx: TenantTx, roles: ReadonlyMap<TerminalRow, ConferenceRole>): Promise<TerminalRow[]> {
  const changed: TerminalRow[] = [];
  for (const [{ termId }, role] of roles)
    changed.push(...(await updateTerminals(tx, [termId], [...CURRENT_STATES], { role })));
  return changed;
}

/** Applies a grant to the running conference: the roles of the people's terminals change at once. */
async function applyToConference(
  { push, control, admitter }: GrantDeps,
  tx: TenantTx,
  { conference, by }: Authorization,
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
  await admitter.rolesChanged(tx, conference, changed);
  const termIds = changed.map(({ termId }) => termId);
  if (termIds.length > 0) tx.afterCommit(() => push.refresh({ termIds }));
  return { commandId, version: step.version, affected: step.affected };
}

/** Checks that the caller may grant. Null if no conference is running, which ends a terminal's call with an error. */
async function authorizeGrant(
  { control }: GrantDeps,
  tx: TenantTx,
  context: ControlContext,
  meetId: string,
): Promise<Authorization | null> {
  const { caller } = context;
  if (caller.kind === 'terminal' || (await findRunning(tx, meetId)))
    return control.commanding(tx, context, meetId, 'grant');
  if (!mayCommand(await partsOfCaller(tx, caller, meetId), 'grant')) throw new AppError('FORBIDDEN');
  return null;
}

/** Grants others the rights of a meeting's host, and withdraws them. Both take effect at once, inside and outside. */
export function createGrants(deps: GrantDeps) {
  const { db, push, now } = deps;
  return {
    /**
     * Grants a meeting or withdraws the grant: by a command if a conference is running, else null is returned.
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
        const authorization = await authorizeGrant(deps, tx, context, meetId);
        const meeting = await findMeeting(tx, meetId, true);
        if (!meeting) throw new AppError('NOT_FOUND');
        if (!authorization && isOver(meeting, now())) throw new AppError('MEETING_ENDED');
        const people = await findPeople(tx, meeting, userIds, granted);
        const ids = people.map(({ id }) => id);
        const changed = granted
          ? await grantMeeting(tx, meetId, ids, { grantedBy: context.caller.name, grantedAt: now() })
          : await takeMeetingBack(tx, meetId, ids);
        await announceMeeting(push, tx, meetId);
        // Desks that these people opened from outside check their rights again.
        tx.afterCommit(() => push.refresh({ userIds: changed }));
        if (authorization) {
          const affected = people.filter(({ id }) => changed.includes(id));
          return applyToConference(deps, tx, authorization, meeting, affected, granted, context);
        }
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
