import type { Meeting, Participant } from '@rmeet/contract';
import type { TenantTx } from '../../platform/db/index.ts';
import type { Context, UserCaller } from '../../platform/http/index.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import { findAccounts } from '../accounts/users/index.ts';
import { resourcesOfMeetings } from '../resources/index.ts';
import { roomsOfMeetings } from '../rooms/index.ts';
import { terminalsOfMeetings } from '../terminals/index.ts';
import { findGrants } from './access/grants.ts';
import { meetingLinks } from './access/links.ts';
import { passwordOf } from './access/passwords.ts';
import { meetingCan, relationTo, type MeetingRelation } from './access/policy.ts';
import { filesOfMeetings } from './files/files.ts';
import { findParticipants } from './repo.ts';
import { seriesOfMeetings } from './series/repo.ts';
import { isHeld, usesRooms } from './status.ts';
import type { MeetingGrantRow, MeetingParticipantRow, MeetingRow, MeetingSeriesRow } from './tables.ts';

/** A meeting with its participants, stand-ins and relation to the caller. */
export interface Seen {
  row: MeetingRow;
  participants: MeetingParticipantRow[];
  grants: MeetingGrantRow[];
  relation: MeetingRelation;
}

/** Loads the relation of the caller to each of the meetings. */
export async function withRelations(tx: TenantTx, rows: readonly MeetingRow[], caller: UserCaller): Promise<Seen[]> {
  const ids = rows.map((row) => row.id);
  const all = Map.groupBy(await findParticipants(tx, ids), (participant) => participant.meetingId);
  const granted = Map.groupBy(await findGrants(tx, ids), (grant) => grant.meetingId);
  return rows.map((row) => {
    const participants = all.get(row.id) ?? [];
    const grants = granted.get(row.id) ?? [];
    const isOne = ({ accountId }: { accountId: string | null }): boolean => accountId === caller.userId;
    return {
      row,
      participants,
      grants,
      relation: relationTo(caller, row, { isGranted: grants.some(isOne), isInvited: participants.some(isOne) }),
    };
  });
}

export interface PresentDeps {
  secrets: SecretBox;
  now: () => Date;
  /** Terminals in the running conferences of these meetings; meetings without any may be missing. */
  terminalCounts: (tx: TenantTx, meetIds: readonly string[]) => Promise<Map<string, number>>;
}

/** The series of a meeting. */
function presentSeries(
  { seriesId, recurrenceId, detached }: MeetingRow,
  all: ReadonlyMap<string, MeetingSeriesRow>,
): Meeting['series'] {
  const series = all.get(seriesId ?? '');
  return series && recurrenceId
    ? { id: series.id, rule: series.rule, recurrenceId: recurrenceId.toISOString(), detached }
    : null;
}

/** Everything that belongs to meetings, by their ids. */
async function relatedTo(tx: TenantTx, seen: readonly Seen[], { now, terminalCounts }: PresentDeps) {
  const rows = seen.map(({ row }) => row);
  const ids = rows.map(({ id }) => id);
  const running = rows.filter(isHeld).map(({ id }) => id);
  return {
    counts: running.length > 0 ? await terminalCounts(tx, running) : new Map<string, number>(),
    rooms: await roomsOfMeetings(tx, rows, (row) => usesRooms(row, now())),
    resources: await resourcesOfMeetings(tx, rows),
    terminals: await terminalsOfMeetings(tx, ids),
    files: await filesOfMeetings(tx, ids),
    series: await seriesOfMeetings(tx, rows),
    names: await namesOf(tx, seen),
  };
}

/** The names of hosts, participants and stand-ins, by account. */
async function namesOf(tx: TenantTx, seen: readonly Seen[]): Promise<Map<string, string>> {
  const people = new Set(
    seen.flatMap(({ row, participants, grants }) => [
      row.hostId,
      ...participants.flatMap((p) => p.accountId ?? []),
      ...grants.map((grant) => grant.accountId),
    ]),
  );
  return new Map((await findAccounts(tx, [...people])).map((person) => [person.id, person.name]));
}

function presentParticipant(
  { accountId, email, phone, name }: MeetingParticipantRow,
  names: ReadonlyMap<string, string>,
): Participant {
  if (accountId !== null) return { kind: 'user', userId: accountId, name: names.get(accountId) ?? '' };
  return phone === null ? { kind: 'mail', email: email ?? '' } : { kind: 'phone', phone, name: name ?? '' };
}

/** Meetings as the contract shows them. */
export async function presentMeetings(
  tx: TenantTx,
  seen: readonly Seen[],
  { origin }: Pick<Context, 'origin'>,
  deps: PresentDeps,
): Promise<Meeting[]> {
  const { counts, rooms, resources, terminals, files, series, names } = await relatedTo(tx, seen, deps);
  return seen.map(({ row, participants, grants, relation }) => {
    const password = passwordOf(deps.secrets, row);
    return {
      meetId: row.id,
      numericId: row.number,
      type: row.type,
      subject: row.subject,
      agenda: row.agenda,
      startTime: row.startTime.toISOString(),
      duration: row.duration,
      password,
      timeZone: row.timeZone,
      waitingRoom: row.waitingRoom,
      joinBeforeHost: row.joinBeforeHost,
      muteOnEntry: row.muteOnEntry,
      template: row.template,
      e2ee: row.e2ee,
      autoRecord: row.autoRecord,
      vip: row.vip,
      approval: row.approval,
      status: row.status,
      host: { userId: row.hostId, name: names.get(row.hostId) ?? '' },
      participants: participants.map((participant) => presentParticipant(participant, names)),
      rooms: rooms.get(row.id) ?? [],
      terminals: terminals.get(row.id) ?? [],
      files: files.get(row.id) ?? [],
      resource: resources.get(row.id) ?? null,
      series: presentSeries(row, series),
      granted: grants.map(({ accountId }) => ({ userId: accountId, name: names.get(accountId) ?? '' })),
      terminalCount: counts.get(row.id) ?? 0,
      version: row.version,
      ...meetingLinks(origin, row, password),
      can: meetingCan(relation, row, deps.now()),
    };
  });
}
