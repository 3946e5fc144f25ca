import type { Db, TenantTx } from '../../../platform/db/index.ts';
import type { Log } from '../../../platform/log/log.ts';
import { Rounds } from '../../../platform/rounds/index.ts';
import type { Media } from '../../../platform/media/index.ts';
import type { Push } from '../../../platform/push/index.ts';
import { recordAudit, systemOrigin } from '../../audit/index.ts';
import { findMeeting, isEarly } from '../../meetings/index.ts';
import type { Control, Polling } from '../control/index.ts';
import { findAllRunning, findDisabled, findEnded, findOverdue, findPresent } from '../repo.ts';
import type { RecordingPort } from '../recording/port.ts';
import type { ConferenceRow, TerminalRow } from '../tables.ts';
import type { Enforcer } from './enforcer.ts';
import type { Lease } from './lease.ts';
import type { Lifecycle } from './lifecycle.ts';
import { mediaOf, MOVE_GRACE, roomName } from './media-rooms.ts';
import {
  currentRoom,
  findWatchers,
  observeConference,
  observeRooms,
  participantsOf,
  type ObservedConference,
  type ObservedRoom,
} from './observation.ts';
import { comparePresence, emptyOutcome, type Missing } from './presence-check.ts';
import { recordPresence } from './presence-record.ts';
import type { RoomWatch } from './room-watch.ts';

const INTERVAL = 1_000;
/** Interval while a client misuses an old token, which works until the next round each time it is used. */
const ALERT_INTERVAL = 200;
const ALERT = 10_000;
/**
 * After a longer gap between two rounds (a restart, a database outage, a clock that jumped), no terminal counts as
 * missing for the time of the gap.
 */
const MAX_GAP = 10_000;

export interface ReconcilerDeps {
  db: Db;
  push: Push;
  media: Media;
  lifecycle: Lifecycle;
  control: Pick<Control, 'depart' | 'logEnd'>;
  enforcer: Enforcer;
  roomWatch: RoomWatch;
  recordings: Pick<RecordingPort, 'recordersIn'>;
  lease: Lease;
  /** Runs in every server process, whichever has the lease. */
  touchPresence: () => Promise<void>;
  /** Ends rings whose time is over; needs no media engine. */
  settleRings: () => Promise<void>;
  /** What happens in running conferences as time passes. */
  schedule: {
    polling: Pick<Polling, 'review' | 'keepOnly'>;
    /** Removes expired captions and applies due scenes. */
    applyDue: (running: readonly ConferenceRow[]) => Promise<void>;
  };
  log: Log;
  now: () => Date;
}

/** The terminals of one conference in the database. */
interface StoredPresence {
  present: TerminalRow[];
  /** Terminals whose account or tenant was disabled. */
  disabled: TerminalRow[];
}

/**
 * Compares the media engine with the conferences in the database, once a second: removes participants who were not
 * admitted, corrects permissions that differ from the control state, records joins and leaves, recreates rooms that
 * were lost with a media process, and ends conferences that are empty or have reached their tenant's time limit. It
 * keeps nothing that cannot be found again, so it continues after a restart.
 */
export class Reconciler {
  readonly #deps: ReconcilerDeps;
  /** By conference id. */
  readonly #missing = new Map<string, Missing>();
  /** When the last successful round began. */
  #lastRoundAt = Number.NEGATIVE_INFINITY;
  /** Since when there has been no gap between rounds. */
  #watchedSince = 0;
  /** Rounds use the short interval until then, ms. */
  #alertUntil = 0;
  readonly #rounds: Rounds;

