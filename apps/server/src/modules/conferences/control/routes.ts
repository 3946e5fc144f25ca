import { recordStatusOf } from '@rmeet/conference';
import type { contract } from '@rmeet/contract';
import type { Db } from '../../../platform/db/index.ts';
import type { Handlers } from '../../../platform/http/index.ts';
import { fullDeskOf } from '../desk/state.ts';
import type { Control } from './control.ts';
import { knownEngine, type ConferenceEngine } from './engine.ts';
import type { Moderation } from './moderation.ts';
import { presentLog } from './present.ts';
import { findCommandsAfter } from './repo.ts';

export interface ControlRoutesDeps {
  db: Db;
  control: Control;
  moderation: Moderation;
  engine: Pick<ConferenceEngine, 'name'>;
}

/** Rows of the log in one response. */
const LOG_PAGE = 200;

export type ControlHandlers = Pick<
  Handlers<typeof contract.conferences>,
  'muteStatus' | 'getRecordStatus' | 'selfUnmute' | 'knock' | 'events'
>;

/** The control state and its log, and what terminals do for themselves. */
export function controlRoutes({ db, control, moderation, engine }: ControlRoutesDeps): ControlHandlers {
  return {
    muteStatus: async (context, { params: { res }, query: { meetId } }) => {
      knownEngine(engine)(res);
      const { conference } = await db.tenant(context.caller.tenantId, (tx) => control.seeing(tx, context, meetId));
      const inside = Object.entries(conference.control.terminals).filter(([, { present }]) => present);
      return inside.map(([termId, { muted, unmuteAsked }]) => ({ termId, mute: muted, unmuteAsked }));
    },
    getRecordStatus: async (context, { query: { meetId } }) => {
      const { conference } = await db.tenant(context.caller.tenantId, (tx) => control.seeing(tx, context, meetId));
      const { recording } = conference.control;
      return {
        status: recordStatusOf(conference.control),
        recordingId: recording?.id ?? null,
        trouble: recording?.trouble ?? null,
        startedAt: recording?.startedAt ?? null,
      };
    },
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
