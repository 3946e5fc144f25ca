import type { WebhookEvent } from '@rmeet/contract';
import { eq } from 'drizzle-orm';
import { newId, type TenantTx } from '../../platform/db/index.ts';
import { webhook, webhookDelivery, type WebhookRow } from './tables.ts';

/** The webhooks of the transaction's tenant that want an event. */
export async function listenersOf(tx: TenantTx, event: WebhookEvent): Promise<WebhookRow[]> {
  const rows = await tx.find(webhook, eq(webhook.state, 'active'));
  return rows.filter((row) => row.events.includes(event));
}

interface News {
  event: WebhookEvent | 'ping';
  at: Date;
  data: object;
  /** What happened, if it might be told twice. */
  key?: string;
}

/**
 * Stores a delivery for each of the webhooks, in the transaction of the event: it is sent after the commit, and only
 * then.
 */
export async function tell(
  tx: TenantTx,
  rows: readonly WebhookRow[],
  { event, at, data, key }: News,
): Promise<string[]> {
  if (rows.length === 0) return [];
  const stored = await tx.insert(
    webhookDelivery,
    rows.map((row) => {
      const id = newId();
      const payload = JSON.stringify({ id, type: event, timestamp: at.toISOString(), data });
      return { id, webhookId: row.id, event, key: key ?? null, at, payload, nextAt: at };
    }),
    'nothing',
  );
  return stored.map((row) => row.id);
}
