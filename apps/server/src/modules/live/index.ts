export { createLiveBooking } from './booking.ts';
export { createLive, type Live } from './create.ts';
export { noDelivery } from './no-delivery.ts';
export type { LiveRounds } from './rounds.ts';
export type { DeliveryRoutes } from './routes.ts';
export { createBroadcastPort } from './run.ts';
export type { Admit, Admitted } from './watch/admit.ts';
export type { Replay } from './watch/replay.ts';
