import { and, eq, inArray, ne, notInArray, sql } from 'drizzle-orm';
import { allOf } from '../../../platform/db/conditions.ts';
import type { TenantTx } from '../../../platform/db/index.ts';
import type { SecretBox } from '../../../platform/secrets/index.ts';
import { guestToken } from '../../guests/tables.ts';
import { bookResource, resourcesOfMeetings } from '../../resources/index.ts';
import { roomsOfMeetings } from '../../rooms/index.ts';
import { bookRoomsOfAll } from '../../rooms/index.ts';
import { setTerminalsOfAll, terminalsOfMeetings } from '../../terminals/index.ts';
import { meetingTerminal } from '../../terminals/tables.ts';
import { passwordOf, sealPassword } from '../access/passwords.ts';
import { checkEncryption, type Body } from '../booking/type-rules.ts';
import { findParticipants, type Invitation } from '../repo.ts';
import { endTimeOf } from '../status.ts';
import { meeting, type MeetingParticipantRow, type MeetingRow } from '../tables.ts';
import { requestApprovals } from './meetings.ts';
import { byRow, inviteToAll, uninviteFromAll } from './repo.ts';

const COLUMNS = [
  'subject',
  'agenda',
  'waitingRoom',
  'timeZone',
  'joinBeforeHost',
  'muteOnEntry',
  'template',
  'e2ee',
  'autoRecord',
  'vip',
  'duration',
] as const;