  constructor(deps: ReconcilerDeps) {
    this.#deps = deps;
    this.#rounds = new Rounds({
      run: () => this.tick(),
      interval: () => (deps.now().getTime() < this.#alertUntil ? ALERT_INTERVAL : INTERVAL),
      onFailure: (error) => deps.log.warn({ error }, 'The reconciler failed; it retries every second'),
      onRecovery: () => deps.log.info('The reconciler works again'),
    });
  }

  start(): void {
    this.#rounds.start();
  }

  async stop(): Promise<void> {
    await this.#rounds.stop();
    await this.#deps.enforcer.idle();
    await this.#deps.lease.release();
  }

  /** One round. */
  async tick(): Promise<void> {
    const at = this.#deps.now().getTime();
    if (Math.abs(at - this.#lastRoundAt) > MAX_GAP) {
      this.#missing.clear();
      this.#watchedSince = at;
    }
    await this.#reconcile();
    this.#lastRoundAt = at;
  }

  /**
   * Reads the media engine before the database, so that a terminal admitted in between does not count as unauthorized.
   */
  async #reconcile(): Promise<void> {
    const { db, media, roomWatch, lease, touchPresence, settleRings } = this.#deps;
    await touchPresence();
    await settleRings();
    const { rooms, unavailable, failure } = await observeRooms(media);
    const all = await db.platform(findAllRunning);
    const unreachable = all.filter((conference) => unavailable.has(mediaOf(media, conference)));
    for (const { id } of unreachable) this.#missing.delete(id);
    if (unreachable.length > 0 && (await lease.hold())) await roomWatch.update(unreachable, new Set());
    if (unavailable.size < media.zones().length) {
      const reachable = all.filter((conference) => !unreachable.includes(conference));
      await this.#settleAll(reachable, rooms, all);
    }
    if (failure !== undefined) throw failure as Error;
  }

  /**
   * @param running conferences in zones whose engine answers
   * @param all all running conferences
   */
  async #settleAll(
    running: readonly ConferenceRow[],
    rooms: readonly ObservedRoom[],
    all: readonly ConferenceRow[],
  ): Promise<void> {
    const { db, lease, recordings, roomWatch, schedule, now } = this.#deps;
    for (const id of this.#missing.keys())
      if (!all.some((conference) => conference.id === id)) this.#missing.delete(id);
    if ((running.length === 0 && rooms.length === 0) || !(await lease.hold())) return;
    await this.#endOverdue();
    schedule.polling.keepOnly(new Set(all.map(({ id }) => id)));
    await schedule.applyDue(running);

    await this.#dropRoomsOfEnded(rooms, all);
    const { observed, withRoom } = await this.#observeAll(running, rooms);
    await roomWatch.update(running, withRoom);
    const ids = running.map(({ id }) => id);
    const [present, disabled, watchers] = await db.platform(async (tx) => {
      const inside = await findPresent(tx, ids);
      return [
        inside,
        await findDisabled(tx, ids),
        await findWatchers(tx, observed, inside, recordings, now()),
      ] as const;
    });
    for (const conference of running) {
      const one = observed.get(conference.id);
      const isOwn = (row: TerminalRow): boolean => row.conferenceId === conference.id;
      if (one) {
        const stored = { present: present.filter(isOwn), disabled: disabled.filter(isOwn) };
        await this.#settle(conference, one, stored, watchers);
      }
    }
  }

  /** Deletes rooms of ended conferences: a media token outlives its conference and could fill them again. */
  async #dropRoomsOfEnded(rooms: readonly ObservedRoom[], running: readonly ConferenceRow[]): Promise<void> {
    const runningIds = new Set(running.map(({ id }) => id));
    const candidates = rooms.filter(({ id }) => !runningIds.has(id));
    if (candidates.length === 0) return;
    const ids = candidates.map(({ id }) => id);
    const ended = new Set((await this.#deps.db.platform((tx) => findEnded(tx, ids))).map(({ id }) => id));
    for (const { media, name, id } of candidates) if (ended.has(id)) await media.deleteRoom(name);
  }

  /** Observes each conference. Rooms that were lost are recreated and observed in the next round. */
  async #observeAll(
    running: readonly ConferenceRow[],
    rooms: readonly ObservedRoom[],
  ): Promise<{ observed: Map<string, ObservedConference>; withRoom: Set<string> }> {
    const { media, lifecycle, log } = this.#deps;
    const byConference = Map.groupBy(rooms, ({ id }) => id);
    const withRoom = new Set<string>();
    const observed = new Map<string, ObservedConference>();
    const observe = async (conference: ConferenceRow): Promise<void> => {
      const own = byConference.get(conference.id) ?? [];
      const room = currentRoom(media, conference, own);
      if (room) {
        withRoom.add(conference.id);
        observed.set(conference.id, await observeConference(conference, room, own));
        return;
      }
      await lifecycle.makeRoom(conference);
      withRoom.add(conference.id);
      this.#missing.delete(conference.id);
    };
    for (const [index, result] of (await Promise.allSettled(running.map(observe))).entries()) {
      if (result.status === 'rejected')
        log.warn(
          { error: result.reason as unknown, conferenceId: running[index]?.id },
          'The participants of a conference could not be listed',
        );
    }
    return { observed, withRoom };
  }

  /** Brings one conference in line. */
  async #settle(
    conference: ConferenceRow,
    observed: ObservedConference,
    { present, disabled }: StoredPresence,
    watchers: ReadonlySet<string>,
  ): Promise<void> {
    const { db, enforcer, schedule, now } = this.#deps;
    const everywhere = participantsOf(observed);
    const missing = this.#missing.get(conference.id) ?? new Map<string, number>();
    this.#missing.set(conference.id, missing);
    const identities = new Set(everywhere.map(({ identity }) => identity));
    const findings = comparePresence(identities, present, watchers, missing, now(), this.#watchedSince);
    for (const termId of missing.keys()) if (!present.some((row) => row.termId === termId)) missing.delete(termId);

    const { unauthorized, arrived, vanished, abandoned, isEmpty } = findings;
    const isChanged =
      arrived.length + vanished.length + abandoned.length + disabled.length > 0 ||
      isEmpty !== (conference.emptySince !== null);
    if (isChanged)
      await db.tenant(conference.tenantId, (tx) => recordPresence(this.#deps, tx, conference, findings, disabled));
    await this.#remove(conference, observed, new Set([...unauthorized, ...disabled.map((row) => row.termId)]));
    schedule.polling.review(conference, everywhere);
    const differed = enforcer.review(conference, everywhere, observed.metadata);
    await this.#dropPreviousRooms(conference, observed, watchers);
    if (unauthorized.length > 0 || differed) this.#alertUntil = now().getTime() + ALERT;
    const hasWaiting = present.some((row) => row.state === 'waiting');
    if (isEmpty) await this.#settleEmpty(conference, hasWaiting);
  }

  /** Removes participants from all rooms of a conference. */
  async #remove(
    conference: ConferenceRow,
    { participants, previous }: ObservedConference,
    identities: ReadonlySet<string>,
  ): Promise<void> {
    const current = { media: mediaOf(this.#deps.media, conference), name: roomName(conference), participants };
    await Promise.all(
      [current, ...previous].flatMap((room) =>
        room.participants
          .filter(({ identity }) => identities.has(identity))
          .map(({ identity }) => room.media.removeParticipant(room.name, identity)),
      ),
    );
  }

  /** Deletes previous rooms once all terminals have left them, and after a grace period in any case. */
  async #dropPreviousRooms(
    { movedAt }: ConferenceRow,
    { previous }: ObservedConference,
    watchers: ReadonlySet<string>,
  ): Promise<void> {
    const isOver = movedAt === null || this.#deps.now().getTime() - movedAt.getTime() >= MOVE_GRACE;
    for (const room of previous) {
      if (isOver || room.participants.every(({ identity }) => watchers.has(identity)))
        await room.media.deleteRoom(room.name);
    }
  }

  async #settleEmpty(conference: ConferenceRow, hasWaiting: boolean): Promise<void> {
    const { db, lifecycle, control, log, now } = this.#deps;
    const { emptySince } = conference;
    if (!emptySince) return;
    const meeting = await db.tenant(conference.tenantId, (tx) => findMeeting(tx, conference.meetingId));
    const outcome = meeting ? emptyOutcome(emptySince, meeting, hasWaiting, now()) : 'end';
    if (outcome === 'stay') return;
    await lifecycle.end(conference, 'empty', outcome, control.logEnd);
    log.info({ conferenceId: conference.id, outcome }, 'An empty conference ended');
  }

  /** Ends conferences that have lasted as long as their tenant allows. */
  async #endOverdue(): Promise<void> {
    const { db, lifecycle, control, log, now } = this.#deps;
    for (const conference of await db.platform((tx) => findOverdue(tx, now()))) {
      const onEnd = async (tx: TenantTx, ended: ConferenceRow): Promise<void> => {
        await control.logEnd(tx, ended);
        const meeting = await findMeeting(tx, conference.meetingId);
        await recordAudit(tx, systemOrigin('conferences.end'), now(), {
          target: { kind: 'conference', id: conference.id, name: meeting?.subject ?? '' },
          after: { ended: true },
        });
      };
      // A conference that was opened before the start time leaves its meeting booked.
      const meeting = await db.tenant(conference.tenantId, (tx) => findMeeting(tx, conference.meetingId));
      const move = meeting && isEarly(meeting, conference.startedAt) ? 'close' : 'end';
      if (await lifecycle.end(conference, 'ended', move, onEnd, 'time'))
        log.info({ conferenceId: conference.id }, "A conference ended at its tenant's time limit");
    }
  }
}
