import type { contract } from '@rmeet/contract';
import type { Handlers } from '../../../platform/http/index.ts';
import { knownEngine } from '../control/engine.ts';
import type { ConferenceEngine } from '../control/index.ts';
import { Moves, type MovesDeps } from './move.ts';
import { createPlaces, type PlacesDeps } from './place.ts';

type TopologyRoute =
  | 'zonesMcus'
  | 'meetingPlace'
  | 'manualCascade'
  | 'confTopo'
  | 'readConfTopo'
  | 'reset'
  | 'moveZone';
export type TopologyHandlers = Pick<Handlers<typeof contract.conferences>, TopologyRoute>;

/** Routes about where conferences run, and about moving them. */
export function topologyRoutes(
  deps: PlacesDeps & MovesDeps & { engine: Pick<ConferenceEngine, 'name'> },
): TopologyHandlers {
  const places = createPlaces(deps);
  const moves = new Moves(deps);
  const known = knownEngine(deps.engine);
  return {
    zonesMcus: ({ caller }) => places.zones(caller),
    meetingPlace: (context, { query }) => places.of(context, query.meetId),
    manualCascade: () => [],
    confTopo: (context, { query }) => places.topology(context, query.meetId),
    readConfTopo: (context, { query }) => places.topology(context, query.meetId),
    reset: (context, { query: { meetId, mcuIds } }) => moves.reset(context, meetId, mcuIds),
    moveZone: (context, { params, query: { meetId, oldMcuZoneId, mcuZoneId } }) => {
      known(params.res);
      return moves.moveZone(context, meetId, oldMcuZoneId, mcuZoneId);
    },
  };
}
