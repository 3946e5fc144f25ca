import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { WEBHOOK_EVENTS } from '@rmeet/contract';
import { recording } from '../../src/modules/recordings/tables.ts';
import { webhook, webhookDelivery } from '../../src/modules/webhooks/tables.ts';
import { newId } from '../../src/platform/db/index.ts';
import { addClient, machineOf } from './support/api-clients.ts';
import { clientOf, codeOf, signIn, type Person } from './support/client.ts';
import { startTestServer, type TestServer } from './support/server.ts';
import { signatureOf, startReceiver, type Receiver } from './support/webhook-receiver.ts';

let server: TestServer;
let receiver: Receiver;
let admin: Person;
let alice: Person;
beforeAll(async () => {
  server = await startTestServer({ eventHosts: ['127.0.0.1'] });
  [admin, alice] = [await signIn(server, 'admin'), await signIn(server, 'alice')];
});
afterAll(() => server.close());
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  for (const { id } of await admin.webhooks.list({ query: {} }))
    await admin.webhooks.remove({ params: { id }, query: {} });
  await receiver.close();
});

const booking = (values: object = {}) => ({
  subject: 'Round',
  startTime: server.clock.in(0),
  duration: 30,
  password: '246810',
  ...values,
});
const add = (values: object = {}) =>
  admin.webhooks.create({ body: { name: 'Board', url: receiver.url, events: [...WEBHOOK_EVENTS], ...values } });
const types = (): string[] => receiver.received.map(({ event }) => event.type);

