import { MeetingDrawersByAddress } from '../features/meetings/index.ts';
import { OccupyRoomPage } from '../features/rooms/occupy/index.ts';

/** The occupancy board; clicks open the booking form or a meeting beside it. */
export function OccupyPage() {
  return (
    <>
      <OccupyRoomPage />
      <MeetingDrawersByAddress />
    </>
  );
}
