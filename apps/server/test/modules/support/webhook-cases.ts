import { eq } from 'drizzle-orm';
import { webhook, webhookDelivery } from '../../../src/modules/webhooks/tables.ts';
import { newId } from '../../../src/platform/db/index.ts';
import { all, type Case, type Expected, type Setting } from './case-setting.ts';

/** Webhooks of `north`. */
const ofNorth: Expected = { foreignAdmin: 'NOT_FOUND', others: 'OK' };
const url = 'https://hooks.example.org/rmeet';
const body = ({ north }: Setting) => ({ tenantId: north, name: 'Board', url, events: ['meeting.booked' as const] });
const withTenant = ({ north }: Setting) => ({ tenantId: north });

/** A new webhook of `north`. It is removed before the next one, because there may be few. */
async function newWebhook(setting: Setting): Promise<string> {
  const { server, north } = setting;
  return server.db.tenant(north, async (tx) => {
    await tx.delete(webhook, eq(webhook.name, 'Board'));
    const id = newId();
    const events = ['meeting.booked' as const];
    await tx.insert(webhook, { id, name: 'Board', url, events, sealed: 'x', createdAt: server.clock.now() });
    return id;
  });
}
const onWebhook = async (setting: Setting) => ({ params: { id: await newWebhook(setting) } });

/** Not sent in the walk: the secret cannot be opened, which a delivery says. */
async function newDelivery(setting: Setting) {
  const { server, north } = setting;
  const { params } = await onWebhook(setting);
  const deliveryId = newId();
  await server.db.tenant(north, (tx) =>
    tx.insert(webhookDelivery, {
      id: deliveryId,
      webhookId: params.id,
      event: 'meeting.booked',
      at: server.clock.now(),
      payload: '{}',
    }),
  );
  return { params: { ...params, deliveryId }, body: withTenant(setting) };
}

export const webhookCases: Record<string, Case> = {
  'webhooks.list': { expected: all, args: (setting) => ({ query: withTenant(setting) }) },
  'webhooks.create': {
    expected: all,
    args: async (setting) => {
      await newWebhook(setting);
      return { body: body(setting) };
    },
  },
  'webhooks.update': {
    expected: ofNorth,
    args: async (setting) => ({ ...(await onWebhook(setting)), body: { ...body(setting), version: 1 } }),
  },
  'webhooks.rotate': {
    expected: ofNorth,
    args: async (setting) => ({ ...(await onWebhook(setting)), body: withTenant(setting) }),
  },
  'webhooks.remove': {
    expected: ofNorth,
    args: async (setting) => ({ ...(await onWebhook(setting)), query: withTenant(setting) }),
  },
  'webhooks.deliveries': {
    expected: ofNorth,
    args: async (setting) => ({ ...(await onWebhook(setting)), query: withTenant(setting) }),
  },
  'webhooks.resend': { expected: ofNorth, args: newDelivery },
  'webhooks.test': {
    expected: ofNorth,
    args: async (setting) => ({ ...(await onWebhook(setting)), body: withTenant(setting) }),
  },
};
