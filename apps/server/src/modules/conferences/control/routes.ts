import { applyCommand, controlChanges, type ConferenceCommand } from '@rmeet/conference';
import type { CommandAnswer, contract } from '@rmeet/contract';
import type { Db } from '../../../platform/db/index.ts';
import { AppError, type Handlers } from '../../../platform/http/index.ts';
import { fullDeskOf } from '../desk/state.ts';
import { mayCommand } from '../policy.ts';
import type { Control } from './control.ts';
import { knownEngine, type ConferenceEngine } from './engine.ts';
import type { Moderation } from './moderation.ts';
import type { Polling } from './polling.ts';
import { orNull, screenRoutes, type ScreenRoute } from './screen-routes.ts';
import { canUndo, presentLog } from './present.ts';
import { findCommand, findCommandsAfter, findUndoing } from './repo.ts';
import type { ControlContext } from './authorization.ts';

export interface ControlRoutesDeps {
  db: Db;
  control: Control;
  moderation: Moderation;
  polling: Polling;
  now: () => Date;
  engine: ConferenceEngine;
  /** Rings one person or terminal. */
  ring: (context: ControlContext, meetId: string, target: string) => Promise<CommandAnswer>;
}

/** Rows of the log in one response. */
const LOG_PAGE = 200;

const termIdsOf = ({
  termId,
  termIds = [],
}: {
  termId?: string | undefined;
  termIds?: string[] | undefined;
}): string[] => [...(termId === undefined ? [] : [termId]), ...termIds];

type ControlRoute =
  | 'muteAll'
  | 'unMuteAll'
  | 'termMute'
  | 'screenVideo'
  | 'setVolumeTerminal'
  | 'limitVideo'
  | 'changeStatus'
  | 'delTerm'
  | 'delTermBatch'
  | 'setConfMode'
  | 'setConfLock'
  | 'setConfChairman'
  | 'setConfSpeaker'
  | 'updateTermialName'
  | 'muteStatus'
  | 'termTop'
  | 'termSort'
  | 'coChairs'
  | 'entry'
  | 'askUnmute'
  | 'sendBack'
  | 'undo'
  | 'selfUnmute'
  | 'knock'
  | 'events';

