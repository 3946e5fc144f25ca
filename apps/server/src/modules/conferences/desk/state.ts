import { hasCapability, type ConferencePart } from '@rmeet/conference';
import type { DeskInvitee, DeskState } from '@rmeet/contract';
import type { Db, TenantTx } from '../../../platform/db/index.ts';
import { AppError, type DeskCaller, type UserCaller } from '../../../platform/http/index.ts';
import { findMeeting, findParticipants } from '../../meetings/index.ts';
import type { MeetingRow } from '../../meetings/tables.ts';
import { findTenant } from '../../accounts/tenants/index.ts';
import { findAccounts } from '../../accounts/users/index.ts';
import type { AccountRow } from '../../accounts/users/tables.ts';
import { findCalls } from '../calls/repo.ts';
import type { ConferenceEngine } from '../control/engine.ts';
import { presentLog } from '../control/present.ts';
import { findNewestCommands } from '../control/repo.ts';
import { authorize } from '../control/authorization.ts';
import { endsAt } from '../joining/capacity.ts';
import { mayDo, mayRecord, verbsOf } from '../policy.ts';
import { presentScene } from '../proceedings/present.ts';
import { findScenes } from '../proceedings/repo.ts';
import { findPresent } from '../repo.ts';
import type { ConferenceRow, TerminalRow } from '../tables.ts';
import {
  inviteeWithoutContacts,
  presentDeskTerminal,
  presentDeskWaiting,
  presentInvitee,
  presentMailInvitee,
  withoutContacts,
  withoutMessage,
} from './present.ts';

/** Commands in a state. */
const NEWEST = 100;

/** A caller who opens a desk. */
export type DeskUser = DeskCaller | UserCaller;

export interface DeskStateDeps {
  db: Db;
  now: () => Date;
  engine: Pick<ConferenceEngine, 'name' | 'cannot' | 'cannotWith'>;
}

/**
 * The running conference of a meeting for a caller who may open its desk.
 *
 * @throws AppError NOT_FOUND, FORBIDDEN, CONFERENCE_OVER
 */
export async function deskOf(
  tx: TenantTx,
  caller: DeskUser,
  meetId: string,
): Promise<{ conference: ConferenceRow; parts: ConferencePart[] }> {
  const { conference, parts } = await authorize(tx, caller, meetId, false);
  if (!mayDo(parts, 'desk')) throw new AppError('FORBIDDEN');
  return { conference, parts };
}

/** Whether the caller may only open the status wall, which has no command log and no live view. */
export const isStatusWall = (caller: DeskUser): boolean => caller.kind === 'desk' && caller.scope === 'status';

/** The same for what a status wall does not have: the command log and the live view. */
export async function fullDeskOf(
  tx: TenantTx,
  caller: DeskUser,
  meetId: string,
): Promise<{ conference: ConferenceRow; parts: ConferencePart[] }> {
  const found = await deskOf(tx, caller, meetId);
  if (isStatusWall(caller)) throw new AppError('FORBIDDEN');
  return found;
}

interface Presence {
  accounts: Map<string, AccountRow>;
  present: TerminalRow[];
  now: Date;
}

/** Everybody expected who is not inside: the host, and invited people. */
async function inviteesOf(
  tx: TenantTx,
  conference: ConferenceRow,
  meeting: MeetingRow,
  { accounts, present, now }: Presence,
): Promise<DeskInvitee[]> {
  const participants = await findParticipants(tx, [meeting.id]);
  const calls = await findCalls(tx, conference.id);
  const inside = new Set(
    present.flatMap((row) => (row.state === 'admitted' && row.accountId !== null ? [row.accountId] : [])),
  );
  const people = [...new Set([meeting.hostId, ...participants.flatMap(({ accountId }) => accountId ?? [])])].filter(
    (id) => !inside.has(id),
  );
  for (const row of await findAccounts(
    tx,
    people.filter((id) => !accounts.has(id)),
  ))
    accounts.set(row.id, row);
  return [
    ...people.map((id) => presentInvitee(id, accounts.get(id), calls.get(`U${id}`), now)),
    ...participants
      .filter(({ email }) => email !== null)
      .map((one) => presentMailInvitee(one, calls.get(`M${one.id}`))),
  ];
}

