import {
  controlOrder,
  DEFAULT_POLLING,
  nextTurn,
  type ConferenceCommand,
  type ConferenceControl,
  type PollingSettings,
} from '@rmeet/conference';
import { DEVICE_TYPES, type CommandAnswer } from '@rmeet/contract';
import type { Db, TenantTx } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/http/index.ts';
import type { Log } from '../../../platform/log/log.ts';
import type { Media, MediaParticipant } from '../../../platform/media/index.ts';
import { roomsOf } from '../engine/lifecycle.ts';
import { findRunning, findTerminals } from '../repo.ts';
import type { ConferenceRow } from '../tables.ts';
import type { Control } from './control.ts';
import type { ConferenceEngine } from './engine.ts';
import { checkSense } from './validation.ts';
import { SERVER, type ControlContext, type Standing } from './authorization.ts';

/** A turn that is due within this time is given at once: timers may fire a little early. */
const EARLY = 20;
const ROOM_DEVICES: ReadonlySet<number> = new Set([
  DEVICE_TYPES.mraDevice,
  DEVICE_TYPES.roomsWindows,
  DEVICE_TYPES.roomsMac,
  DEVICE_TYPES.roomsAndroid,
]);

type TurnCommand = Extract<ConferenceCommand, { verb: 'pollingTurn' }>;
export type PollingChange = Partial<PollingSettings>;

/** Where a round goes on: forward or back, or at somebody chosen. */
export type Step = { step: 'next' | 'previous' } | { termId: string };

export interface PollingDeps {
  db: Db;
  media: Media;
  control: Control;
  engine: ConferenceEngine;
  log: Log;
  now: () => Date;
}

/** Whose camera sends something. */
export function sendingPictures(participants: readonly MediaParticipant[]): Set<string> {
  return new Set(
    participants
      .filter(({ tracks }) =>
        tracks.some(({ source, kind, muted }) => source === 'camera' && kind === 'video' && !muted),
      )
      .map(({ identity }) => identity),
  );
}

/**
 * Gives terminals their turns: begins rounds, steps them by call, and drives them by the clock in the process that
 * looks after the conferences.
 */
