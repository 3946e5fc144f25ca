import { z } from 'zod';
import type { Jobs } from '../../platform/jobs/types.ts';
import type { RoomBookings } from './bookings.ts';

/** Takes rooms back from meetings nobody came to. */
export function defineRoomJobs(jobs: Jobs, bookings: RoomBookings): void {
  jobs.define('rooms-release', z.object({}), async () => {
    await bookings.releaseUnused();
  });
  jobs.every('rooms-release', '* * * * *');
}
