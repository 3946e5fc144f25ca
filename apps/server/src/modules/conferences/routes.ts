import type { contract } from '@rmeet/contract';
import type { Handlers } from '../../platform/http/index.ts';
import type { ConferenceService } from './service.ts';

export const conferenceRoutes = (conferences: ConferenceService): Handlers<typeof contract.conferences> => ({
  join: (context, { body }) => conferences.join(context, body),
  enter: (context, { params }) => conferences.enter(context, params.meetId),
  leave: async (context, { params }) => {
    await conferences.leave(context, params.meetId);
    return null;
  },
  end: async (context, { params }) => {
    await conferences.end(context, params.meetId);
    return null;
  },
  admit: async (context, { params, body }) => {
    await conferences.admit(context, params.meetId, body.termIds, body.admit);
    return null;
  },
  hand: async (context, { params, body }) => {
    await conferences.raiseHand(context, params.meetId, body.raised);
    return null;
  },
  chat: (context, { params, body }) => conferences.say(context, params.meetId, body),
});
