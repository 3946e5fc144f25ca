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

/** A meeting with what its caller needs to see it. */
export interface Seen {
  row: MeetingRow;
  participants: MeetingParticipantRow[];
  grants: MeetingGrantRow[];
  relation: MeetingRelation;
}

/** Finds out what the caller is to each of the meetings. */
export async function lookAt(tx: TenantTx, rows: readonly MeetingRow[], caller: UserCaller): Promise<Seen[]> {
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

/** What a meeting recurs by. */
function presentSeries(
  { seriesId, recurrenceId, detached }: MeetingRow,
  all: ReadonlyMap<string, MeetingSeriesRow>,
): Meeting['series'] {
  const series = all.get(seriesId ?? '');
  return series && recurrenceId
    ? { id: series.id, rule: series.rule, recurrenceId: recurrenceId.toISOString(), detached }
    : null;
}

/** Meetings as the contract shows them. */
export async function presentMeetings(
  tx: TenantTx,
  seen: readonly Seen[],
  { origin }: Pick<Context, 'origin'>,
  { secrets, now, terminalCounts }: PresentDeps,
): Promise<Meeting[]> {
  const running = seen.filter(({ row }) => isHeld(row)).map(({ row }) => row.id);
  const counts = running.length > 0 ? await terminalCounts(tx, running) : new Map<string, number>();
  const ids = seen.map(({ row }) => row.id);
  const rooms = await roomsOfMeetings(
    tx,
    seen.map(({ row }) => row),
    (row) => usesRooms(row, now()),
  );
  const resources = await resourcesOfMeetings(
    tx,
    seen.map(({ row }) => row),
  );
  const [terminals, files] = [await terminalsOfMeetings(tx, ids), await filesOfMeetings(tx, ids)];
  const series = await seriesOfMeetings(
    tx,
    seen.map(({ row }) => row),
  );
  const people = new Set(
    seen.flatMap(({ row, participants, grants }) => [
      row.hostId,
      ...participants.flatMap((p) => p.accountId ?? []),
      ...grants.map((grant) => grant.accountId),
    ]),
  );
  const names = new Map((await findAccounts(tx, [...people])).map((person) => [person.id, person.name]));

  const presentParticipant = ({ accountId, email, phone, name }: MeetingParticipantRow): Participant => {
    if (accountId !== null) return { kind: 'user', userId: accountId, name: names.get(accountId) ?? '' };
    return phone === null ? { kind: 'mail', email: email ?? '' } : { kind: 'phone', phone, name: name ?? '' };
  };

  return seen.map(({ row, participants, grants, relation }) => {
    const password = passwordOf(secrets, row);
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
      vip: row.vip,
      approval: row.approval,
      status: row.status,
      host: { userId: row.hostId, name: names.get(row.hostId) ?? '' },
      participants: participants.map(presentParticipant),
      rooms: rooms.get(row.id) ?? [],
      terminals: terminals.get(row.id) ?? [],
      files: files.get(row.id) ?? [],
      resource: resources.get(row.id) ?? null,
      series: presentSeries(row, series),
      granted: grants.map(({ accountId }) => ({ userId: accountId, name: names.get(accountId) ?? '' })),
      terminalCount: counts.get(row.id) ?? 0,
      version: row.version,
      ...meetingLinks(origin, row, password),
      can: meetingCan(relation, row, now()),
    };
  });
}
