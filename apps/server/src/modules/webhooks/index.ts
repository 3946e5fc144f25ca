import { eq } from 'drizzle-orm';
import type { TenantTx } from '../../platform/db/index.ts';
import { webhook } from './tables.ts';

export { createEvents } from './events.ts';
export { defineWebhookJobs, sendWebhooksBy, webhookRound } from './jobs.ts';
export { createStopNotice } from './notify.ts';
export { createQueue } from './queue.ts';
export { webhookRoutes } from './routes.ts';
export { createWebhookService } from './service.ts';

/** Deletes the webhooks of an API client that has ended. */
export async function endWebhooksOf(tx: TenantTx, clientId: string): Promise<void> {
  await tx.delete(webhook, eq(webhook.clientId, clientId));
}
