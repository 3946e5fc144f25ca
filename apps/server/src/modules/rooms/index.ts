export { createRoomBookings, type RoomBookings } from './bookings.ts';
export { defineRoomJobs } from './jobs.ts';
export { sortKeyOf } from './natural-order.ts';
export { roomRoutes } from './routes.ts';
export { createRoomService, type RoomService } from './service.ts';
