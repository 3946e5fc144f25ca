import { z } from 'zod';
import type { Jobs } from '../../platform/jobs/types.ts';
import type { MeetingService } from './service.ts';

/** Closes meetings that were not opened in time. */
export function defineMeetingJobs(jobs: Jobs, meetings: MeetingService): void {
  jobs.define('meetings-lapse', z.object({}), async () => {
    await meetings.lapse();
  });
  jobs.every('meetings-lapse', '* * * * *');
}
