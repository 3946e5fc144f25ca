import type { Db, PlatformTx, TenantTx } from '../../../platform/db/index.ts';
import type { Log } from '../../../platform/log/log.ts';
import type { Media, MediaParticipant } from '../../../platform/media/index.ts';
import type { Push } from '../../../platform/push/index.ts';
import { recordAudit, systemOrigin } from '../../audit/index.ts';
import { findMeeting, isEarly } from '../../meetings/index.ts';
import type { Control, Polling } from '../control/index.ts';
import { validWatchers } from '../desk/index.ts';
import type { Enforcer } from './enforcer.ts';
import type { Lease } from './lease.ts';
import { mediaOf, MOVE_GRACE, partsOfRoom, roomOf, type Lifecycle, type OpenRoom } from './lifecycle.ts';
import { compare, fateOfEmpty, type Findings, type Missing } from './presence-check.ts';
import {
  findAllRunning,
  findDisabled,
  findEnded,
  findOverdue,
  findPresent,
  findRunning,
  setEmptySince,
  updateTerminals,
} from '../repo.ts';
import type { RoomWatch } from './room-watch.ts';
import type { ConferenceRow, TerminalRow } from '../tables.ts';

const INTERVAL = 1_000;
/** While somebody tries: an old token gives a lying client the time until the next round, each time it is used. */
const ALERT_INTERVAL = 200;
const ALERT = 10_000;
/**
 * After a longer break between two rounds (a restart, a database outage, a clock that jumped) nobody has been gone for
 * the time between.
 */
const BREAK = 10_000;

export interface ReconcilerDeps {
  db: Db;
  push: Push;
  media: Media;
  lifecycle: Lifecycle;
  control: Pick<Control, 'depart' | 'logEnd'>;
  enforcer: Enforcer;
  roomWatch: RoomWatch;
  lease: Lease;
  /** Work of every server process, whoever holds the lease. */
  touchPresence: () => Promise<void>;
  /** Stops what has rung long enough; needs no media engine. */
  settleRings: () => Promise<void>;
  /** What goes on by the clock in running conferences. */
  proceed: {
    polling: Pick<Polling, 'review' | 'keepOnly'>;
    /** Captions that are over, scenes whose time has come. */
    byTheClock: (running: readonly ConferenceRow[]) => Promise<void>;
  };
  log: Log;
  now: () => Date;
}

/** What the media engine says of one conference. */
interface Seen {
  participants: MediaParticipant[];
  /** Of the room. */
  metadata: string;
  /** Rooms it had before, and who is in them still. */
  before: (OpenRoom & { participants: MediaParticipant[] })[];
}

/** A room on one of the engines, and the conference it is one of. */
interface Found extends OpenRoom {
  metadata: string;
  id: string;
  generation: number;
}

/**
 * Brings the media engine and the conferences in the database together, once a second: whoever is in a LiveKit room
 * without being let in is removed, what terminals may send is mended where it differs from the control, comings and
 * goings are recorded, rooms lost with a media process are made again, empty conferences end, and those that have
 * lasted as long as their tenant allows. It keeps nothing that cannot be found again, so a restarted server goes on
 * where it was.
 */