/** Terminals inside and waiting, as visible to these roles. */
export async function terminalsFor(
  tx: TenantTx,
  conference: ConferenceRow,
  parts: readonly ConferencePart[],
  engine: DeskStateDeps['engine'],
) {
  const present = await findPresent(tx, [conference.id]);
  const accounts = new Map(
    (
      await findAccounts(
        tx,
        present.flatMap(({ accountId }) => accountId ?? []),
      )
    ).map((row) => [row.id, row]),
  );
  const invited = new Set((await findParticipants(tx, [conference.meetingId])).map(({ accountId }) => accountId));
  const terminals = present
    .filter((row) => row.state === 'admitted')
    .map((row) =>
      presentDeskTerminal(
        row,
        accounts.get(row.accountId ?? ''),
        row.accountId !== null && invited.has(row.accountId),
        engine,
      ),
    );
  const waiting = present.filter((row) => row.state === 'waiting').map(presentDeskWaiting);
  return {
    present,
    accounts,
    terminals: mayDo(parts, 'contacts') ? terminals : terminals.map(withoutContacts),
    waiting: mayDo(parts, 'admit') ? waiting : waiting.map(withoutMessage),
  };
}

/** The error if a meeting has no conference: it is over, or has not started. */
async function refusalWithoutConference(tx: TenantTx, meetId: string): Promise<AppError> {
  const meeting = await findMeeting(tx, meetId);
  return meeting && meeting.status !== 'OFFLINE'
    ? new AppError('MEETING_NOT_STARTED', { startTime: meeting.startTime.toISOString() })
    : new AppError('CONFERENCE_OVER');
}

/**
 * The state of a running conference as a desk sees it.
 *
 * @throws AppError NOT_FOUND, FORBIDDEN, CONFERENCE_OVER, MEETING_NOT_STARTED
 */
export async function deskStateFor(
  { db, now, engine }: DeskStateDeps,
  caller: DeskUser,
  meetId: string,
): Promise<DeskState> {
  return db.tenant(caller.tenantId, async (tx) => {
    const { conference, parts } = await deskOf(tx, caller, meetId).catch(async (error: unknown) => {
      throw error instanceof AppError && error.code === 'CONFERENCE_OVER'
        ? await refusalWithoutConference(tx, meetId)
        : error;
    });
    const meeting = await findMeeting(tx, meetId);
    if (!meeting) throw new AppError('NOT_FOUND');
    const { present, accounts, terminals, waiting } = await terminalsFor(tx, conference, parts, engine);
    const invitees = await inviteesOf(tx, conference, meeting, { accounts, present, now: now() });
    const [host] = await findAccounts(tx, [meeting.hostId]);
    const limits = await findTenant(tx, caller.tenantId);
    const recordable = limits !== undefined && mayRecord(parts, limits, conference.control);
    return {
      desk: true,
      meetId,
      conferenceId: conference.id,
      subject: meeting.subject,
      numericId: meeting.number,
      host: host?.name ?? '',
      startedAt: conference.startedAt.toISOString(),
      bookedUntil: meeting.endTime.toISOString(),
      endsAt: limits ? (endsAt(conference, limits)?.toISOString() ?? null) : null,
      engine: engine.name,
      cannot: hasCapability(conference.control, 'recording')
        ? engine.cannot
        : { ...engine.cannot, record: 'encrypted' },
      // Desk viewers and status walls have no verb.
      can: verbsOf(parts).filter((verb) => verb !== 'selfUnmute' && (verb !== 'record' || recordable)),
      control: conference.control,
      terminals,
      waiting,
      scenes: mayDo(parts, 'control') ? (await findScenes(tx, meetId)).map(presentScene) : [],
      invitees: mayDo(parts, 'contacts') ? invitees : invitees.map(inviteeWithoutContacts),
      commands: isStatusWall(caller) ? [] : await presentLog(tx, await findNewestCommands(tx, conference.id, NEWEST)),
    };
  });
}
