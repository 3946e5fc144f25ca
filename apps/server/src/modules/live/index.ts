export { hasBroadcast } from './access.ts';
export { createLiveBooking } from './booking.ts';
export { createLive, type Live } from './create.ts';
export { streamArrived } from './manual/on-air.ts';
export type { LiveRounds } from './rounds.ts';
export { createBroadcastPort } from './run.ts';
export { createPushHosts } from './targets/hosts.ts';
export { providerRoutes } from './targets/providers.ts';
export { withPushes } from './targets/pushed-outputs.ts';
