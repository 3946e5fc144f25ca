import { beginningControl } from '@rmeet/conference';
import { newId, type Db, type TenantTx } from '../../../platform/db/index.ts';
import type { Log } from '../../../platform/log/log.ts';
import { AppError } from '../../../platform/http/index.ts';
import type { Media } from '../../../platform/media/types.ts';
import type { Push } from '../../../platform/push/index.ts';
import { announceMeeting, findMeeting, isEarly, moveMeeting, refusalToOpen } from '../../meetings/index.ts';
import type { MeetingRow } from '../../meetings/tables.ts';
import { dropReports } from '../desk/reports.ts';
import { countAdmitted, endConference, findPresent, findRunning, insertConference, updateTerminals } from '../repo.ts';
import type { ConferenceRow } from '../tables.ts';

/**
 * Spare places of a LiveKit room: its host comes in when the conference is full, reconnecting takes a second place for
 * a moment, and desks watch (20 at most).
 */
const SPARE_PLACES = 30;
/** A conference may end while its room is made; then the next one is opened. */
const OPEN_TRIES = 3;

export interface LifecycleDeps {
  db: Db;
  push: Push;
  media: Media;
  log: Log;
  now: () => Date;
  /** How many terminals a conference takes. */
  capacity: number;
}

/** What else is written in the transaction that opens or ends a conference. */
type Record = (tx: TenantTx) => Promise<void>;
type RecordEnd = (tx: TenantTx, ended: ConferenceRow) => Promise<void>;

export type Lifecycle = ReturnType<typeof createLifecycle>;

/** The LiveKit room of a conference. */
export function roomOf(conference: Pick<ConferenceRow, 'id' | 'generation'>): string {
  return `${conference.id}.${conference.generation}`;
}

const ROOM_NAME = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(\d+)$/;

/** The conference and the generation a room is named after; undefined for a name of another kind. */
export function partsOfRoom(name: string): { id: string; generation: number } | undefined {
  const [, id, generation] = ROOM_NAME.exec(name) ?? [];
  return id === undefined ? undefined : { id, generation: Number(generation) };
}

/** How long terminals may take to go over to a new room; then the old one goes. */
export const MOVE_GRACE = 20_000;

/** The engine of the zone a conference is in. */
export function mediaOf(media: Media, { zoneId }: Pick<ConferenceRow, 'zoneId'>): Media {
  return media.in(zoneId);
}

/** A room that terminals of a conference may be in, and the engine that has it. */
export interface OpenRoom {
  media: Media;
  name: string;
}

/** The room of a conference, and while terminals go over to it, the one before. */
export function roomsOf(
  media: Media,
  conference: Pick<ConferenceRow, 'id' | 'generation' | 'zoneId' | 'previousZoneId' | 'movedAt'>,
  now: Date,
): OpenRoom[] {
  const { id, generation, previousZoneId, movedAt } = conference;
  const isMoving = previousZoneId !== null && movedAt !== null && now.getTime() - movedAt.getTime() < MOVE_GRACE;
  const before = isMoving
    ? [{ media: media.in(previousZoneId), name: roomOf({ id, generation: generation - 1 }) }]
    : [];
  return [{ media: mediaOf(media, conference), name: roomOf(conference) }, ...before];
}

