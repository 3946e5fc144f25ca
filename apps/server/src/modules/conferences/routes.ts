import type { contract } from '@rmeet/contract';
import { networkOf, Queues, type Handlers } from '../../platform/http/index.ts';
import type { Admissions } from './joining/admission.ts';
import type { CallHandlers } from './calls/index.ts';
import type { CommandHandlers } from './commands/index.ts';
import type { ControlHandlers } from './control/index.ts';
import type { DeskHandlers } from './desk/routes.ts';
import type { ProceedingHandlers } from './proceedings/index.ts';
import type { ConferenceService } from './joining/service.ts';
import type { TopologyHandlers } from './topology/index.ts';

type AllHandlers = Handlers<typeof contract.conferences>;
type PresenceRoute = 'join' | 'preJoin' | 'enter' | 'goOver' | 'leave' | 'hand' | 'chat';

/**
 * Joins of one meeting from one address at once. More would only wait for the conference's row, and hold connections to
 * the database meanwhile.
 */
const JOINS = { atOnce: 4, longest: 2_000, patience: 20_000 };

const presenceRoutes = (
  conferences: ConferenceService,
  admission: Admissions,
  joins: Queues,
): Pick<AllHandlers, PresenceRoute> => ({
  join: (context, { body }) =>
    joins.run(`${body.resource ?? body.numericId} ${networkOf(context.address)}`, context.signal, () =>
      conferences.join(context, body),
    ),
  preJoin: ({ caller }, { query }) => admission.preJoin(caller, query),
  enter: (context, { params }) => conferences.enter(context, params.meetId),
  goOver: (context, { params }) => conferences.goOver(context, params.meetId),
  leave: async (context, { params }) => {
    await conferences.leave(context, params.meetId);
    return null;
  },
  hand: async (context, { params, body }) => {
    await conferences.raiseHand(context, params.meetId, body.raised);
    return null;
  },
  chat: (context, { params, body }) => conferences.say(context, params.meetId, body),
});

/** All routes of running conferences, put together. */
export function conferenceRoutes({
  service,
  admission,
  commands,
  control,
  proceedings,
  desk,
  calls,
  topology,
}: {
  service: ConferenceService;
  admission: Admissions;
  commands: CommandHandlers;
  control: ControlHandlers;
  proceedings: ProceedingHandlers;
  desk: DeskHandlers;
  calls: CallHandlers;
  topology: TopologyHandlers;
}): AllHandlers {
  return {
    ...presenceRoutes(service, admission, new Queues(JOINS)),
    ...commands,
    ...control,
    ...proceedings,
    ...desk,
    ...calls,
    ...topology,
  };
}
