import { beginningControl } from '@rmeet/conference';
import type { EndedWhy } from '@rmeet/contract';
import { newId, type Db, type TenantTx } from '../../../platform/db/index.ts';
import type { Log } from '../../../platform/log/log.ts';
import { AppError } from '../../../platform/http/index.ts';
import type { Media } from '../../../platform/media/index.ts';
import type { Push } from '../../../platform/push/index.ts';
import { announceMeeting, findMeeting, isEarly, moveMeeting, refusalToOpen } from '../../meetings/index.ts';
import type { MeetingRow } from '../../meetings/tables.ts';
import type { BroadcastPort } from '../broadcast/port.ts';
import type { ConferenceEvents } from '../events.ts';
import type { RecordingPort } from '../recording/port.ts';
import { dropReports } from '../desk/reports.ts';
import { countAdmitted, endConference, findPresent, findRunning, insertConference, updateTerminals } from '../repo.ts';
import type { ConferenceRow, TerminalRow } from '../tables.ts';
import { mediaOf, roomName } from './media-rooms.ts';

/**
 * Places of a LiveKit room beyond the conference's capacity: the host enters a full conference, a reconnecting terminal
 * briefly takes a second place, and desks watch (20 at most).
 */
const SPARE_PLACES = 30;
/** Attempts to open a conference: it may end while its room is created, and then the next one is opened. */
const OPEN_ATTEMPTS = 3;

export interface LifecycleDeps {
  db: Db;
  push: Push;
  media: Media;
  log: Log;
  now: () => Date;
  recordings: Pick<RecordingPort, 'conferenceEnded'>;
  broadcasts: Pick<BroadcastPort, 'conferenceEnded'>;
  events: Pick<ConferenceEvents, 'started' | 'ended'>;
  /** How many terminals a conference admits. */
  capacity: number;
}

/** What else is written in the transaction that opens or ends a conference. */
type OnOpen = (tx: TenantTx) => Promise<void>;
type OnEnd = (tx: TenantTx, ended: ConferenceRow) => Promise<void>;

/** Opens and ends conferences. */
export class Lifecycle {
  readonly #deps: LifecycleDeps;

  constructor(deps: LifecycleDeps) {
    this.#deps = deps;
  }

  /**
   * Creates the LiveKit room of a conference; an existing room is left as it is.
   *
   * @throws AppError MEDIA_UNAVAILABLE
   */
  async makeRoom(conference: ConferenceRow): Promise<void> {
    const { media, log, capacity } = this.#deps;
    try {
      await mediaOf(media, conference).createRoom(roomName(conference), { capacity: capacity + SPARE_PLACES });
    } catch (error) {
      log.warn({ error, conferenceId: conference.id }, 'The media engine did not create a room');
      throw new AppError('MEDIA_UNAVAILABLE');
    }
  }

  /**
   * Creates the next room of a conference, in another zone or again in the same one. Changes nothing else.
   *
   * @throws AppError ZONE_UNAVAILABLE
   */
  async makeNext(
    conference: Pick<ConferenceRow, 'id' | 'generation'>,
    target: { zoneId: string; mcuId: string | null },
  ): Promise<void> {
    const { media, log, capacity } = this.#deps;
    const name = roomName({ id: conference.id, generation: conference.generation + 1 });
    try {
      await mediaOf(media, target).createRoom(name, { capacity: capacity + SPARE_PLACES, server: target.mcuId });
    } catch (error) {
      log.warn({ error, conferenceId: conference.id, ...target }, 'The media engine did not create a room to move to');
      throw new AppError('ZONE_UNAVAILABLE');
    }
  }

  /** Sets the meeting to running, because the media engine has the room. False if the conference has ended. */
  async connected({ id, tenantId, meetingId }: ConferenceRow): Promise<boolean> {
    const { db, push, now } = this.#deps;
    return db.tenant(tenantId, async (tx) => {
      const running = await findRunning(tx, meetingId, true);
      if (running?.id !== id) return false;
      if (await moveMeeting(tx, meetingId, 'connect', now())) await announceMeeting(push, tx, meetingId);
      return true;
    });
  }