/** How conferences begin and end. */
export function createLifecycle({ db, push, media, log, now, capacity }: LifecycleDeps) {
  /** Makes the LiveKit room; it stays as it is when it is there. Throws MEDIA_UNAVAILABLE. */
  async function makeRoom(conference: ConferenceRow): Promise<void> {
    try {
      await mediaOf(media, conference).createRoom(roomOf(conference), { capacity: capacity + SPARE_PLACES });
    } catch (error) {
      log.warn({ error, conferenceId: conference.id }, 'The media engine did not make a room');
      throw new AppError('MEDIA_UNAVAILABLE');
    }
  }

  /** Deletes the LiveKit room; what fails now is deleted by the reconciler. */
  async function dropRoom(conference: ConferenceRow): Promise<void> {
    try {
      await mediaOf(media, conference).deleteRoom(roomOf(conference));
    } catch (error) {
      log.warn({ error, conferenceId: conference.id }, 'The media engine did not delete a room');
    }
  }

  async function insertOrFind(tx: TenantTx, meeting: MeetingRow, record: Record | undefined): Promise<ConferenceRow> {
    const running = await findRunning(tx, meeting.id);
    if (running) return running;
    const opened = await insertConference(tx, {
      id: newId(),
      meetingId: meeting.id,
      type: meeting.type,
      startedAt: now(),
      control: beginningControl(meeting),
    });
    if (!opened) {
      const other = await findRunning(tx, meeting.id);
      if (!other) throw new AppError('SERVICE_BUSY');
      return other;
    }
    // Between the caller's look and now somebody may have cancelled the meeting.
    const moved = await moveMeeting(tx, meeting.id, 'open', now());
    if (!moved) throw new AppError('MEETING_ENDED');
    const refusal = refusalToOpen({ ...moved, status: 'SCHEDULE' });
    if (refusal) throw new AppError(refusal);
    await record?.(tx);
    await announceMeeting(push, tx, meeting.id);
    return opened;
  }

  /** The media engine has the room: the meeting runs. Answers whether the conference does still. */
  async function connected({ id, tenantId, meetingId }: ConferenceRow): Promise<boolean> {
    return db.tenant(tenantId, async (tx) => {
      const running = await findRunning(tx, meetingId, true);
      if (running?.id !== id) return false;
      if (await moveMeeting(tx, meetingId, 'connect', now())) await announceMeeting(push, tx, meetingId);
      return true;
    });
  }

  return {
    makeRoom,
    connected,

    /**
     * Makes the next room of a conference elsewhere, or anew where it is; nothing is changed but that it is there.
     *
     * @throws AppError ZONE_UNAVAILABLE
     */
    async makeNext(
      conference: Pick<ConferenceRow, 'id' | 'generation'>,
      target: { zoneId: string; mcuId: string | null },
    ): Promise<void> {
      const name = roomOf({ id: conference.id, generation: conference.generation + 1 });
      try {
        await mediaOf(media, target).createRoom(name, { capacity: capacity + SPARE_PLACES, server: target.mcuId });
      } catch (error) {
        log.warn({ error, conferenceId: conference.id, ...target }, 'The media engine did not make a room to move to');
        throw new AppError('ZONE_UNAVAILABLE');
      }
    },

    /**
     * The running conference of a meeting with its room made; opened when there is none, `record` being part of that.
     */
    async open(meeting: MeetingRow, record?: Record): Promise<ConferenceRow> {
      const running = await db.tenant(meeting.tenantId, (tx) => findRunning(tx, meeting.id));
      if (!(running ? mediaOf(media, running) : media).available()) throw new AppError('MEDIA_UNAVAILABLE');
      for (let tries = 0; tries < OPEN_TRIES; tries += 1) {
        const conference = await db.tenant(meeting.tenantId, (tx) => insertOrFind(tx, meeting, record));
        await makeRoom(conference);
        if (meeting.status === 'ONLINE' || (await connected(conference))) return conference;
      }
      throw new AppError('SERVICE_BUSY');
    },

    /**
     * Ends a conference for everybody inside and waiting; as `empty` only when really nobody is inside. Before its
     * time, the meeting is never over by it: it is again as it was booked.
     *
     * @param move `end`: the meeting is over; `close`: it may be opened again until its time is up; `fail`: likewise,
     *   for it was never connected
     * @param record is part of it: the command, and what else is to be known of the end
     * @param why what those inside are told beyond that
     * @returns false when it was over already
     */
    async end(
      conference: Pick<ConferenceRow, 'id' | 'tenantId' | 'meetingId'>,
      reason: 'ended' | 'empty',
      move: 'end' | 'close' | 'fail',
      record: RecordEnd,
      why?: 'cancelled',
    ): Promise<boolean> {
      return db.tenant(conference.tenantId, async (tx) => {
        const at = now();
        const running = await findRunning(tx, conference.meetingId, true);
        if (running?.id !== conference.id) return false;
        if (reason === 'empty' && (await countAdmitted(tx, conference.id)) > 0) return false;
        const ended = await endConference(tx, conference.id, at, reason);
        if (!ended) return false;
        const present = await findPresent(tx, [conference.id]);
        await updateTerminals(
          tx,
          present.map((row) => row.termId),
          ['waiting', 'admitted'],
          { state: 'left', leftAt: at, handRaisedAt: null },
        );
        const meeting = await findMeeting(tx, conference.meetingId);
        const isSoon = meeting !== undefined && isEarly(meeting, at);
        await moveMeeting(tx, conference.meetingId, move === 'end' && isSoon ? 'close' : move, at);
        await dropReports(tx, conference.id);
        await announceMeeting(push, tx, conference.meetingId);
        await record(tx, ended);
        await push.publish(tx, `meeting:${conference.meetingId}`, {
          type: 'ended',
          why: why ?? (isSoon ? 'early' : 'over'),
          conferenceId: conference.id,
        });
        if (mediaOf(media, ended).available()) tx.afterCommit(() => dropRoom(ended));
        return true;
      });
    },
  };
}
