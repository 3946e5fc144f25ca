import {
  DEFAULT_POLLING,
  type ConferenceCommand,
  type ConferenceControl,
  type PollingSettings,
} from '@rmeet/conference';
import type { CommandAnswer } from '@rmeet/contract';
import type { Db, TenantTx } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/http/index.ts';
import type { Log } from '../../../platform/log/log.ts';
import type { Media } from '../../../platform/media/index.ts';
import { openRooms } from '../engine/media-rooms.ts';
import type { ConferenceRow } from '../tables.ts';
import { SERVER, type ControlContext } from './authorization.ts';
import type { Control } from './control.ts';
import type { ConferenceEngine } from './engine.ts';
import { PollingClock } from './polling-clock.ts';
import { lecturerOf, terminalsWithVideo, turnAfter, type Step, type TurnCommand } from './polling-turns.ts';
import { validateCommand } from './validation.ts';

export type { Step } from './polling-turns.ts';

export type PollingChange = Partial<PollingSettings>;

export interface PollingDeps {
  db: Db;
  media: Media;
  control: Control;
  engine: ConferenceEngine;
  log: Log;
  now: () => Date;
}

const settingsOf = ({ polling }: ConferenceControl, change: PollingChange): PollingSettings => {
  const { termIds, seconds, onlyVideo, roomsOnly, isPaused } = { ...DEFAULT_POLLING, ...polling, ...change };
  return { termIds: [...new Set(termIds)], seconds, onlyVideo, roomsOnly, isPaused };
};

/** The command that starts a round or changes its settings. */
const startCommand = (
  state: ConferenceControl,
  change: PollingChange,
  lectureId: string | null,
  now: Date,
): ConferenceCommand => ({ verb: 'polling', settings: settingsOf(state, change), lectureId, at: now.toISOString() });

/** The next turn by hand, or the first one. Asks the engine which terminals have video. */
async function turnNow(
  { media, now }: PollingDeps,
  tx: TenantTx,
  conference: ConferenceRow,
  step: Step,
): Promise<TurnCommand> {
  const rooms = openRooms(media, conference, now()).filter((room) => room.media.available());
  const participants = await Promise.all(rooms.map((room) => room.media.listParticipants(room.name)));
  const turn = await turnAfter(tx, conference.control, terminalsWithVideo(participants.flat()), step, null, now());
  if (turn.termId === null) throw new AppError('POLLING_NOBODY');
  return turn;
}

/**
 * Executes the commands of one call in one transaction, and assigns the first turn of a round.
 *
 * @returns the answer to the first command
 */
async function executeAll(
  deps: PollingDeps,
  context: ControlContext,
  meetId: string,
  verb: 'polling' | 'broadcastPolling',
  build: (state: ConferenceControl) => readonly ConferenceCommand[],
): Promise<CommandAnswer> {
  const { db, control, engine } = deps;
  return db.tenant(context.caller.tenantId, async (tx) => {
    const authorization = await control.commanding(tx, context, meetId, verb);
    const { conference, by } = authorization;
    let answer: CommandAnswer | undefined;
    for (const built of build(conference.control)) {
      const command = await validateCommand(tx, engine, authorization, built, context.locale);
      const { commandId, step } = await control.execute(tx, conference, command, by, context);
      answer ??= { commandId, version: step.version, affected: step.affected };
      const isStarted = command.verb === 'polling' && command.settings !== null && !conference.control.polling?.turn;
      // The first turn is assigned with the start, not by the clock.
      if (isStarted) {
        const turn = await turnNow(deps, tx, conference, { step: 'next' });
        await control.execute(tx, conference, turn, SERVER, null);
      }
    }
    if (!answer) throw new Error('A call without a command.');
    return answer;
  });
}

/** Polling: starts rounds, steps them by hand, and assigns turns as time passes. */
export function createPolling(deps: PollingDeps) {
  const { control, now } = deps;
  const clock = new PollingClock(deps);

  return {
    /** Starts a round, or changes its settings. Throws POLLING_NOBODY if no terminal can take a turn. */
    start: (
      context: ControlContext,
      meetId: string,
      change: PollingChange,
      lectureId: string | null,
    ): Promise<CommandAnswer> =>
      executeAll(deps, context, meetId, 'polling', (state) => [
        startCommand(state, change, lectureId ?? lecturerOf(state), now()),
      ]),

    stop: (context: ControlContext, meetId: string): Promise<CommandAnswer> =>
      control.command(context, meetId, 'polling', () => ({
        verb: 'polling',
        settings: null,
        lectureId: null,
        at: now().toISOString(),
      })),

    /** Puts the terminal whose turn it is on air, starting a round if none runs; or takes it off the air. */
    broadcast: (context: ControlContext, meetId: string, on: boolean): Promise<CommandAnswer> =>
      executeAll(deps, context, meetId, 'broadcastPolling', (state) => [
        ...(on && !state.polling ? [startCommand(state, {}, null, now())] : []),
        { verb: 'broadcastPolling', on },
      ]),

    setSeconds: (context: ControlContext, meetId: string, seconds: number): Promise<CommandAnswer> =>
      control.command(context, meetId, 'pollingTime', ({ conference }) => {
        if (!conference.control.polling) throw new AppError('POLLING_OFF');
        return { verb: 'pollingTime', seconds };
      }),

    turn: (context: ControlContext, meetId: string, step: Step): Promise<CommandAnswer> =>
      control.command(context, meetId, 'pollingTurn', ({ conference }, tx) => turnNow(deps, tx, conference, step)),

    review: clock.review.bind(clock),
    keepOnly: clock.keepOnly.bind(clock),
    stopAll: clock.stopAll.bind(clock),
  };
}

export type Polling = ReturnType<typeof createPolling>;
