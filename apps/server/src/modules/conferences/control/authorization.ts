import { NO_CONTROL, type ConferencePart } from '@rmeet/conference';
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
import { partsOf } from '../policy.ts';
import { findRunning, findTerminal } from '../repo.ts';
import type { ConferenceRow, TerminalRow } from '../tables.ts';

export type ControlCaller = TerminalCaller | UserCaller | DeskCaller;
export type ControlContext = Context & { caller: ControlCaller };

/**
 * Somebody and the running conference they have something to do with; it is held to the end of the transaction where it
 * was locked.
 */
export interface Standing {
  conference: ConferenceRow;
  parts: ConferencePart[];
  by: Commander;
  /** The terminal itself, where one calls. */
  me: TerminalRow | null;
}

/** What the server's own commands are given by. */
export const SERVER: Commander = { kind: 'server', name: '', termId: null };

/** States whose holder belongs to the conference; the others are out for good. */
export const BELONGING: ReadonlySet<TerminalRow['state']> = new Set(['waiting', 'admitted', 'lost']);

async function ofTerminal(tx: TenantTx, caller: TerminalCaller, meetId: string, lock: boolean): Promise<Standing> {
  if (caller.meetId !== meetId) throw new AppError('NOT_FOUND');
  const conference = await findRunning(tx, meetId, lock);
  if (conference?.id !== caller.conferenceId) throw new AppError('CONFERENCE_OVER');
  const me = await findTerminal(tx, caller.termId);
  // It may have been refused or removed since it was authenticated.
  if (!me || !BELONGING.has(me.state)) throw new AppError('TERMINAL_GONE');
  return {
    conference,
    me,
    parts: partsOf(me, conference.control),
    by: { kind: 'terminal', name: me.name, termId: me.termId },
  };
}

/**
 * Finds the running conference of a meeting and what the caller is to it now.
 *
 * @throws AppError NOT_FOUND where the meeting is none of theirs, CONFERENCE_OVER, TERMINAL_GONE
 */
export async function standingIn(
  tx: TenantTx,
  caller: ControlCaller,
  meetId: string,
  lock: boolean,
): Promise<Standing> {
  if (caller.kind === 'terminal') return ofTerminal(tx, caller, meetId, lock);
  const outside = await partsOutside(tx, caller, meetId);
  const conference = await findRunning(tx, meetId, lock);
  if (!conference) throw new AppError('CONFERENCE_OVER');
  return { conference, parts: outside, me: null, by: { kind: caller.kind, name: caller.name, termId: null } };
}

/**
 * What an account or a desk is to a meeting, whether or not it is running.
 *
 * @throws AppError NOT_FOUND where the meeting is none of theirs
 */
export async function partsOutside(
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