/** The fields changed by an edit of one meeting, which also change in others of its series. */
export interface Changes {
  columns: Partial<Pick<MeetingRow, (typeof COLUMNS)[number]>>;
  password?: string;
  invitations?: readonly Invitation[];
  roomIds?: readonly string[];
  terminalIds?: readonly string[];
  /** Null: none; undefined: unchanged. */
  resourceId?: string | null;
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
const once = (ids: readonly string[]): string[] => [...new Set(ids)];

function invitationOf({ accountId, email, phone, name }: MeetingParticipantRow): Invitation {
  if (accountId !== null) return { accountId };
  return phone === null ? { email: email ?? '' } : { phone, name: name ?? '' };
}

/** What an edit changes of a meeting, except its start. */
export async function changesOf(
  tx: TenantTx,
  secrets: SecretBox,
  before: MeetingRow,
  body: Body,
  invitations: readonly Invitation[],
): Promise<Changes> {
  const rooms = (await roomsOfMeetings(tx, [before])).get(before.id) ?? [];
  const terminals = (await terminalsOfMeetings(tx, [before.id])).get(before.id) ?? [];
  const resourceId = (await resourcesOfMeetings(tx, [before])).get(before.id)?.id ?? null;
  const invited = (await findParticipants(tx, [before.id])).map(invitationOf);
  return {
    columns: Object.fromEntries(
      COLUMNS.filter((name) => before[name] !== body[name]).map((name) => [name, body[name]]),
    ),
    ...(passwordOf(secrets, before) === body.password ? {} : { password: body.password }),
    ...(isSame(invited, invitations) ? {} : { invitations }),
    ...(isSame(
      rooms.map(({ id }) => id),
      once(body.roomIds),
    )
      ? {}
      : { roomIds: once(body.roomIds) }),
    ...(isSame(
      terminals.map(({ id }) => id),
      once(body.terminalIds),
    )
      ? {}
      : { terminalIds: once(body.terminalIds) }),
    ...(resourceId === body.resourceId ? {} : { resourceId: body.resourceId }),
  };
}

/** The series that meetings belong to after a change, their starts by its rule, and their actual starts. */
export interface Place {
  seriesId: string;
  /** By the ids of all meetings that are changed. */
  recurrenceIds: ReadonlyMap<string, Date>;
  starts: ReadonlyMap<string, Date>;
}

/** Changes the rows of meetings in one statement, and counts the edit of each. */
async function updateRows(
  tx: TenantTx,
  secrets: SecretBox,
  rows: readonly MeetingRow[],
  { columns, password }: Changes,
  { seriesId, recurrenceIds, starts }: Place,
  now: Date,
): Promise<MeetingRow[]> {
  const ids = rows.map(({ id }) => id);
  const ends = new Map(
    rows.map((row) => [row.id, endTimeOf(starts.get(row.id) ?? row.startTime, columns.duration ?? row.duration)]),
  );
  const toTime = (time: Date) => sql`${time.toISOString()}::timestamptz`;
  const sealed =
    password === undefined
      ? {}
      : {
          passwordSealed:
            password === ''
              ? null
              : byRow(
                  meeting.id,
                  new Map(ids.map((id) => [id, sealPassword(secrets, tx.tenantId, id, password)])),
                  (text) => sql`${text}::text`,
                ),
        };
  return tx.update(
    meeting,
    {
      ...columns,
      ...sealed,
      seriesId,
      updatedAt: now,
      version: sql`${meeting.version} + 1`,
      recurrenceId: byRow(meeting.id, recurrenceIds, toTime),
      startTime: byRow(meeting.id, starts, toTime),
      endTime: byRow(meeting.id, ends, toTime),
    },
    inArray(meeting.id, ids),
  );
}

async function changeTerminals(tx: TenantTx, ids: readonly string[], terminalIds: readonly string[]): Promise<void> {
  const [first, ...others] = ids;
  if (first === undefined) return;
  if (others.length > 0) await tx.delete(meetingTerminal, inArray(meetingTerminal.meetingId, others));
  await setTerminalsOfAll(tx, ids, terminalIds);
}

/** Moves the expiry of guest links with their meetings, by `guestLinksUntil`. */
async function moveLinks(tx: TenantTx, ids: readonly string[]): Promise<void> {
  const expiresAt = sql`(select ${meeting.endTime} + interval '24 hours' from ${meeting} where ${meeting.id} =
    ${guestToken.meetingId})`;
  await tx.update(guestToken, { expiresAt }, inArray(guestToken.meetingId, [...ids]));
}

/**
 * Changes meetings of a series in the same way, all or none, in a few statements for any number of meetings. Fields
 * that the edit does not change keep their values.
 *
 * @throws AppError MEETING_RUNNING, and whatever the route declares of rooms, terminals and resources
 */
export async function changeMeetings(
  tx: TenantTx,
  { secrets, now, locale, timeZone }: { secrets: SecretBox; now: Date; locale: 'zh' | 'en'; timeZone: string },
  before: readonly MeetingRow[],
  changes: Changes,
  place: Place,
): Promise<void> {
  const ids = before.map(({ id }) => id);
  if (ids.length === 0) return;
  if (changes.columns.e2ee !== undefined) checkEncryption(before, changes.columns.e2ee);
  const isMoved =
    changes.columns.duration !== undefined ||
    before.some(({ id, startTime }) => place.starts.get(id)?.getTime() !== startTime.getTime());
  const own = await roomsOfMeetings(tx, before);
  const resources = await resourcesOfMeetings(tx, before);
  const rows = await updateRows(tx, secrets, before, changes, place, now);
  if (changes.invitations) {
    await uninviteFromAll(tx, ids);
    await inviteToAll(tx, ids, changes.invitations);
  }
  if (changes.terminalIds) await changeTerminals(tx, ids, changes.terminalIds);
  if (isMoved || changes.roomIds) {
    const wishes = rows.map(({ id, startTime, endTime }) => ({
      id,
      startTime,
      endTime,
      roomIds: changes.roomIds ?? (own.get(id) ?? []).map((room) => room.id),
    }));
    await bookRoomsOfAll(tx, wishes, { locale, timeZone });
  }
  const people = Map.groupBy(await findParticipants(tx, ids), ({ meetingId }) => meetingId);
  const terminals = await terminalsOfMeetings(tx, ids);
  const expected = ({ id }: MeetingRow): number => 1 + (people.get(id)?.length ?? 0) + (terminals.get(id)?.length ?? 0);
  const keyOf = (row: MeetingRow): string =>
    `${changes.resourceId === undefined ? (resources.get(row.id)?.id ?? '') : (changes.resourceId ?? '')} ` +
    expected(row);
  for (const [key, group] of Map.groupBy(rows, keyOf)) {
    const [resourceId = '', ports] = key.split(' ');
    await bookResource(tx, group, { resourceId: resourceId === '' ? null : resourceId, ports: Number(ports) });
  }
  if (isMoved) await moveLinks(tx, ids);
  await requestApprovals(tx, rows, expected, now);
}

/**
 * Counts an edit of the series' other meetings too, because a page that shows one of them shows an outdated series.
 */
export async function countEdit(tx: TenantTx, seriesId: string, changed: readonly string[]): Promise<void> {
  const others = and(
    eq(meeting.seriesId, seriesId),
    ne(meeting.status, 'OFFLINE'),
    changed.length > 0 ? notInArray(meeting.id, [...changed]) : undefined,
  );
  await tx.update(meeting, { version: sql`${meeting.version} + 1` }, allOf(others ?? eq(meeting.seriesId, seriesId)));
}