export function createPolling({ db, media, control, engine, log, now }: PollingDeps) {
  /** Rounds driven here: when the next turn is due, and who sent pictures when last looked at. */
  const rounds = new Map<
    string,
    { timer: NodeJS.Timeout | undefined; due: string | null; visible: ReadonlySet<string> }
  >();
  const runs = new Set<Promise<void>>();

  async function lookWhoSends(conference: ConferenceRow): Promise<ReadonlySet<string>> {
    const rooms = roomsOf(media, conference, now()).filter((room) => room.media.available());
    return sendingPictures((await Promise.all(rooms.map((room) => room.media.listParticipants(room.name)))).flat());
  }

  /** Whose turns there are, in order, and who of them can be seen. The lecturer looks on. */
  async function candidates(
    tx: TenantTx,
    state: ConferenceControl,
    settings: PollingSettings,
    lectureId: string | null,
    visible: ReadonlySet<string>,
  ) {
    const listed = settings.termIds.length > 0 ? settings.termIds : controlOrder(state);
    const inside = listed.filter((termId) => state.terminals[termId]?.present && termId !== lectureId);
    const rows = settings.roomsOnly ? await findTerminals(tx, inside) : [];
    const rooms = new Set(rows.filter(({ deviceType }) => ROOM_DEVICES.has(deviceType)).map(({ termId }) => termId));
    const order = settings.roomsOnly ? inside.filter((termId) => rooms.has(termId)) : inside;
    const canBeSeen = (termId: string): boolean =>
      !settings.onlyVideo || (visible.has(termId) && state.terminals[termId]?.cameraOff === false);
    return { order, canBeSeen };
  }

  const lecturerOf = ({ mode, speakerId }: ConferenceControl): string | null => (mode === 'LECTURE' ? speakerId : null);
  const after = (at: Date, seconds: number): string => new Date(at.getTime() + seconds * 1_000).toISOString();

  /**
   * The turn after this one.
   *
   * @param due when it was to begin, so that the rhythm does not drift by what each switch is late
   */
  async function turnAfter(
    tx: TenantTx,
    state: ConferenceControl,
    visible: ReadonlySet<string>,
    step: Step,
    due: Date | null,
  ): Promise<TurnCommand> {
    const { polling } = state;
    if (!polling) throw new AppError('POLLING_OFF');
    const { order, canBeSeen } = await candidates(tx, state, polling, lecturerOf(state), visible);
    const from = polling.turn?.termId ?? null;
    // Whoever has left has no place in the round to go on from, but a follower.
    const follower =
      from !== null && !order.includes(from) ? order.find((id) => id === polling.next && canBeSeen(id)) : undefined;
    const stepped = (by: 'next' | 'previous'): string | null =>
      by === 'next' ? (follower ?? nextTurn(order, canBeSeen, from)) : nextTurn(order, canBeSeen, from, -1);
    const termId = 'termId' in step ? step.termId : stepped(step.step);
    if (termId === null)
      return { verb: 'pollingTurn', termId: null, next: null, at: now().toISOString(), switchAt: null };
    const at = now();
    const follows = nextTurn(order, canBeSeen, termId);
    const rhythm = due !== null && Math.abs(at.getTime() - due.getTime()) < 1_000 ? due : at;
    return {
      verb: 'pollingTurn',
      termId,
      next: follows === termId ? null : follows,
      at: at.toISOString(),
      switchAt: polling.isPaused ? null : after(rhythm, polling.seconds),
    };
  }

  /** Commands of one call, in one transaction; the first one is answered. */
  async function inOne(
    context: ControlContext,
    meetId: string,
    build: (standing: Standing, tx: TenantTx) => Promise<readonly ConferenceCommand[]>,
    verb: 'polling' | 'broadcastPolling',
  ): Promise<CommandAnswer> {
    return db.tenant(context.caller.tenantId, async (tx) => {
      const standing = await control.commanding(tx, context, meetId, verb);
      const commands = await build(standing, tx);
      let answer: CommandAnswer | undefined;
      for (const command of commands) {
        const { commandId, step } = await control.execute(
          tx,
          standing.conference,
          await checkSense(tx, engine, standing, command, context.locale),
          standing.by,
          context,
        );
        answer ??= { commandId, version: step.version, concerned: step.concerned };
        if (command.verb !== 'polling' || command.settings === null || standing.conference.control.polling?.turn)
          continue;
        // The first turn comes with the beginning, not with the clock's next look.
        const turn = await turnAfter(
          tx,
          standing.conference.control,
          await lookWhoSends(standing.conference),
          { step: 'next' },
          null,
        );
        if (turn.termId === null) throw new AppError('POLLING_NOBODY');
        await control.execute(tx, standing.conference, turn, SERVER, null);
      }
      if (!answer) throw new Error('A call without a command.');
      return answer;
    });
  }

  const settingsOf = ({ polling }: ConferenceControl, change: PollingChange): PollingSettings => {
    const { termIds, seconds, onlyVideo, roomsOnly, isPaused } = { ...DEFAULT_POLLING, ...polling, ...change };
    return { termIds: [...new Set(termIds)], seconds, onlyVideo, roomsOnly, isPaused };
  };
  const begin = (state: ConferenceControl, change: PollingChange, lectureId: string | null): ConferenceCommand => ({
    verb: 'polling',
    settings: settingsOf(state, change),
    lectureId,
    at: now().toISOString(),
  });

  /**
   * The next turn by the clock, or because nobody is seen in this one. Nothing happens where it was given meanwhile.
   */
  async function advance(one: Pick<ConferenceRow, 'id' | 'tenantId' | 'meetingId'>): Promise<void> {
    await db.tenant(one.tenantId, async (tx) => {
      const conference = await findRunning(tx, one.meetingId, true);
      const polling = conference?.control.polling;
      if (conference?.id !== one.id || !polling) return;
      const visible = rounds.get(one.id)?.visible ?? new Set<string>();
      const due = polling.switchAt === null ? null : new Date(polling.switchAt);
      const isDue = due !== null && due.getTime() - now().getTime() <= EARLY;
      const { order, canBeSeen } = await candidates(
        tx,
        conference.control,
        polling,
        lecturerOf(conference.control),
        visible,
      );
      const isEmpty =
        polling.turn === null ||
        conference.control.terminals[polling.turn.termId]?.present !== true ||
        !(canBeSeen(polling.turn.termId) || order.length === 0);
      if (isDue || isEmpty) {
        const turn = await turnAfter(tx, conference.control, visible, { step: 'next' }, isDue ? due : null);
        // Nobody can have a turn, as before.
        if (turn.termId !== null || polling.turn !== null) await control.execute(tx, conference, turn, SERVER, null);
      } else await renameNext(tx, conference, order, canBeSeen);
    });
  }

  /** Who follows can have gone, or can be seen again: terminals are told whom to have ready. */
  async function renameNext(
    tx: TenantTx,
    conference: ConferenceRow,
    order: readonly string[],
    canBeSeen: (termId: string) => boolean,
  ): Promise<void> {
    const { polling } = conference.control;
    if (!polling?.turn) return;
    const { termId, since } = polling.turn;
    const follows = nextTurn(order, canBeSeen, termId);
    const next = follows === termId ? null : follows;
    if (next !== polling.next)
      await control.execute(
        tx,
        conference,
        { verb: 'pollingTurn', termId, next, at: since, switchAt: polling.switchAt },
        SERVER,
        null,
      );
  }

  function run(one: Pick<ConferenceRow, 'id' | 'tenantId' | 'meetingId'>): void {
    const started = advance(one)
      .catch((error: unknown) =>
        log.warn({ error, conferenceId: one.id }, 'A turn of polling was not given; the next round tries again'),
      )
      .then(() => undefined)
      .finally(() => runs.delete(started));
    runs.add(started);
  }

  function forget(id: string): void {
    clearTimeout(rounds.get(id)?.timer);
    rounds.delete(id);
  }

  return {
    /** Begins a round, or goes on with other settings. Throws POLLING_NOBODY where nobody can have a turn. */
    start: (
      context: ControlContext,
      meetId: string,
      change: PollingChange,
      lectureId: string | null,
    ): Promise<CommandAnswer> =>
      inOne(
        context,
        meetId,
        async ({ conference }) => [begin(conference.control, change, lectureId ?? lecturerOf(conference.control))],
        'polling',
      ),

    stop: (context: ControlContext, meetId: string): Promise<CommandAnswer> =>
      control.command(context, meetId, 'polling', () => ({
        verb: 'polling',
        settings: null,
        lectureId: null,
        at: now().toISOString(),
      })),

    /** Puts whose turn it is on air to all, and begins where nothing runs; or takes it off the air. */
    broadcast: (context: ControlContext, meetId: string, on: boolean): Promise<CommandAnswer> =>
      inOne(
        context,
        meetId,
        async ({ conference: { control: state } }) => [
          ...(on && !state.polling ? [begin(state, {}, null)] : []),
          { verb: 'broadcastPolling', on },
        ],
        'broadcastPolling',
      ),

    setSeconds: (context: ControlContext, meetId: string, seconds: number): Promise<CommandAnswer> =>
      control.command(context, meetId, 'pollingTime', ({ conference }) => {
        if (!conference.control.polling) throw new AppError('POLLING_OFF');
        return { verb: 'pollingTime', seconds };
      }),

    turn: (context: ControlContext, meetId: string, step: Step): Promise<CommandAnswer> =>
      control.command(context, meetId, 'pollingTurn', async ({ conference }, tx) => {
        const turn = await turnAfter(tx, conference.control, await lookWhoSends(conference), step, null);
        if (turn.termId === null) throw new AppError('POLLING_NOBODY');
        return turn;
      }),

    /**
     * Called about once a second by the process that looks after the conferences, with what was seen on the engine:
     * sets the clock for the next turn, and goes on at once where nobody is seen in this one.
     */
    review(conference: ConferenceRow, participants: readonly MediaParticipant[]): void {
      const { polling } = conference.control;
      if (!polling) return forget(conference.id);
      const round = rounds.get(conference.id) ?? { timer: undefined, due: null, visible: new Set<string>() };
      rounds.set(conference.id, round);
      round.visible = sendingPictures(participants);
      const { id, tenantId, meetingId } = conference;
      const one = { id, tenantId, meetingId };
      if (round.due !== polling.switchAt) {
        clearTimeout(round.timer);
        round.due = polling.switchAt;
        round.timer =
          polling.switchAt === null
            ? undefined
            : setTimeout(() => run(one), Math.max(0, Date.parse(polling.switchAt) - now().getTime()));
      }
      const isSeen = (termId: string): boolean =>
        conference.control.terminals[termId]?.present === true && (!polling.onlyVideo || round.visible.has(termId));
      const isDue = polling.switchAt !== null && Date.parse(polling.switchAt) - now().getTime() <= EARLY;
      if (
        isDue ||
        polling.turn === null ||
        !isSeen(polling.turn.termId) ||
        polling.next === null ||
        !isSeen(polling.next)
      )
        run(one);
    },

    /** Of conferences that run no more, or that another process looks after. */
    keepOnly(running: ReadonlySet<string>): void {
      for (const id of rounds.keys()) if (!running.has(id)) forget(id);
    },

    async stopAll(): Promise<void> {
      for (const id of rounds.keys()) forget(id);
      while (runs.size > 0) await Promise.all(runs);
    },
  };
}

export type Polling = ReturnType<typeof createPolling>;
