import { z } from 'zod';
import type { Db, TenantTx } from '../../platform/db/index.ts';
import type { Jobs } from '../../platform/jobs/types.ts';
import type { Log } from '../../platform/log/log.ts';
import type { createEvents } from './events.ts';
import type { Queue } from './queue.ts';

const SEND = 'webhooks-send';
const ROUND = 'webhooks-round';
const CLEAR = 'webhooks-clear';

interface Rounds {
  db: Db;
  queue: Queue;
  events: Pick<ReturnType<typeof createEvents>, 'findReadyRecordings'>;
}

/** One round: finds recordings that became ready, and sends what is due. */
export async function webhookRound({ db, queue, events }: Rounds): Promise<void> {
  await events.findReadyRecordings(db);
  await queue.sendDue();
}

/** Jobs that send events, and each minute find lost and due ones. */
export function defineWebhookJobs(jobs: Jobs, rounds: Rounds): void {
  jobs.define(SEND, z.object({}), () => rounds.queue.sendDue());
  jobs.define(ROUND, z.object({}), () => webhookRound(rounds));
  jobs.every(ROUND, '* * * * *');
  jobs.define(CLEAR, z.object({}), () => rounds.queue.clear());
  jobs.every(CLEAR, '37 * * * *');
}

/**
 * Sends after the commit of a transaction, or at a later time. Not within it, so that nothing waits for the queue; if
 * the process ends in between, the next round finds what was stored.
 */
export function sendWebhooksBy(jobs: Jobs, log: Log): (tx: TenantTx, at?: Date) => void {
  return (tx, at) =>
    tx.afterCommit(() => {
      const options = at === undefined ? { key: SEND } : { key: `${SEND} ${at.toISOString()}`, startAfter: at };
      jobs
        .send(undefined, SEND, {}, options)
        .catch((error: unknown) => log.warn({ error }, 'Events wait for the next round'));
    });
}
