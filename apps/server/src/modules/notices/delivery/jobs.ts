import { z } from 'zod';
import type { TenantTx } from '../../../platform/db/index.ts';
import type { Jobs } from '../../../platform/jobs/types.ts';
import type { Log } from '../../../platform/log/log.ts';

const SEND = 'notices-send';
const ROUND = 'notices-round';

interface Rounds {
  sendDue(): Promise<number>;
  round(): Promise<void>;
}

/** Sends what waits, and each minute looks for what was lost on the way, is due again, or begins soon. */
export function defineNoticeJobs(jobs: Jobs, notices: Rounds): void {
  jobs.define(SEND, z.object({}), async () => {
    await notices.sendDue();
  });
  jobs.define(ROUND, z.object({}), () => notices.round());
  jobs.every(ROUND, '* * * * *');
}

/** Has what waits sent by the queue. */
export async function sendSoon(jobs: Jobs): Promise<void> {
  await jobs.send(undefined, SEND, {}, { key: SEND });
}

/**
 * Has what a transaction wrote sent once it has committed. After the commit and not in it, so that a booking does not
 * wait for the queue; should the process end in between, the minute's round finds what was written.
 */
export function sendSoonBy(jobs: Jobs, log: Log): (tx: TenantTx) => void {
  return (tx) =>
    tx.afterCommit(() => {
      sendSoon(jobs).catch((error: unknown) => log.warn({ error }, 'Notices wait for the next round'));
    });
}
