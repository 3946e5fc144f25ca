import { recordStatusOf, type ConferenceControl } from '@rmeet/conference';
import type { contract } from '@rmeet/contract';
import type { Db } from '../../../platform/db/index.ts';
import { AppError, type Handlers } from '../../../platform/http/index.ts';
import { fullDeskOf } from '../desk/state.ts';
import { mayDo } from '../policy.ts';
import type { RecordingPort } from '../recording/port.ts';
import { findRunning } from '../repo.ts';
import { partsOfCaller } from './authorization.ts';
import type { Control } from './control.ts';
import { knownEngine, type ConferenceEngine } from './engine.ts';
import type { Moderation } from './moderation.ts';
import { presentLog } from './present.ts';
import { findCommandsAfter } from './repo.ts';

export interface ControlRoutesDeps {
  db: Db;
  control: Control;
  moderation: Moderation;
  recordings: Pick<RecordingPort, 'findLast'>;
  engine: Pick<ConferenceEngine, 'name'>;
}

/** Rows of the log in one response. */
const LOG_PAGE = 200;

export type ControlHandlers = Pick<
  Handlers<typeof contract.conferences>,
  'muteStatus' | 'getRecordStatus' | 'selfUnmute' | 'knock' | 'events'
>;

const presentRecording = (control: Pick<ConferenceControl, 'recording'>) => ({
  status: recordStatusOf(control),
  recordingId: control.recording?.id ?? null,
  trouble: control.recording?.trouble ?? null,
  startedAt: control.recording?.startedAt ?? null,
});

/** The control state and its log, and what terminals do for themselves. */
export function controlRoutes({ db, control, moderation, recordings, engine }: ControlRoutesDeps): ControlHandlers {
  return {
    muteStatus: async (context, { params: { res }, query: { meetId } }) => {
      knownEngine(engine)(res);
      const { conference } = await db.tenant(context.caller.tenantId, (tx) => control.seeing(tx, context, meetId));
      const inside = Object.entries(conference.control.terminals).filter(([, { present }]) => present);
      return inside.map(([termId, { muted, unmuteAsked }]) => ({ termId, mute: muted, unmuteAsked }));
    },
    getRecordStatus: async (context, { query: { meetId } }) => {
      const { caller } = context;
      return db.tenant(caller.tenantId, async (tx) => {
        const running = caller.kind === 'terminal' || (await findRunning(tx, meetId)) !== undefined;
        if (running) return presentRecording((await control.seeing(tx, context, meetId)).conference.control);
        if (!mayDo(await partsOfCaller(tx, caller, meetId), 'see')) throw new AppError('FORBIDDEN');
        const last = await recordings.findLast(tx, meetId);
        return {
          status: last?.status ?? 'NONE',
          recordingId: last?.id ?? null,
          trouble: last?.trouble ?? null,
          startedAt: last?.startedAt.toISOString() ?? null,
        };
      });
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