  /**
   * The running conference of a meeting, with its room created. Opens a conference if there is none.
   *
   * @param onOpen runs in the transaction that opens it
   */
  async open(meeting: MeetingRow, onOpen?: OnOpen): Promise<ConferenceRow> {
    const { db, media } = this.#deps;
    const running = await db.tenant(meeting.tenantId, (tx) => findRunning(tx, meeting.id));
    if (!(running ? mediaOf(media, running) : media).available()) throw new AppError('MEDIA_UNAVAILABLE');
    for (let attempt = 0; attempt < OPEN_ATTEMPTS; attempt += 1) {
      const conference = await db.tenant(meeting.tenantId, (tx) => this.#findOrInsert(tx, meeting, onOpen));
      await this.makeRoom(conference);
      if (meeting.status === 'ONLINE' || (await this.connected(conference))) return conference;
    }
    throw new AppError('SERVICE_BUSY');
  }

  /**
   * Ends a conference for everybody in it and in its waiting room. With the reason `empty` it ends only if no terminal
   * is inside. A meeting that ends before its start time returns to booked.
   *
   * @param move `end`: the meeting is over; `close`: it may be opened again until its end time; `fail`: the same, for a
   *   meeting that was never connected
   * @param onEnd runs in the same transaction: the command, and other records of the end
   * @param why the reason for those inside, if nobody gave the command to end it
   * @returns false if the conference had already ended
   */
  async end(
    conference: Pick<ConferenceRow, 'id' | 'tenantId' | 'meetingId'>,
    reason: 'ended' | 'empty',
    move: 'end' | 'close' | 'fail',
    onEnd: OnEnd,
    why?: EndedWhy,
  ): Promise<boolean> {
    const { db, push, media, recordings, broadcasts, events, now } = this.#deps;
    return db.tenant(conference.tenantId, async (tx) => {
      const at = now();
      const running = await findRunning(tx, conference.meetingId, true);
      if (running?.id !== conference.id) return false;
      if (reason === 'empty' && (await countAdmitted(tx, conference.id)) > 0) return false;
      const ended = await endConference(tx, conference.id, at, reason);
      if (!ended) return false;
      const dismissed = await dismissTerminals(tx, conference.id, at);
      const meeting = await findMeeting(tx, conference.meetingId);
      const isBeforeStart = meeting !== undefined && isEarly(meeting, at);
      await moveMeeting(tx, conference.meetingId, move === 'end' && isBeforeStart ? 'close' : move, at);
      await dropReports(tx, conference.id);
      await recordings.conferenceEnded(tx, conference.id, at);
      await broadcasts.conferenceEnded(tx, conference.meetingId, at);
      await announceMeeting(push, tx, conference.meetingId);
      await events.ended(tx, ended, dismissed);
      await onEnd(tx, ended);
      await push.publish(tx, `meeting:${conference.meetingId}`, {
        type: 'ended',
        why: endedWhy(reason, isBeforeStart, why),
        conferenceId: conference.id,
      });
      if (mediaOf(media, ended).available()) tx.afterCommit(() => this.#dropRoom(ended));
      return true;
    });
  }

  /** Deletes the LiveKit room; if that fails, the reconciler deletes it. */
  async #dropRoom(conference: ConferenceRow): Promise<void> {
    const { media, log } = this.#deps;
    try {
      await mediaOf(media, conference).deleteRoom(roomName(conference));
    } catch (error) {
      log.warn({ error, conferenceId: conference.id }, 'The media engine did not delete a room');
    }
  }

  async #findOrInsert(tx: TenantTx, meeting: MeetingRow, onOpen: OnOpen | undefined): Promise<ConferenceRow> {
    const { push, events, now } = this.#deps;
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
    // The meeting may have been cancelled since the caller read it.
    const moved = await moveMeeting(tx, meeting.id, 'open', now());
    if (!moved) throw new AppError('MEETING_ENDED');
    const refusal = refusalToOpen({ ...moved, status: 'SCHEDULE' });
    if (refusal) throw new AppError(refusal);
    await onOpen?.(tx);
    await announceMeeting(push, tx, meeting.id);
    await events.started(tx, opened);
    return opened;
  }
}

/** The reason told to those inside and waiting. That a booking remains matters more to them than the time limit. */
function endedWhy(reason: 'ended' | 'empty', isBeforeStart: boolean, why: EndedWhy | undefined): EndedWhy {
  if (why === 'cancelled' || why === 'closed') return why;
  if (isBeforeStart) return 'early';
  return why ?? (reason === 'empty' ? 'empty' : 'over');
}

/** Marks all terminals of an ended conference as left, and returns those that were inside. */
async function dismissTerminals(tx: TenantTx, conferenceId: string, at: Date): Promise<TerminalRow[]> {
  const present = await findPresent(tx, [conferenceId]);
  const rows = await updateTerminals(
    tx,
    present.map((row) => row.termId),
    ['waiting', 'admitted'],
    { state: 'left', leftAt: at, handRaisedAt: null },
  );
  const inside = new Set(present.filter((row) => row.state === 'admitted').map((row) => row.termId));
  return rows.filter((row) => inside.has(row.termId));
}
