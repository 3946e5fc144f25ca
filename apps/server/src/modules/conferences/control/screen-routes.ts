import { bannerOf, type ConferenceCommand } from '@rmeet/conference';
import type { CommandAnswer, contract } from '@rmeet/contract';
import type { Handlers } from '../../../platform/http/index.ts';
import type { Control } from './control.ts';
import { knownEngine, type ConferenceEngine } from './engine.ts';
import type { Polling } from './polling.ts';
import type { ControlContext } from './authorization.ts';

export interface ScreenRoutesDeps {
  control: Control;
  polling: Polling;
  engine: ConferenceEngine;
  now: () => Date;
}

export type ScreenRoute =
  | 'setLayout'
  | 'setScreen'
  | 'setTerminalLayoutConfig'
  | 'stopTerminalLayoutConfig'
  | 'setChatLayout'
  | 'lockConfContent'
  | 'setDualStream'
  | 'readDualStream'
  | 'setConfCaptions'
  | 'setTermCaptions'
  | 'setPollingState'
  | 'startBroadcastPolling'
  | 'setPollingTimeSpan'
  | 'turnPolling';

/** An empty termId means no terminal. */
export const orNull = (termId: string): string | null => (termId === '' ? null : termId);

/** Layouts, captions, shared content and polling. */
// oxlint-disable-next-line max-lines-per-function -- a flat list of routes
export function screenRoutes({
  control,
  polling,
  engine,
  now,
}: ScreenRoutesDeps): Pick<Handlers<typeof contract.conferences>, ScreenRoute> {
  const known = knownEngine(engine);
  const execute = (context: ControlContext, meetId: string, command: ConferenceCommand): Promise<CommandAnswer> =>
    control.command(context, meetId, command.verb, () => command);
  const dualStream = (
    context: ControlContext,
    { meetId, termId, open }: { meetId: string; termId: string; open: boolean },
  ): Promise<CommandAnswer> => execute(context, meetId, { verb: 'dualStream', termId, open });

  return {
    setLayout: (context, { params, body: { meetId, screenModel, polling: seat, places, allowOwnLayout } }) => {
      known(params.res);
      return execute(context, meetId, {
        verb: 'layout',
        model: screenModel,
        places: screenModel === 'CUSTOM' ? places : [],
        ...(seat === undefined ? {} : { pollingSeat: seat === 0 ? null : seat }),
        ...(allowOwnLayout === undefined ? {} : { allowOwnLayout }),
      });
    },
    setScreen: (context, { params, body: { meetId, target, seats } }) => {
      known(params.res);
      return execute(context, meetId, { verb: 'seats', termId: target === 'ALL' ? null : target, seats });
    },
    setTerminalLayoutConfig: (context, { params, body: { meetId, termId, screenModel, seats, places } }) => {
      known(params.res);
      return execute(context, meetId, {
        verb: 'terminalLayout',
        termId,
        layout: { model: screenModel, places: screenModel === 'CUSTOM' ? places : [], seats },
      });
    },
    stopTerminalLayoutConfig: (context, { params, body: { meetId, termId } }) => {
      known(params.res);
      return execute(context, meetId, { verb: 'terminalLayout', termId, layout: null });
    },
    setChatLayout: (context, { params, body: { meetId, position } }) => {
      known(params.res);
      return execute(context, meetId, { verb: 'window', position });
    },
    lockConfContent: (context, { params, query: { meetId, termId, action } }) => {
      known(params.res);
      return execute(context, meetId, { verb: 'contentLock', termId: action === 'LOCK' ? (termId ?? null) : null });
    },
    setDualStream: (context, { query }) => dualStream(context, query),
    readDualStream: (context, { query }) => dualStream(context, query),
    setConfCaptions: (context, { params, query: { meetId }, body }) => {
      known(params.res);
      return execute(context, meetId, { verb: 'banner', termId: null, banner: bannerOf(body, now()) });
    },
    setTermCaptions: (context, { params, query: { meetId, termId }, body }) => {
      known(params.res);
      return execute(context, meetId, { verb: 'banner', termId, banner: bannerOf(body, now()) });
    },

    setPollingState: (
      context,
      {
        params,
        query: { meetId, polling: on, lectureId, meetingRoom },
        body: { termIds, seconds, onlyVideo, isPaused },
      },
    ) => {
      known(params.res);
      if (!on) return polling.stop(context, meetId);
      const change = Object.fromEntries(
        Object.entries({ termIds, seconds, onlyVideo, isPaused, roomsOnly: meetingRoom }).filter(
          ([, value]) => value !== undefined,
        ),
      );
      return polling.start(context, meetId, change, orNull(lectureId ?? ''));
    },
    startBroadcastPolling: (context, { params, body: { meetId, pollingEnable } }) => {
      known(params.res);
      return polling.broadcast(context, meetId, pollingEnable);
    },
    setPollingTimeSpan: (context, { params, query: { meetId, timespan } }) => {
      known(params.res);
      return polling.setSeconds(context, meetId, timespan);
    },
    turnPolling: (context, { params, body }) => polling.turn(context, params.meetId, body),
  };
}
