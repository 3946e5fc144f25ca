export { createLive, type Live } from './create.ts';
export { createLiveBooking } from './booking.ts';
export { createBroadcastPort } from './run.ts';