/** Control of a running conference: each call is one command. */
// oxlint-disable-next-line max-lines-per-function -- a flat list of routes
export function controlRoutes({
  db,
  control,
  moderation,
  polling,
  engine,
  ring,
  now,
}: ControlRoutesDeps): Pick<Handlers<typeof contract.conferences>, ControlRoute | ScreenRoute> {
  const known = knownEngine(engine);
  const execute = (context: ControlContext, meetId: string, command: ConferenceCommand): Promise<CommandAnswer> =>
    control.command(context, meetId, command.verb, () => command);

  return {
    ...screenRoutes({ control, polling, engine, now }),
    muteAll: (context, { params, body: { meetId, except, allowSelfUnmute = null } }) => {
      known(params.res);
      // A terminal that mutes everybody does not mean itself.
      return control.command(context, meetId, 'muteAll', ({ by }) => ({
        verb: 'muteAll',
        muted: true,
        except: by.termId === null || except.includes(by.termId) ? except : [...except, by.termId],
        allowSelfUnmute,
      }));
    },
    unMuteAll: (context, { params, body: { meetId } }) => {
      known(params.res);
      return execute(context, meetId, { verb: 'muteAll', muted: false, except: [], allowSelfUnmute: null });
    },
    termMute: (context, { params, body }) => {
      known(params.res);
      return execute(context, body.meetId, { verb: 'mute', termIds: termIdsOf(body), muted: body.mute });
    },
    screenVideo: (context, { params, body }) => {
      known(params.res);
      return execute(context, body.meetId, { verb: 'camera', termIds: termIdsOf(body), open: body.open });
    },
    setVolumeTerminal: (context, { params, body: { conferId, termId, volume } }) => {
      known(params.res);
      return execute(context, conferId, { verb: 'volume', termId, volume });
    },
    limitVideo: (context, { params, body: { meetId, termIds, maxHeight } }) => {
      known(params.res);
      return execute(context, meetId, { verb: 'limitVideo', termIds, maxHeight });
    },
    changeStatus: (context, { params, body: { meetId, termId, status } }) => {
      known(params.res);
      return status === 'CALL' ? ring(context, meetId, termId) : moderation.remove(context, meetId, [termId], true);
    },
    delTerm: (context, { params, query: { termId, canReturn } }) => {
      known(params.res);
      return moderation.remove(context, params.id, [termId], canReturn);
    },
    delTermBatch: (context, { params, query: { termIds, canReturn } }) => {
      known(params.res);
      return moderation.remove(context, params.id, termIds, canReturn);
    },
    setConfMode: (context, { params, query: { meetId, videoSet, termId } }) => {
      known(params.res);
      if (videoSet === 'POLLING') return polling.broadcast(context, meetId, true);
      if ((videoSet === 'SPEAKER' || videoSet === 'LECTURE') && termId === undefined)
        throw new AppError('INVALID_INPUT', {}, { termId: videoSet });
      if (videoSet === 'LECTURE') return polling.start(context, meetId, {}, termId ?? null);
      return execute(context, meetId, { verb: 'mode', mode: videoSet, termId: termId ?? null });
    },
    setConfLock: (context, { params, query: { meetId, conflock } }) => {
      known(params.res);
      return execute(context, meetId, { verb: 'lock', locked: conflock });
    },
    setConfChairman: (context, { params, query: { meetId, termId } }) => {
      known(params.res);
      return execute(context, meetId, { verb: 'chairman', termId: orNull(termId) });
    },
    setConfSpeaker: (context, { params, query: { meetId, termId } }) => {
      known(params.res);
      return execute(context, meetId, { verb: 'speaker', termId: orNull(termId) });
    },
    updateTermialName: (context, { params, query: { meetId, termId, termName } }) => {
      known(params.res);
      return execute(context, meetId, { verb: 'rename', termId, name: termName });
    },
    muteStatus: async (context, { params, query: { meetId } }) => {
      known(params.res);
      const { conference } = await db.tenant(context.caller.tenantId, (tx) => control.seeing(tx, context, meetId));
      const inside = Object.entries(conference.control.terminals).filter(([, { present }]) => present);
      return inside.map(([termId, { muted, unmuteAsked }]) => ({ termId, mute: muted, unmuteAsked }));
    },

    termTop: (context, { query: { meetId, termId, flag } }) =>
      execute(context, meetId, { verb: 'top', termId, top: flag }),
    termSort: (context, { query, body }) =>
      control.command(context, query.meetId, 'sort', ({ conference }) => ({
        verb: 'sort',
        termIds: [...new Set(body.termIds)].filter((termId) => conference.control.terminals[termId]),
      })),
    coChairs: (context, { params, body: { termIds, appoint } }) =>
      execute(context, params.meetId, { verb: 'coChairs', termIds, appoint }),
    entry: (context, { params, body }) => execute(context, params.meetId, { verb: 'entry', ...body }),
    askUnmute: (context, { params, body }) =>
      execute(context, params.meetId, { verb: 'askUnmute', termIds: body.termIds }),
    sendBack: (context, { params, body }) => moderation.sendBack(context, params.meetId, body.termIds),
    undo: (context, { params, body: { commandId } }) =>
      control.command(context, params.meetId, 'undo', async ({ conference, parts }, tx) => {
        const row = await findCommand(tx, conference.id, commandId);
        if (!row || !canUndo(row)) throw new AppError('UNDO_IMPOSSIBLE');
        if (!mayCommand(parts, row.command.verb)) throw new AppError('FORBIDDEN');
        const undo = { verb: 'undo', commandId, changes: row.changes } as const;
        const isStale = controlChanges(conference.control, applyCommand(conference.control, undo)).length === 0;
        if (isStale || (await findUndoing(tx, [commandId])).length > 0) throw new AppError('UNDO_IMPOSSIBLE');
        return undo;
      }),

    selfUnmute: async (context, { params }) => {
      await moderation.selfUnmute(context, params.meetId);
      return null;
    },
    knock: async (context, { params, body }) => {
      await moderation.knock(context, params.meetId, body.text);
      return null;
    },
    events: (context, { params, query }) =>
      db.tenant(context.caller.tenantId, async (tx) => {
        const { conference } = await fullDeskOf(tx, context.caller, params.meetId);
        return presentLog(tx, await findCommandsAfter(tx, conference.id, query.after, LOG_PAGE));
      }),
  };
}
