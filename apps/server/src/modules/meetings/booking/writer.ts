import type { ReceivedFile } from '@rmeet/contract';
import { newId, type TenantTx } from '../../../platform/db/index.ts';
import { AppError, type Context, type UserCaller } from '../../../platform/http/index.ts';
import type { SecretBox } from '../../../platform/secrets/index.ts';
import type { Storage } from '../../../platform/storage/index.ts';
import { findTenant } from '../../accounts/tenants/index.ts';
import { bookResource, retimeResource, terminalsExpected } from '../../resources/index.ts';
import { bookRooms, roomsOfMeetings } from '../../rooms/index.ts';
import { setTerminals } from '../../terminals/index.ts';
import { mustBeChangeable } from '../access/access.ts';
import { sealPassword } from '../access/passwords.ts';
import { addFiles, keepFiles } from '../files/files.ts';
import { resolveParticipants } from '../invitees/resolve.ts';
import { insertMeeting, moveGuestLinks, replaceParticipants, updateMeeting, type Invitation } from '../repo.ts';
import { endTimeOf, guestLinksUntil } from '../status.ts';
import type { meeting, MeetingRow } from '../tables.ts';
import { requestApproval } from './approvals.ts';
import { checkEncryption, checkType, withoutConference, type Body } from './type-rules.ts';

type UserContext = Context<UserCaller>;

/** A start time this far in the past still counts as now: clocks differ, and forms take a while to fill in. */
const START_TOLERANCE = 5 * 60_000;

/** What identifies a new meeting, besides its body: number, type and series. */
export type Identity = Pick<typeof meeting.$inferInsert, 'number' | 'type'> &
  Partial<Omit<typeof meeting.$inferInsert, 'tenantId' | 'id'>>;

/** Files that are added, and which existing ones are kept; all of them if undefined. */
export interface FileChange {
  received: readonly ReceivedFile[];
  keepFileIds?: readonly string[] | undefined;
}

export interface MeetingWriterDeps {
  secrets: SecretBox;
  storage: Storage;
  now: () => Date;
}

/** @throws AppError QUOTA_DURATION */
async function checkDuration(tx: TenantTx, duration: number): Promise<void> {
  const minutes = (await findTenant(tx, tx.tenantId))?.maxMeetingMinutes ?? null;
  if (minutes !== null && duration > minutes) throw new AppError('QUOTA_DURATION', { minutes });
}

/** @throws AppError MEETING_IN_PAST for a new start in the past */
function checkStart(startTime: Date, now: Date, before?: Pick<MeetingRow, 'startTime'>): void {
  if (startTime.getTime() !== before?.startTime.getTime() && startTime.getTime() < now.getTime() - START_TOLERANCE)
    throw new AppError('MEETING_IN_PAST');
}

const timesOf = (startTime: Date, duration: number): Pick<MeetingRow, 'startTime' | 'duration' | 'endTime'> => ({
  startTime,
  duration,
  endTime: endTimeOf(startTime, duration),
});

/** @throws AppError VIP_NOT_ALLOWED; an important meeting may stay important in any edit */
function checkVip({ caller }: UserContext, vip: boolean, before?: Pick<MeetingRow, 'vip'>): void {
  if (vip && !before?.vip && !caller.permissions.includes('sys:vipMeeting')) throw new AppError('VIP_NOT_ALLOWED');
}

/** The meeting fields of a request, as columns of its row. */
function columnsOf(tx: TenantTx, body: Body, id: string, { secrets, now }: { secrets: SecretBox; now: Date }) {
  return {
    subject: body.subject,
    agenda: body.agenda,
    waitingRoom: body.waitingRoom,
    timeZone: body.timeZone,
    joinBeforeHost: body.joinBeforeHost,
    muteOnEntry: body.muteOnEntry,
    template: body.template,
    e2ee: body.e2ee,
    autoRecord: body.autoRecord,
    vip: body.vip,
    passwordSealed: sealPassword(secrets, tx.tenantId, id, body.password),
    ...timesOf(new Date(body.startTime), body.duration),
    updatedAt: now,
  };
}

/** Stores the participants, room terminals, rooms and media resource of a meeting. */
async function storeRelated(
  tx: TenantTx,
  context: UserContext,
  row: MeetingRow,
  body: Body,
  invitations: readonly Invitation[],
  { isNew }: { isNew: boolean },
): Promise<void> {
  await replaceParticipants(tx, row.id, invitations);
  await setTerminals(tx, row.id, body.terminalIds);
  await bookRooms(tx, row, body.roomIds, context.locale);
  const ports = terminalsExpected(invitations, body);
  await bookResource(tx, [row], { resourceId: body.resourceId, ports, isNew });
}