describe('events', () => {
  test('of a meeting from booking to end are sent in order, signed, each with its own id', async () => {
    const { secret } = await add();
    const meeting = await alice.meetings.createNetwork({ body: booking() });
    const params = { id: meeting.meetId };
    await alice.meetings.update({ params, body: { ...booking(), subject: 'Ward round', version: 1 } });
    const host = await alice.conferences.join({ body: { numericId: meeting.numericId } });
    const guest = await clientOf(server).conferences.join({
      body: { numericId: meeting.numericId, name: 'Guest', password: '246810' },
    });
    await clientOf(server, guest.sessionToken).conferences.leave({ params: { meetId: meeting.meetId } });
    await alice.conferences.end({ params: { meetId: meeting.meetId } });
    await server.rounds.sendWebhooks();
    expect(types()).toEqual([
      'meeting.booked',
      'meeting.changed',
      'conference.started',
      'terminal.joined',
      'terminal.joined',
      'terminal.left',
      'terminal.left',
      'conference.ended',
    ]);
    for (const one of receiver.received) {
      expect(one.headers['webhook-signature']).toBe(signatureOf(secret, one));
      expect(one.headers['webhook-id']).toBe(one.event.id);
      expect(one.headers['content-type']).toBe('application/json');
    }
    const ids = receiver.received.map(({ event }) => event.id);
    expect(ids).toEqual(ids.toSorted());
    const [booked, , , joined, , left, , ended] = receiver.received.map(({ event }) => event.data);
    expect(booked).toMatchObject({ meetId: meeting.meetId, subject: 'Round', host: { name: 'Alice' }, version: 1 });
    expect(joined).toMatchObject({ termId: host.termId, userId: server.people.get('alice')?.id, role: 'host' });
    expect(left).toMatchObject({ termId: guest.termId, name: 'Guest', userId: null, reason: 'left' });
    expect(ended).toMatchObject({ endReason: 'ended', meeting: { subject: 'Ward round' } });
  });

  test('of a terminal that is removed, and of a meeting that is cancelled', async () => {
    await add({ events: ['terminal.left', 'meeting.cancelled'] });
    const meeting = await alice.meetings.createNetwork({ body: booking() });
    await alice.conferences.join({ body: { numericId: meeting.numericId } });
    const guest = await clientOf(server).conferences.join({
      body: { numericId: meeting.numericId, name: 'Guest', password: '246810' },
    });
    await alice.conferences.delTerm({
      params: { res: 'rz', id: meeting.meetId },
      query: { termId: guest.termId },
    });
    const later = await alice.meetings.createNetwork({ body: booking({ startTime: server.clock.in(60) }) });
    await alice.meetings.cancel({ params: { id: later.meetId }, query: {} });
    await server.rounds.sendWebhooks();
    expect(receiver.received.map(({ event }) => [event.type, event.data['reason'] ?? event.data['meetId']])).toEqual([
      ['terminal.left', 'removed'],
      ['meeting.cancelled', later.meetId],
    ]);
  });

  test('of every meeting of a series, when it is booked and when it is cancelled', async () => {
    await add({ events: ['meeting.booked', 'meeting.cancelled'] });
    const recurrence = { rule: 'FREQ=DAILY;COUNT=3' };
    const first = await alice.meetings.createNetwork({
      body: booking({ startTime: server.clock.in(60), recurrence }),
    });
    await alice.meetings.cancel({ params: { id: first.meetId }, query: { scope: 'all' } });
    await server.rounds.sendWebhooks();
    expect(types()).toEqual([
      ...Array.from({ length: 3 }, () => 'meeting.booked'),
      ...Array.from({ length: 3 }, () => 'meeting.cancelled'),
    ]);
  });

  test('are those that the webhook wants, of its own organisation, while it is enabled', async () => {
    const { webhook: made } = await add({ events: ['meeting.cancelled'] });
    await alice.meetings.createNetwork({ body: booking() });
    await (await signIn(server, 'erin')).meetings.createNetwork({ body: booking() });
    const body = { name: 'Board', url: receiver.url, events: ['meeting.booked' as const] };
    await admin.webhooks.update({ params: { id: made.id }, body: { ...body, enabled: false, version: 1 } });
    await alice.meetings.createNetwork({ body: booking({ subject: 'Unheard' }) });
    await admin.webhooks.update({ params: { id: made.id }, body: { ...body, version: 2 } });
    await alice.meetings.createNetwork({ body: booking({ subject: 'Heard' }) });
    await server.rounds.sendWebhooks();
    expect(receiver.received.map(({ event }) => event.data['subject'])).toEqual(['Heard']);
  });

  test('are none if the change is rolled back', async () => {
    await add();
    expect(await codeOf(alice.meetings.createNetwork({ body: booking({ roomIds: [newId()] }) }))).toBe('ROOM_UNKNOWN');
    await server.rounds.sendWebhooks();
    expect(types()).toEqual([]);
  });

  test('of a recording are sent once, when it is ready', async () => {
    await add({ events: ['recording.ready', 'conference.started'] });
    const meeting = await alice.meetings.createNetwork({ body: booking() });
    await alice.conferences.join({ body: { numericId: meeting.numericId } });
    await server.rounds.sendWebhooks();
    const conferenceId = String(receiver.received[0]?.event.data['conferenceId']);
    const row = server.people.get('alice');
    server.clock.advance({ seconds: 60 });
    await server.db.tenant(row?.tenantId ?? '', (tx) =>
      tx.insert(recording, {
        id: newId(),
        meetingId: meeting.meetId,
        conferenceId,
        hostId: row?.id ?? '',
        subject: 'Round',
        state: 'ready',
        withTracks: false,
        startedAt: server.clock.now(),
        endedAt: server.clock.now(),
        duration: 60_000,
        bytes: 5_000,
        download: true,
        watermark: false,
      }),
    );
    await server.rounds.sendWebhooks();
    await server.rounds.sendWebhooks();
    expect(types()).toEqual(['conference.started', 'recording.ready']);
    expect(receiver.received[1]?.event.data).toMatchObject({ meetId: meeting.meetId, duration: 60_000 });
  });
});