export function createReconciler({
  db,
  push,
  media,
  lifecycle,
  control,
  enforcer,
  roomWatch,
  lease,
  touchPresence,
  settleRings,
  proceed,
  log,
  now,
}: ReconcilerDeps) {
  const missing = new Map<string, Missing>();
  /** When the last good round began, and since when rounds have gone on without a break. */
  let lastRoundAt = Number.NEGATIVE_INFINITY;
  let watchedSince = 0;
  let timer: NodeJS.Timeout | undefined;
  let current: Promise<void> = Promise.resolve();
  let isStopped = true;
  let isFailing = false;
  /** Until then rounds come quickly, ms. */
  let alertUntil = 0;

  /** Rooms of conferences that are over: a media token outlives them, and could fill them again. */
  async function dropStrayRooms(rooms: readonly Found[], running: readonly ConferenceRow[]): Promise<void> {
    const ofRunning = new Set(running.map(({ id }) => id));
    const strays = rooms.filter(({ id }) => !ofRunning.has(id));
    if (strays.length === 0) return;
    const ended = new Set(
      (
        await db.platform((tx) =>
          findEnded(
            tx,
            strays.map(({ id }) => id),
          ),
        )
      ).map(({ id }) => id),
    );
    for (const { media: engine, name, id } of strays) if (ended.has(id)) await engine.deleteRoom(name);
  }

  /**
   * Who is on the media engine, per conference; those whose room was lost have it made again and are looked at next
   * time.
   */
  async function seeAll(
    running: readonly ConferenceRow[],
    rooms: readonly Found[],
  ): Promise<{ found: Map<string, Seen>; withRoom: Set<string> }> {
    const roomsIn = Map.groupBy(rooms, ({ id }) => id);
    const present = (conference: ConferenceRow): Found | undefined =>
      roomsIn
        .get(conference.id)
        ?.find(
          ({ media: engine, generation }) =>
            generation === conference.generation && engine === mediaOf(media, conference),
        );
    const withRoom = new Set(running.filter(present).map(({ id }) => id));
    const found = new Map<string, Seen>();
    const look = async (conference: ConferenceRow): Promise<void> => {
      const room = present(conference);
      if (room) {
        const earlier = (roomsIn.get(conference.id) ?? []).filter(
          ({ generation }) => generation < conference.generation,
        );
        const before = earlier.map(async ({ media: engine, name }) => ({
          media: engine,
          name,
          participants: await engine.listParticipants(name),
        }));
        found.set(conference.id, {
          participants: await room.media.listParticipants(room.name),
          metadata: room.metadata,
          before: await Promise.all(before),
        });
        return;
      }
      await lifecycle.makeRoom(conference);
      withRoom.add(conference.id);
      missing.delete(conference.id);
    };
    for (const [index, result] of (await Promise.allSettled(running.map(look))).entries()) {
      if (result.status === 'rejected')
        log.warn(
          { error: result.reason as unknown, conferenceId: running[index]?.id },
          'A conference could not be looked at',
        );
    }
    return { found, withRoom };
  }

  /** The rooms of conferences that the engines have. */
  async function lookAtRooms(): Promise<{ rooms: Found[]; away: Set<Media>; failure: unknown }> {
    const rooms: Found[] = [];
    const away = new Set<Media>();
    let failure: unknown;
    const look = async (engine: Media): Promise<void> => {
      try {
        if (!engine.available()) away.add(engine);
        else
          for (const { name, metadata } of await engine.listRooms()) {
            const parts = partsOfRoom(name);
            if (parts) rooms.push({ media: engine, name, metadata, ...parts });
          }
      } catch (error) {
        away.add(engine);
        failure = error;
      }
    };
    await Promise.all(media.zones().map(look));
    return { rooms, away, failure };
  }

  /** Old rooms go once all terminals have left them, and after a grace in any case. */
  async function dropOldRooms(
    { movedAt }: ConferenceRow,
    { before }: Seen,
    watchers: ReadonlySet<string>,
  ): Promise<void> {
    const isOver = movedAt === null || now().getTime() - movedAt.getTime() >= MOVE_GRACE;
    for (const room of before) {
      if (isOver || room.participants.every(({ identity }) => watchers.has(identity)))
        await room.media.deleteRoom(room.name);
    }
  }

  /** Identities of desks that watch by right; asked for only where somebody on the engine is no terminal. */
  async function watchersAmong(
    tx: PlatformTx,
    found: ReadonlyMap<string, Seen>,
    inside: readonly TerminalRow[],
  ): Promise<Set<string>> {
    const terminals = new Set(inside.map((row) => row.termId));
    const ids = [...found]
      .filter(([, { participants, before }]) =>
        [participants, ...before.map((room) => room.participants)]
          .flat()
          .some(({ identity }) => !terminals.has(identity)),
      )
      .map(([id]) => id);
    return new Set((await validWatchers(tx, ids, now())).map(({ identity }) => identity));
  }

  async function record(
    tx: TenantTx,
    conference: ConferenceRow,
    findings: Findings,
    disabled: readonly TerminalRow[],
  ): Promise<void> {
    const running = await findRunning(tx, conference.meetingId, true);
    if (running?.id !== conference.id) return;
    const at = now();
    const topic = `meeting:${conference.meetingId}`;
    const gone = async (
      termIds: string[],
      from: 'waiting' | 'admitted',
      state: TerminalRow['state'],
    ): Promise<void> => {
      const rows = await updateTerminals(tx, termIds, [from], { state, leftAt: at, handRaisedAt: null });
      if (from === 'admitted')
        await control.depart(
          tx,
          running,
          rows.map(({ termId }) => termId),
        );
      else
        for (const { termId } of rows)
          await push.publish(tx, topic, { type: 'waitingRemoved', termId, conferenceId: conference.id });
    };
    const idsIn = (state: TerminalRow['state']) =>
      disabled.filter((row) => row.state === state).map((row) => row.termId);
    await updateTerminals(tx, findings.arrived, ['admitted'], { joinedAt: at });
    await gone(idsIn('admitted'), 'admitted', 'removed');
    await gone(idsIn('waiting'), 'waiting', 'removed');
    await gone(findings.vanished, 'admitted', 'lost');
    await gone(findings.gaveUp, 'waiting', 'left');
    if (findings.isEmpty !== (running.emptySince !== null))
      await setEmptySince(tx, conference.id, findings.isEmpty ? at : null);
    // Nobody listens unseen.
    if (findings.vanished.length > 0) tx.afterCommit(() => push.refresh({ termIds: findings.vanished }));
    if (disabled.length > 0)
      tx.afterCommit(() => push.disconnect({ termIds: disabled.map((row) => row.termId) }, 'TERMINAL_GONE'));
  }

  async function settleEmpty(conference: ConferenceRow, someoneWaits: boolean): Promise<void> {
    const { emptySince } = conference;
    if (!emptySince) return;
    const meeting = await db.tenant(conference.tenantId, (tx) => findMeeting(tx, conference.meetingId));
    const fate = meeting ? fateOfEmpty(emptySince, meeting, someoneWaits, now()) : 'end';
    if (fate === 'stay') return;
    await lifecycle.end(conference, 'empty', fate, control.logEnd);
    log.info({ conferenceId: conference.id, fate }, 'An empty conference ended');
  }

  async function settle(
    conference: ConferenceRow,
    seen: Seen,
    present: TerminalRow[],
    disabled: TerminalRow[],
    watchers: ReadonlySet<string>,
  ): Promise<void> {
    const { participants, metadata, before } = seen;
    const everywhere = [...participants, ...before.flatMap((room) => room.participants)];
    const missed = missing.get(conference.id) ?? new Map<string, number>();
    missing.set(conference.id, missed);
    const findings = compare(
      new Set(everywhere.map(({ identity }) => identity)),
      present,
      watchers,
      missed,
      now(),
      watchedSince,
    );
    for (const termId of missed.keys()) if (!present.some((row) => row.termId === termId)) missed.delete(termId);

    const { strangers, arrived, vanished, gaveUp, isEmpty } = findings;
    const isChanged =
      arrived.length + vanished.length + gaveUp.length + disabled.length > 0 ||
      isEmpty !== (conference.emptySince !== null);
    if (isChanged) await db.tenant(conference.tenantId, (tx) => record(tx, conference, findings, disabled));
    const unwanted = new Set([...strangers, ...disabled.map((row) => row.termId)]);
    const rooms = [{ media: mediaOf(media, conference), name: roomOf(conference), participants }, ...before];
    await Promise.all(
      rooms.flatMap((room) =>
        room.participants
          .filter(({ identity }) => unwanted.has(identity))
          .map(({ identity }) => room.media.removeParticipant(room.name, identity)),
      ),
    );
    proceed.polling.review(conference, everywhere);
    const isMended = enforcer.review(conference, everywhere, metadata);
    await dropOldRooms(conference, seen, watchers);
    if (strangers.length > 0 || isMended) alertUntil = now().getTime() + ALERT;
    if (isEmpty)
      await settleEmpty(
        conference,
        present.some((row) => row.state === 'waiting'),
      );
  }

  async function endOverdue(): Promise<void> {
    for (const conference of await db.platform((tx) => findOverdue(tx, now()))) {
      const sayWhy = async (tx: TenantTx, ended: ConferenceRow): Promise<void> => {
        await control.logEnd(tx, ended);
        const meeting = await findMeeting(tx, conference.meetingId);
        await recordAudit(tx, systemOrigin('conferences.end'), now(), {
          target: { kind: 'conference', id: conference.id, name: meeting?.subject ?? '' },
          after: { ended: true },
        });
      };
      // One that was opened before its time leaves the meeting as it is booked.
      const meeting = await db.tenant(conference.tenantId, (tx) => findMeeting(tx, conference.meetingId));
      const move = meeting && isEarly(meeting, conference.startedAt) ? 'close' : 'end';
      if (await lifecycle.end(conference, 'ended', move, sayWhy))
        log.info({ conferenceId: conference.id }, 'A conference ended at the limit of its tenant');
    }
  }

  /**
   * One round. The media engine is asked before the database, so that nobody let in meanwhile is taken for a stranger.
   */
  async function lookAround(): Promise<void> {
    await touchPresence();
    await settleRings();
    const { rooms, away, failure } = await lookAtRooms();
    const all = await db.platform(findAllRunning);
    const lost = all.filter((conference) => away.has(mediaOf(media, conference)));
    for (const { id } of lost) missing.delete(id);
    if (lost.length > 0 && (await lease.hold())) await roomWatch.note(lost, new Set());
    if (away.size < media.zones().length)
      await settleAll(
        all.filter((conference) => !lost.includes(conference)),
        rooms,
        all,
      );
    if (failure !== undefined) throw failure as Error;
  }

  /** @param all what runs, in zones that are away, too */
  async function settleAll(
    running: readonly ConferenceRow[],
    rooms: readonly Found[],
    all: readonly ConferenceRow[],
  ): Promise<void> {
    for (const id of missing.keys()) if (!all.some((conference) => conference.id === id)) missing.delete(id);
    if ((running.length === 0 && rooms.length === 0) || !(await lease.hold())) return;
    await endOverdue();
    proceed.polling.keepOnly(new Set(all.map(({ id }) => id)));
    await proceed.byTheClock(running);

    await dropStrayRooms(rooms, all);
    const { found, withRoom } = await seeAll(running, rooms);
    await roomWatch.note(running, withRoom);
    const ids = running.map(({ id }) => id);
    const [present, disabled, watchers] = await db.platform(async (tx) => {
      const inside = await findPresent(tx, ids);
      return [inside, await findDisabled(tx, ids), await watchersAmong(tx, found, inside)] as const;
    });
    for (const conference of running) {
      const seen = found.get(conference.id);
      const isOwn = (row: TerminalRow): boolean => row.conferenceId === conference.id;
      if (seen) await settle(conference, seen, present.filter(isOwn), disabled.filter(isOwn), watchers);
    }
  }

  async function tick(): Promise<void> {
    const at = now().getTime();
    if (Math.abs(at - lastRoundAt) > BREAK) {
      missing.clear();
      watchedSince = at;
    }
    await lookAround();
    lastRoundAt = at;
  }

  /** A failed round is said once, and the next one tries again. */
  async function round(): Promise<void> {
    try {
      await tick();
      if (isFailing) log.info('Conferences are looked after again');
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.warn({ error }, 'Conferences could not be looked after; trying again every second');
      isFailing = true;
    }
    if (!isStopped) timer = setTimeout(run, now().getTime() < alertUntil ? ALERT_INTERVAL : INTERVAL);
  }

  function run(): void {
    current = round();
  }

  return {
    tick,
    start(): void {
      isStopped = false;
      run();
    },
    async stop(): Promise<void> {
      isStopped = true;
      clearTimeout(timer);
      await current;
      await enforcer.idle();
      await lease.release();
    },
  };
}