/**
 * Changes a meeting to another time, to find out whether it is possible. The transaction must be rolled back.
 *
 * @throws AppError the errors of change() about the time
 */
export async function tryTimes(
  tx: TenantTx,
  context: UserContext,
  before: MeetingRow,
  wish: { startTime?: Date | undefined; duration?: number | undefined },
  now: Date,
): Promise<void> {
  const { startTime = before.startTime, duration = before.duration } = wish;
  mustBeChangeable(before, now);
  await checkDuration(tx, duration);
  checkStart(startTime, now, before);
  const moved = { ...before, ...timesOf(startTime, duration) };
  const rooms = (await roomsOfMeetings(tx, [before])).get(before.id) ?? [];
  await bookRooms(
    tx,
    moved,
    rooms.map(({ id }) => id),
    context.locale,
  );
  await retimeResource(tx, moved);
}

/** Books and changes meetings, one at a time, within the caller's transaction. */
export function createMeetingWriter({ secrets, storage, now }: MeetingWriterDeps) {
  const detailsOf = (tx: TenantTx, body: Body, id: string) => columnsOf(tx, body, id, { secrets, now: now() });

  /** Checks the body of a booking or an edit. @throws AppError */
  async function check(
    tx: TenantTx,
    context: UserContext,
    { type, hostId }: Pick<MeetingRow, 'type' | 'hostId'>,
    body: Body,
    before?: MeetingRow,
  ): Promise<Invitation[]> {
    checkType(type, body);
    if (before !== undefined) checkEncryption([before], body.e2ee);
    checkVip(context, body.vip, before);
    await checkDuration(tx, body.duration);
    checkStart(new Date(body.startTime), now(), before);
    return resolveParticipants(tx, body.participants, hostId);
  }

  return {
    check,
    detailsOf,

    /**
     * Checks and stores one meeting with its people, rooms, terminals and files. Audit log and notices are left to the
     * caller.
     *
     * @throws AppError whatever its route declares
     */
    async insert(
      tx: TenantTx,
      context: UserContext,
      identity: Identity,
      given: Body,
      files: readonly ReceivedFile[] = [],
    ): Promise<MeetingRow> {
      const id = newId();
      const body = identity.hasConference === false ? withoutConference(given) : given;
      const hostId = context.caller.userId;
      const invitations = await check(tx, context, { type: identity.type, hostId }, body);
      const row = await insertMeeting(tx, { id, hostId, createdAt: now(), ...detailsOf(tx, body, id), ...identity });
      await storeRelated(tx, context, row, body, invitations, { isNew: true });
      await addFiles(tx, id, files, now());
      return requestApproval(tx, row, terminalsExpected(invitations, body), now());
    },

    /**
     * Checks and stores an edit of one meeting in the same way.
     *
     * @param before the meeting before the edit, locked to the end of the transaction
     * @param place its place in a series whose first meeting it becomes
     * @throws AppError MEETING_CONFLICT if `version` is not the newest, and whatever its route declares
     */
    async change(
      tx: TenantTx,
      context: UserContext,
      before: MeetingRow,
      given: Body & { version: number },
      { received, keepFileIds }: FileChange = { received: [] },
      place?: Pick<MeetingRow, 'seriesId' | 'recurrenceId'>,
    ): Promise<MeetingRow> {
      const body = before.hasConference ? given : withoutConference(given);
      if (before.version !== body.version) throw new AppError('MEETING_CONFLICT');
      const { id } = before;
      const invitations = await check(tx, context, before, body, before);
      const row = await updateMeeting(tx, id, body.version, {
        ...detailsOf(tx, body, id),
        ...(place ?? { detached: before.seriesId !== null }),
      });
      if (!row) throw new AppError('MEETING_CONFLICT');
      await storeRelated(tx, context, row, body, invitations, { isNew: false });
      await moveGuestLinks(tx, id, guestLinksUntil(row.endTime));
      if (keepFileIds) await keepFiles(tx, storage, id, keepFileIds);
      await addFiles(tx, id, received, now());
      return requestApproval(tx, row, terminalsExpected(invitations, body), now());
    },
  };
}

export type MeetingWriter = ReturnType<typeof createMeetingWriter>;
