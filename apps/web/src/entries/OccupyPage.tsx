import { MeetingDrawersByAddress } from '../features/meetings/index.ts';
import { OccupyRoomPage } from '../features/rooms/occupy/index.ts';

/** The occupancy board; what is clicked on it is booked or shown beside it. */
export function OccupyPage() {
  return (
    <>
      <OccupyRoomPage />
      <MeetingDrawersByAddress />
    </>
  );
}
