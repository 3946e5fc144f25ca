import { NO_CONTROL, type ConferencePart, type ConferenceRight } from '@rmeet/conference';
import type { Commander } from '@rmeet/contract';
import type { TenantTx } from '../../../platform/db/index.ts';
import {
  AppError,
  type Context,
  type DeskCaller,
  type TerminalCaller,
  type UserCaller,
} from '../../../platform/http/index.ts';
import { findMeeting, relationIn } from '../../meetings/index.ts';
import { mayDoIfAllowed, partsOf } from '../policy.ts';
import { findRunning, findTerminal } from '../repo.ts';
import type { ConferenceRow, TerminalRow } from '../tables.ts';

export type ControlCaller = TerminalCaller | UserCaller | DeskCaller;
export type ControlContext = Context & { caller: ControlCaller };

/** A caller's roles in a running conference. If the conference was locked, it stays so until the transaction ends. */
export interface Authorization {
  conference: ConferenceRow;
  parts: ConferencePart[];
  by: Commander;
  /** The calling terminal; null for other callers. */
  me: TerminalRow | null;
}

/** The author of the server's own commands. */
export const SERVER: Commander = { kind: 'server', name: '', termId: null };

/** States of terminals that belong to the conference; terminals in other states are out for good. */
export const CURRENT_STATES: ReadonlySet<TerminalRow['state']> = new Set(['waiting', 'admitted', 'lost']);

async function authorizeTerminal(
  tx: TenantTx,
  caller: TerminalCaller,
  meetId: string,
  lock: boolean,
): Promise<Authorization> {
  if (caller.meetId !== meetId) throw new AppError('NOT_FOUND');
  const conference = await findRunning(tx, meetId, lock);
  if (conference?.id !== caller.conferenceId) throw new AppError('CONFERENCE_OVER');
  const me = await findTerminal(tx, caller.termId);
  // It may have been refused or removed since it was authenticated.
  if (!me || !CURRENT_STATES.has(me.state)) throw new AppError('TERMINAL_GONE');
  return {
    conference,
    me,
    parts: partsOf(me, conference.control),
    by: { kind: 'terminal', name: me.name, termId: me.termId },
  };
}

/**
 * Finds the running conference of a meeting and the caller's roles in it.
 *
 * @param lock locks the conference until the transaction ends
 * @throws AppError NOT_FOUND if the meeting is not visible to the caller, CONFERENCE_OVER, TERMINAL_GONE
 */
export async function authorize(
  tx: TenantTx,
  caller: ControlCaller,
  meetId: string,
  lock: boolean,
): Promise<Authorization> {
  if (caller.kind === 'terminal') return authorizeTerminal(tx, caller, meetId, lock);
  const parts = await partsOfCaller(tx, caller, meetId);
  const conference = await findRunning(tx, meetId, lock);
  if (!conference) throw new AppError('CONFERENCE_OVER');
  return { conference, parts, me: null, by: { kind: caller.kind, name: caller.name, termId: null } };
}

/**
 * The caller's terminal and its conference, for a terminal that is inside and has a right, always or under a condition
 * that the caller checks.
 *
 * @throws AppError FORBIDDEN, TERMINAL_GONE, and what authorize() throws
 */
export async function insideTerminal(
  tx: TenantTx,
  caller: TerminalCaller,
  meetId: string,
  right: ConferenceRight,
  lock = true,
): Promise<Authorization & { me: TerminalRow }> {
  const authorization = await authorize(tx, caller, meetId, lock);
  const { parts, me } = authorization;
  if (!mayDoIfAllowed(parts, right)) throw new AppError('FORBIDDEN');
  if (me?.state !== 'admitted') throw new AppError('TERMINAL_GONE');
  return { ...authorization, me };
}

/**
 * The roles of an account or a desk in a meeting, whether or not it is running.
 *
 * @throws AppError NOT_FOUND if the meeting is not visible to the caller
 */
export async function partsOfCaller(
  tx: TenantTx,
  caller: UserCaller | DeskCaller,
  meetId: string,
): Promise<ConferencePart[]> {
  if (caller.kind === 'desk') {
    if (caller.meetId !== meetId) throw new AppError('NOT_FOUND');
    return partsOf({ part: caller.scope === 'status' ? 'deskViewer' : caller.part }, NO_CONTROL);
  }
  const meeting = await findMeeting(tx, meetId);
  const relation = meeting ? await relationIn(tx, caller, meeting) : 'none';
  if (relation === 'none') throw new AppError('NOT_FOUND');
  return partsOf({ relation }, NO_CONTROL);
}
