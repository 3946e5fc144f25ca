import type { contract } from '@rmeet/contract';
import type { Handlers } from '../../../platform/http/index.ts';
import type { Places } from './place.ts';

export { Moves } from './move.ts';
export { createPlaces } from './place.ts';

export type TopologyHandlers = Pick<
  Handlers<typeof contract.conferences>,
  'zonesMcus' | 'meetingPlace' | 'manualCascade' | 'confTopo' | 'readConfTopo'
>;

/** Routes about where conferences run. */
export const topologyRoutes = (places: Places): TopologyHandlers => ({
  zonesMcus: ({ caller }) => places.zones(caller),
  meetingPlace: (context, { query }) => places.of(context, query.meetId),
  manualCascade: () => [],
  confTopo: (context, { query }) => places.topology(context, query.meetId),
  readConfTopo: (context, { query }) => places.topology(context, query.meetId),
});
