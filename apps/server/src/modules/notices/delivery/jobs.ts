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

/** Jobs that send notices, and each minute find lost and due ones and meetings that begin soon. */
export function defineNoticeJobs(jobs: Jobs, notices: Rounds): void {
  jobs.define(SEND, z.object({}), async () => {
    await notices.sendDue();
  });
  jobs.define(ROUND, z.object({}), () => notices.round());
  jobs.every(ROUND, '* * * * *');
}

/** Sends waiting notices by the queue. */
export async function sendSoon(jobs: Jobs): Promise<void> {
  await jobs.send(undefined, SEND, {}, { key: SEND });
}

/**
 * Triggers sending after the commit of a transaction. Not within it, so that a booking does not wait for the queue; if
 * the process ends in between, the next round finds what was written.
 */
export function sendSoonBy(jobs: Jobs, log: Log): (tx: TenantTx) => void {
  return (tx) =>
    tx.afterCommit(() => {
      sendSoon(jobs).catch((error: unknown) => log.warn({ error }, 'Notices wait for the next round'));
    });
}