describe('a delivery that fails', () => {
  const list = async (id: string) => (await admin.webhooks.deliveries({ params: { id }, query: {} })).records;

  test('is sent again after a while with the same id and body, and those after it wait', async () => {
    const { webhook: made, secret } = await add({ events: ['meeting.booked'] });
    receiver.answer(500);
    await alice.meetings.createNetwork({ body: booking({ subject: 'First' }) });
    await alice.meetings.createNetwork({ body: booking({ subject: 'Second' }) });
    await server.rounds.sendWebhooks();
    await server.rounds.sendWebhooks();
    expect(receiver.received).toHaveLength(1);
    expect(await list(made.id)).toMatchObject([
      { state: 'waiting', attempts: 0 },
      { state: 'waiting', attempts: 1, status: 500, answer: 'seen', nextAt: server.clock.in(5 / 60) },
    ]);
    expect((await admin.webhooks.list({ query: {} }))[0]).toMatchObject({
      waiting: 2,
      failingSince: server.clock.in(0),
    });
    receiver.answer(204);
    server.clock.advance({ seconds: 5 });
    await server.rounds.sendWebhooks();
    const [first, again, second] = receiver.received;
    expect([again?.event, again?.body]).toEqual([first?.event, first?.body]);
    expect(again?.headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp']);
    expect(again?.headers['webhook-signature']).toBe(again && signatureOf(secret, again));
    expect(second?.event.data['subject']).toBe('Second');
    expect((await list(made.id)).map(({ state, attempts }) => [state, attempts])).toEqual([
      ['delivered', 1],
      ['delivered', 2],
    ]);
    expect((await admin.webhooks.list({ query: {} }))[0]).toMatchObject({ waiting: 0, failingSince: null });
  });

  test('for a day stops its webhook, until it is enabled again', async () => {
    const { webhook: made } = await add({ events: ['meeting.booked'] });
    receiver.answer(503);
    await alice.meetings.createNetwork({ body: booking() });
    for (let hours = 0; hours < 30; hours += 1) {
      await server.rounds.sendWebhooks();
      server.clock.advance({ hours: 1 });
    }
    [admin, alice] = [await signIn(server, 'admin'), await signIn(server, 'alice')];
    const attempts = receiver.received.length;
    expect(attempts).toBeGreaterThan(8);
    expect((await admin.webhooks.list({ query: {} }))[0]).toMatchObject({ state: 'stopped', waiting: 0 });
    const { records } = await admin.audit.list({ query: { action: 'webhooks.end' } });
    expect(records).toMatchObject([{ actor: { kind: 'system' }, target: { name: 'Board' } }]);
    receiver.answer(200);
    await alice.meetings.createNetwork({ body: booking({ subject: 'Unheard' }) });
    await server.rounds.sendWebhooks();
    expect(receiver.received).toHaveLength(attempts);
    const body = { name: 'Board', url: receiver.url, events: ['meeting.booked' as const], version: 1 };
    expect((await admin.webhooks.update({ params: { id: made.id }, body })).state).toBe('active');
    // What was given up is sent by hand.
    const failed = (await list(made.id)).find((one) => one.state === 'failed');
    const params = { id: made.id, deliveryId: failed?.id ?? '' };
    expect(await admin.webhooks.resend({ params, body: {} })).toMatchObject({ state: 'delivered', status: 200 });
    expect(receiver.received.at(-1)?.event.id).toBe(failed?.id);
  });

  test('by a redirect is not followed', async () => {
    const inside = await startReceiver();
    const { webhook: made } = await add({ events: ['meeting.booked'] });
    receiver.answer(302, { location: inside.url });
    await alice.meetings.createNetwork({ body: booking() });
    await server.rounds.sendWebhooks();
    expect(inside.received).toEqual([]);
    expect(await list(made.id)).toMatchObject([{ state: 'waiting', status: 302 }]);
    await inside.close();
  });

  test('without an answer says why, and is sent again by hand', async () => {
    const { webhook: made } = await add({ events: ['meeting.booked'], url: 'http://127.0.0.1:9/hook' });
    await alice.meetings.createNetwork({ body: booking() });
    await server.rounds.sendWebhooks();
    const [failed] = await list(made.id);
    expect(failed).toMatchObject({ status: null, attempts: 1, state: 'waiting' });
    expect(failed?.answer).toMatch(/ECONNREFUSED/);
    const body = { name: 'Board', url: receiver.url, events: ['meeting.booked' as const], version: 1 };
    await admin.webhooks.update({ params: { id: made.id }, body });
    const params = { id: made.id, deliveryId: failed?.id ?? '' };
    expect(await admin.webhooks.resend({ params, body: {} })).toMatchObject({ state: 'delivered', attempts: 2 });
    await server.rounds.sendWebhooks();
    expect(receiver.received).toHaveLength(1);
  });
});

describe('a webhook', () => {
  test('cannot lead inside, nor be without https, unless the operator lists its host', async () => {
    const tried = [
      'http://10.0.0.1/hook',
      'https://10.0.0.1/hook',
      'https://[::1]/hook',
      'https://localhost/hook',
      'https://169.254.169.254/latest/meta-data',
      'http://hooks.example.org/',
      'https://user:password@hooks.example.org/',
    ];
    for (const url of tried) expect(await codeOf(add({ url })), url).toBe('WEBHOOK_ADDRESS_REFUSED');
    expect(await codeOf(add({ url: 'https://hooks.example.org/' }))).toBe('OK');
    expect(await codeOf(add({ url: 'ftp://hooks.example.org/' }))).toBe('INVALID_INPUT');
  });

  test('whose name leads inside later is refused when it is called', async () => {
    const { webhook: made } = await add({ events: ['meeting.booked'] });
    // As if the host had been taken from the operator's list.
    await server.db.platform((tx) =>
      tx.update(webhook, { url: receiver.url.replace('127.0.0.1', 'localhost') }, eq(webhook.id, made.id)),
    );
    await alice.meetings.createNetwork({ body: booking() });
    await server.rounds.sendWebhooks();
    expect(receiver.received).toEqual([]);
    const { records } = await admin.webhooks.deliveries({ params: { id: made.id }, query: {} });
    expect(records).toMatchObject([{ status: null, answer: 'The address is inside a private network.' }]);
  });

  test('is tried by a ping, and signs with both secrets for a day after a change', async () => {
    const { webhook: made, secret: former } = await add();
    const params = { id: made.id };
    const { secret } = await admin.webhooks.rotate({ params, body: {} });
    expect(await admin.webhooks.test({ params, body: {} })).toMatchObject({ event: 'ping', state: 'delivered' });
    const [ping] = receiver.received;
    expect(ping?.headers['webhook-signature']).toBe(
      ping && `${signatureOf(secret, ping)} ${signatureOf(former, ping)}`,
    );
    receiver.answer(404);
    expect(await admin.webhooks.test({ params, body: {} })).toMatchObject({ state: 'failed', status: 404 });
    await server.rounds.sendWebhooks();
    expect(receiver.received).toHaveLength(2);
  });

  test('has its secret sealed, and its deliveries deleted after 30 days', async () => {
    const { webhook: made, secret } = await add();
    await admin.webhooks.test({ params: { id: made.id }, body: {} });
    const row = await server.db.platform((tx) => tx.findOne(webhook, eq(webhook.id, made.id)));
    expect(row?.sealed).not.toContain(secret.slice(10));
    await server.db.platform((tx) =>
      tx.update(
        webhookDelivery,
        { at: new Date(server.clock.now().getTime() - 31 * 86_400_000) },
        eq(webhookDelivery.webhookId, made.id),
      ),
    );
    await server.rounds.clearWebhooks();
    expect((await admin.webhooks.deliveries({ params: { id: made.id }, query: {} })).total).toBe(0);
  });

  test('of an API client of the whole organisation ends with it; others may not make one', async () => {
    const scopes = ['webhooks:read' as const, 'webhooks:write' as const];
    const made = await addClient(admin, { scopes, wholeTenant: true });
    const machine = await machineOf(server, made);
    const { webhook: own } = await machine.webhooks.create({
      body: { name: 'Of a client', url: receiver.url, events: ['meeting.booked'] },
    });
    expect(own.client).toEqual({ id: made.client.id, name: made.client.name });
    const narrow = await machineOf(server, await addClient(admin, { scopes }));
    expect(await codeOf(narrow.webhooks.list({ query: {} }))).toBe('FORBIDDEN');
    await admin.apiRecords.end({ params: { id: made.client.id } });
    expect(await admin.webhooks.list({ query: {} })).toEqual([]);
  });

  test('of another organisation is unknown', async () => {
    const { webhook: made } = await add();
    const dave = await signIn(server, 'dave');
    const params = { id: made.id };
    expect(await dave.webhooks.list({ query: {} })).toEqual([]);
    const body = { name: 'x', url: receiver.url, events: ['meeting.booked' as const], version: 1 };
    const codes = [
      await codeOf(dave.webhooks.update({ params, body })),
      await codeOf(dave.webhooks.rotate({ params, body: {} })),
      await codeOf(dave.webhooks.remove({ params, query: {} })),
      await codeOf(dave.webhooks.test({ params, body: {} })),
      await codeOf(dave.webhooks.deliveries({ params, query: {} })),
    ];
    expect(new Set(codes)).toEqual(new Set(['NOT_FOUND']));
  });
});
