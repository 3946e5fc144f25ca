import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createWebPush } from '../../src/platform/web-push/index.ts';
import { codeOf, signIn, type Person } from './support/client.ts';
import { book, invite } from './support/meetings.ts';
import { startPushService, type PushService, type TestBrowser } from './support/push-service.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let service: PushService;
let server: TestServer;
let chair: Person;
let alice: Person;
beforeAll(async () => {
  service = await startPushService();
  server = await startTestServer({ webPush: createWebPush({ hosts: ['127.0.0.1'] }) });
  chair = await signIn(server, 'chair');
});
afterAll(async () => {
  await server.close();
  await service.close();
});
beforeEach(async () => {
  service.answers.length = 0;
  service.faults.length = 0;
  alice = await signIn(server, 'alice');
});

// The browsers of one test receive nothing in the next.
afterEach(() => codeOf(alice.auth.logout()));

async function subscribed(who: Person): Promise<TestBrowser> {
  const browser = service.browser();
  await who.webPush.subscribe({ body: browser.body });
  return browser;
}

/** A running meeting with alice invited, who is not inside. */
async function running(subject: string) {
  const meeting = await book(server, chair, {
    subject,
    startTime: server.clock.in(0),
    participants: invite(server, 'alice'),
  });
  await chair.conferences.join({ body: { numericId: meeting.numericId } });
  return {
    meeting,
    callAll: () => chair.conferences.callAll({ params: { res: 'rz' }, body: { meetId: meeting.meetId } }),
  };
}
const arrived = (browser: TestBrowser, count = 1) =>
  expect.poll(() => browser.received.length, { timeout: 10_000 }).toBe(count);

describe('a call', () => {
  test("reaches the called person's browser: encrypted for it, identified, for as long as it rings", async () => {
    const [browser, { meeting, callAll }] = [await subscribed(alice), await running('Ward round')];
    await callAll();
    await arrived(browser);
    const [{ message, headers } = { message: null, headers: {} }] = browser.received;
    expect(message).toEqual({
      title: 'Chair 正在呼叫您参加会议',
      body: 'Ward round',
      path: `/join?number=${meeting.numericId}`,
      tag: `ring-${meeting.meetId}`,
      until: server.clock.in(1),
    });
    expect(headers).toMatchObject({ ttl: '60', urgency: 'high', 'content-encoding': 'aes128gcm' });
    expect(service.faults).toEqual([]);
  });

  test('is tried again while the push service is down, and not after it rejects the message', async () => {
    const [browser, first] = [await subscribed(alice), await running('First')];
    service.answers.push(503, 201);
    await first.callAll();
    await arrived(browser);
    const second = await running('Second');
    service.answers.push(400);
    await second.callAll();
    const third = await running('Third');
    await third.callAll();
    await arrived(browser, 2);
    expect(browser.received.map(({ message }) => message)).toMatchObject([{ body: 'First' }, { body: 'Third' }]);
  });

  test('reaches no browser after its subscription ended, its user signed out or turned it off', async () => {
    const [gone, left] = [await subscribed(alice), await subscribed(alice)];
    await alice.webPush.unsubscribe({ body: left.body });
    service.answers.push(410);
    await (await running('One')).callAll();
    await expect.poll(() => service.answers).toEqual([]);

    const signedOut = await subscribed(alice);
    await alice.auth.logout();
    alice = await signIn(server, 'alice');
    const open = await subscribed(alice);
    await (await running('Two')).callAll();
    await arrived(open);
    expect([gone, left, signedOut].map(({ received }) => received)).toEqual([[], [], []]);
    expect(service.faults).toEqual([]);
  });
});

test('a reminder reaches all invited people and the host', async () => {
  const [ofAlice, ofChair] = [await subscribed(alice), await subscribed(chair)];
  const meeting = await book(server, chair, {
    subject: 'Handover',
    startTime: server.clock.in(60),
    participants: invite(server, 'alice'),
  });
  server.clock.advance({ minutes: 46 });
  await server.rounds.sendNotices();
  await arrived(ofAlice);
  await arrived(ofChair);
  expect(ofAlice.received[0]?.message).toMatchObject({
    title: '即将开始：Handover',
    path: '/myMeeting',
    tag: `reminder-${meeting.meetId}`,
    until: null,
  });
});

test('a browser that signs in as another person no longer receives messages for the first', async () => {
  const browser = await subscribed(alice);
  const bob = await signIn(server, 'bob');
  await bob.webPush.subscribe({ body: browser.body });
  await (await running('For alice')).callAll();
  const own = await subscribed(alice);
  await (await running('For alice again')).callAll();
  await arrived(own);
  expect(browser.received).toEqual([]);
});

test('an account has ten browsers at most; the newest stay', async () => {
  const browsers = [];
  for (let n = 0; n < 11; n++) {
    browsers.push(await subscribed(alice));
    server.clock.advance({ seconds: 1 });
  }
  await (await running('To ten')).callAll();
  for (const browser of browsers.slice(1)) await arrived(browser);
  expect(browsers[0]?.received).toEqual([]);
});

test('a push service inside the network is refused unless the configuration names it', async () => {
  const browser = service.browser();
  const bob = await signIn(server, 'bob');
  for (const endpoint of ['https://10.0.0.1/send', 'https://localhost/send', 'http://push.example.org/send'])
    expect(await codeOf(bob.webPush.subscribe({ body: { ...browser.body, endpoint } })), endpoint).toBe(
      'PUSH_SERVICE_FORBIDDEN',
    );
  expect(await codeOf(bob.webPush.subscribe({ body: { ...browser.body, auth: 'short' } }))).toBe('INVALID_INPUT');
});

test('all servers of a database have the same key', async () => {
  const { publicKey } = await alice.webPush.key();
  expect(Buffer.from(publicKey, 'base64url')).toHaveLength(65);
  expect(await chair.webPush.key()).toEqual({ publicKey });
});
