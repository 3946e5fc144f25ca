import { z } from 'zod';
import type { Jobs } from '../../platform/jobs/types.ts';
import type { RoomUsage } from './usage.ts';

/** Takes rooms back from meetings without check-in. */
export function defineRoomJobs(jobs: Jobs, usage: RoomUsage): void {
  jobs.define('rooms-release', z.object({}), async () => {
    await usage.releaseUnused();
  });
  jobs.every('rooms-release', '* * * * *');
}
