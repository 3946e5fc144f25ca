export {
  bookRooms,
  checkInRooms,
  countBookableRooms,
  endRoomBookings,
  giveRoomsBack,
  giveUnusedRoomsBack,
  mustStayOpen,
  prolongBookings,
  roomsBusy,
  roomsOfMeetings,
} from './booking.ts';
export { defineRoomJobs } from './jobs.ts';
export { sortKeyOf } from './natural-order.ts';
export { roomRoutes } from './routes.ts';
export { bookRoomsOfAll, holdRooms, obstaclesOf } from './series-booking.ts';
export { createRoomService, type RoomService } from './service.ts';
export { createRoomUsage } from './usage.ts';
