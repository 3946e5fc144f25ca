import { z } from 'zod';
import { API_BASE } from '../constants.ts';
import { page, pageQuery } from '../http/envelope.ts';
import { route } from '../http/route.ts';
import { line } from '../line.ts';

/** What webhooks are told of. `ping` is sent by hand, to try an address. */
export const WEBHOOK_EVENTS = [
  'meeting.booked',
  'meeting.changed',
  'meeting.cancelled',
  'conference.started',
  'conference.ended',
  'terminal.joined',
  'terminal.left',
  'recording.ready',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** `stopped`: it failed for a day, and takes no further events until it is enabled again. */
export const WEBHOOK_STATES = ['active', 'disabled', 'stopped'] as const;
export const DELIVERY_STATES = ['waiting', 'delivered', 'failed'] as const;
/** How many webhooks a tenant may have. */
export const MOST_WEBHOOKS = 20;
/** Deliveries are kept for this many days. */
export const DELIVERY_DAYS = 30;

const url = z.url({ protocol: /^https?$/ }).max(1_000);
const events = z.array(z.enum(WEBHOOK_EVENTS)).min(1).max(WEBHOOK_EVENTS.length);

/** An address that is told of events of a tenant. */
export const webhook = z.object({
  id: z.uuid(),
  name: z.string(),
  url: z.string(),
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  state: z.enum(WEBHOOK_STATES),
  /** The API client that made it, and with which it ends; null: an administrator. */
  client: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  /** Since when nothing is delivered. */
  failingSince: z.iso.datetime().nullable(),
  /** Deliveries that wait. */
  waiting: z.number().int(),
  createdAt: z.iso.datetime(),
  version: z.number().int(),
});
export type Webhook = z.infer<typeof webhook>;

/** One event for one webhook. */
const delivery = z.object({
  /** Also the header `webhook-id`; the same in every attempt. */
  id: z.uuid(),
  event: z.enum([...WEBHOOK_EVENTS, 'ping']),
  at: z.iso.datetime(),
  state: z.enum(DELIVERY_STATES),
  attempts: z.number().int(),
  /** Of the last attempt; null before the first one. */
  triedAt: z.iso.datetime().nullable(),
  /** HTTP status; null if there was no answer. */
  status: z.number().int().nullable(),
  /** The beginning of the answer, or why there was none. */
  answer: z.string(),
  /** Milliseconds. */
  ms: z.number().int().nullable(),
  nextAt: z.iso.datetime().nullable(),
  /** The body as it is sent. */
  payload: z.string(),
});
export type WebhookDelivery = z.infer<typeof delivery>;

const withSecret = z.object({
  webhook,
  /** Shown once: `whsec_` and the key in base64. */
  secret: z.string(),
});

const WEBHOOKS = `${API_BASE}/webhooks`;
const id = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2e92';
const at = '2026-11-20T08:00:00.000Z';
const exampleWebhook: Webhook = {
  id,
  name: 'Ward board',
  url: 'https://board.example.org/rmeet',
  events: ['meeting.booked', 'conference.started'],
  state: 'active',
  client: null,
  failingSince: null,
  waiting: 0,
  createdAt: at,
  version: 1,
};
const exampleDelivery: WebhookDelivery = {
  id,
  event: 'conference.started',
  at,
  state: 'delivered',
  attempts: 1,
  triedAt: at,
  status: 200,
  answer: '',
  ms: 41,
  nextAt: null,
  payload: '{"type":"conference.started"}',
};
const manages = { callers: ['user', 'operator'], permission: 'api-records:manage' } as const;
const params = z.object({ id: z.uuid() });
/** Operators name the tenant; for all others it is their own. */
const ofTenant = { tenantId: z.uuid().optional() };
const body = z.object({ ...ofTenant, name: line().min(1).max(60), url, events });

/** Events of the product, sent to other programs (docs/features/api-clients.md). */
export const webhooks = {
  list: route({
    method: 'GET',
    path: WEBHOOKS,
    ...manages,
    scope: 'webhooks:read',
    summary: 'The webhooks of a tenant.',
    input: { query: z.object(ofTenant) },
    data: z.array(webhook),
    errors: ['TENANT_REQUIRED'],
    example: { query: {}, data: [exampleWebhook] },
  }),
  create: route({
    method: 'POST',
    path: WEBHOOKS,
    ...manages,
    scope: 'webhooks:write',
    audit: true,
    summary:
      'Makes a webhook: https, or a host inside the network that the operator lists. Its secret is shown in this ' +
      'answer only.',
    input: { body },
    data: withSecret,
    errors: ['TENANT_REQUIRED', 'WEBHOOK_ADDRESS_REFUSED', 'WEBHOOKS_MOST'],
    example: {
      body: { name: 'Ward board', url: exampleWebhook.url, events: ['meeting.booked', 'conference.started'] },
      data: { webhook: exampleWebhook, secret: 'whsec_bjNaY1F4MVl6UDBjUXgxWXpQMGM=' },
    },
  }),
  update: route({
    method: 'PUT',
    path: `${WEBHOOKS}/:id`,
    ...manages,
    scope: 'webhooks:write',
    audit: true,
    summary: 'Changes a webhook, or enables it again. `version` is the one that was edited.',
    input: { params, body: body.extend({ enabled: z.boolean().default(true), version: z.number().int() }) },
    data: webhook,
    errors: ['TENANT_REQUIRED', 'WEBHOOK_ADDRESS_REFUSED', 'CHANGED_MEANWHILE'],
    example: {
      params: { id },
      body: { name: 'Ward board', url: exampleWebhook.url, events: ['meeting.booked'], version: 1 },
      data: exampleWebhook,
    },
  }),
  rotate: route({
    method: 'POST',
    path: `${WEBHOOKS}/:id/secret`,
    ...manages,
    scope: 'webhooks:write',
    audit: true,
    summary: 'Makes a new secret. For a day, events are signed with the previous one, too.',
    input: { params, body: z.object(ofTenant) },
    data: withSecret,
    errors: ['TENANT_REQUIRED'],
    example: {
      params: { id },
      body: {},
      data: { webhook: exampleWebhook, secret: 'whsec_bjNaY1F4MVl6UDBjUXgxWXpQMGM=' },
    },
  }),
  remove: route({
    method: 'DELETE',
    path: `${WEBHOOKS}/:id`,
    ...manages,
    scope: 'webhooks:write',
    audit: true,
    summary: 'Deletes a webhook with its deliveries.',
    input: { params, query: z.object(ofTenant) },
    data: z.null(),
    errors: ['TENANT_REQUIRED'],
    example: { params: { id }, query: {}, data: null },
  }),
  deliveries: route({
    method: 'GET',
    path: `${WEBHOOKS}/:id/deliveries`,
    ...manages,
    scope: 'webhooks:read',
    summary: 'What was sent to a webhook in the last 30 days, newest first, paged.',
    input: { params, query: z.object({ ...ofTenant, ...pageQuery, state: z.enum(DELIVERY_STATES).optional() }) },
    data: page(delivery),
    errors: ['TENANT_REQUIRED'],
    example: {
      params: { id },
      query: {},
      data: { records: [exampleDelivery], total: 1, current: 1, size: 20 },
    },
  }),
  resend: route({
    method: 'POST',
    path: `${WEBHOOKS}/:id/deliveries/:deliveryId/resend`,
    ...manages,
    scope: 'webhooks:write',
    audit: true,
    summary: 'Sends a delivery once more, now, with the same id and body.',
    limit: { by: 'caller', max: 60, seconds: 60 },
    input: { params: params.extend({ deliveryId: z.uuid() }), body: z.object(ofTenant) },
    data: delivery,
    errors: ['TENANT_REQUIRED'],
    example: { params: { id, deliveryId: id }, body: {}, data: exampleDelivery },
  }),
  test: route({
    method: 'POST',
    path: `${WEBHOOKS}/:id/test`,
    ...manages,
    scope: 'webhooks:write',
    audit: true,
    summary: 'Sends the event `ping`, and says what was answered.',
    limit: { by: 'caller', max: 60, seconds: 60 },
    input: { params, body: z.object(ofTenant) },
    data: delivery,
    errors: ['TENANT_REQUIRED'],
    example: { params: { id }, body: {}, data: { ...exampleDelivery, event: 'ping' } },
  }),
};
