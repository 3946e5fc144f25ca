import { z } from 'zod';
import type { Jobs } from '../../platform/jobs/types.ts';
import type { ApprovalService } from './service.ts';

/** Closes meetings that were not decided on in time. */
export function defineApprovalJobs(jobs: Jobs, approvals: ApprovalService): void {
  jobs.define('approvals-lapse', z.object({}), async () => {
    await approvals.lapse();
  });
  jobs.every('approvals-lapse', '* * * * *');
}
