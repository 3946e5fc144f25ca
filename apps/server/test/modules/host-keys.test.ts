import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DEVICE_TYPES, type MeetingBody } from '@rmeet/contract';
import { hostKey } from '../../src/modules/host-keys/tables.ts';
import { clientOf, codeOf, signIn, type Person } from './support/client.ts';
import { openConference, type TestConference } from './support/conference.ts';
import { invite } from './support/meetings.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let chair: Person;
let alice: Person;
let bob: Person;
let room: TestConference;
let numericId: string;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  [chair, alice, bob] = await Promise.all([signIn(server, 'chair'), signIn(server, 'alice'), signIn(server, 'bob')]);
  await openRoom();
});
afterEach(async () => {
  await chair.conferences.end({ params: room.params }).catch(() => undefined);
  await room.close();
});

async function openRoom(body: Partial<MeetingBody> = {}): Promise<void> {
  room = await openConference(server, chair, { participants: invite(server, 'alice', 'bob'), ...body });
  ({ numericId } = room.meeting);
}
const keyOf = async (who: Person, number = numericId): Promise<string> =>
  (await who.hostKeys.getHostZak({ query: { numericId: number } })).zak;
/** Starts the meeting as a client does that has the key alone. */
const start = (zak: string, { number = numericId, address = '198.51.100.7', ...more }: StartOptions = {}) =>
  clientOf(server, undefined, address).hostKeys.startByZak({ body: { numericId: number, zak, ...more } });
interface StartOptions {
  number?: string;
  address?: string;
  name?: string;
  e2ee?: boolean;
  deviceType?: number;
}
/** Makes alice a stand-in for the host, or takes that back. */
const grant = (rights: 'control' | 'none') =>
  chair.conferences.grantAuth({
    query: { meetId: room.meetId },
    body: { userIds: [server.people.get('alice')?.id ?? ''], rights },
  });
const rows = () => server.db.platform((tx) => tx.find(hostKey));

describe('GET meetings/getHostZak', () => {
  test('gives the host a key that starts the meeting from a client without a sign-in', async () => {
    const { zak, expiresAt } = await chair.hostKeys.getHostZak({ query: { numericId } });
    expect(expiresAt).toBe(server.clock.in(1));
    const started = await start(zak, { deviceType: DEVICE_TYPES.linux });
    expect(started).toMatchObject({ state: 'admitted', meetId: room.meetId });
    const inside = { termId: started.termId, token: started.sessionToken, state: 'admitted' as const };
    const { state } = await room.watch({ ...inside, calls: clientOf(server, started.sessionToken).conferences });
    expect(state.terminals).toMatchObject([{ name: 'Chair', role: 'host', deviceType: DEVICE_TYPES.linux }]);
    expect((await room.control()).chairId).toBe(started.termId);
  });

  test('starts a meeting long before its time', async () => {
    await chair.conferences.end({ params: room.params }).catch(() => undefined);
    await openRoom({ startTime: server.clock.in(600) });
    expect(await start(await keyOf(chair))).toMatchObject({ state: 'admitted' });
  });

  test('gives a key to a stand-in and the administrator, as to the host', async () => {
    await grant('control');
    for (const who of [alice, await signIn(server, 'admin')])
      expect(await start(await keyOf(who))).toMatchObject({ state: 'admitted' });
  });

  test('refuses those who do not host the meeting, and meetings that are over or unknown', async () => {
    expect(await codeOf(keyOf(bob))).toBe('FORBIDDEN');
    expect(await codeOf(keyOf(await signIn(server, 'carol')))).toBe('NOT_FOUND');
    expect(await codeOf(keyOf(await signIn(server, 'dave')))).toBe('NOT_FOUND');
    expect(await codeOf(keyOf(chair, '999999999'))).toBe('NOT_FOUND');
    expect(await codeOf(keyOf(chair, '12'))).toBe('INVALID_INPUT');
    expect(await codeOf(keyOf(clientOf(server)))).toBe('UNAUTHORIZED');
    server.clock.advance({ hours: 5 });
    chair = await signIn(server, 'chair');
    expect(await codeOf(keyOf(chair))).toBe('MEETING_ENDED');
  });

  test('stores the newest key of a host alone, as a hash', async () => {
    const first = await keyOf(chair);
    const zak = await keyOf(chair);
    const stored = (await rows()).filter(({ meetingId }) => meetingId === room.meetId);
    expect(stored).toHaveLength(1);
    for (const key of [first, zak]) expect(JSON.stringify(stored)).not.toContain(key);
  });
});

describe('a key is rejected that', () => {
  test('has expired', async () => {
    const zak = await keyOf(chair);
    server.clock.advance({ seconds: 60 });
    expect(await codeOf(start(zak))).toBe('HOST_KEY_INVALID');
  });

  test('was used before', async () => {
    const zak = await keyOf(chair);
    expect(await codeOf(start(zak))).toBe('OK');
    expect(await codeOf(start(zak))).toBe('HOST_KEY_INVALID');
  });

  test('is used twice at once', async () => {
    const zak = await keyOf(chair);
    const codes = await Promise.all([codeOf(start(zak)), codeOf(start(zak)), codeOf(start(zak))]);
    expect(codes.toSorted()).toEqual(['HOST_KEY_INVALID', 'HOST_KEY_INVALID', 'OK']);
  });

  test('was replaced by a newer one', async () => {
    const zak = await keyOf(chair);
    const next = await keyOf(chair);
    expect([await codeOf(start(zak)), await codeOf(start(next))]).toEqual(['HOST_KEY_INVALID', 'OK']);
  });

  test('is for another meeting, and stays valid for its own', async () => {
    const other = await openConference(server, bob);
    const zak = await keyOf(bob, other.meeting.numericId);
    expect(await codeOf(start(zak))).toBe('HOST_KEY_INVALID');
    expect(await codeOf(start(zak, { number: other.meeting.numericId }))).toBe('OK');
    await other.close();
  });

  test('is the session token of the host, or nothing at all', async () => {
    expect(await codeOf(start(chair.token))).toBe('HOST_KEY_INVALID');
    expect(await codeOf(start(''))).toBe('INVALID_INPUT');
  });

  test('belongs to a session that has ended', async () => {
    const zak = await keyOf(chair);
    await chair.auth.logout();
    expect(await codeOf(start(zak))).toBe('HOST_KEY_INVALID');
    chair = await signIn(server, 'chair');
  });

  test('belongs to an account that no longer stands in', async () => {
    await grant('control');
    const zak = await keyOf(alice);
    await grant('none');
    expect(await codeOf(start(zak))).toBe('HOST_KEY_INVALID');
  });
});

describe('guessing', () => {
  test('is slowed down by meeting before address, and never delays the right key', async () => {
    const guess = (address: string) => codeOf(start('guess', { address }));
    for (let n = 0; n < 21; n += 1) expect(await guess(`203.0.113.${n}`)).toBe('HOST_KEY_INVALID');
    expect(await guess('203.0.113.200')).toBe('TOO_MANY_REQUESTS');
    expect(await codeOf(start(await keyOf(chair), { address: '203.0.113.200' }))).toBe('OK');
    const elsewhere = await openConference(server, bob);
    expect(await codeOf(start('guess', { number: elsewhere.meeting.numericId, address: '203.0.113.1' }))).toBe(
      'HOST_KEY_INVALID',
    );
    await elsewhere.close();
  });

  test('is slowed down for an address that tries many numbers', async () => {
    const codes: string[] = [];
    for (let n = 0; n < 52; n += 1)
      codes.push(await codeOf(start('guess', { number: String(700_000_000 + n), address: '192.0.2.99' })));
    expect(codes.slice(0, 51).every((code) => code === 'HOST_KEY_INVALID')).toBe(true);
    expect(codes[51]).toBe('TOO_MANY_REQUESTS');
  });
});

test('an encrypted meeting asks the client for its key', async () => {
  await openRoom({ e2ee: true });
  expect(await codeOf(start(await keyOf(chair)))).toBe('E2EE_KEY_REQUIRED');
  expect(await codeOf(start(await keyOf(chair), { e2ee: true }))).toBe('OK');
});

test('keys are limited per account', async () => {
  const own = await openConference(server, alice);
  const codes: string[] = [];
  for (let n = 0; n < 31; n += 1) codes.push(await codeOf(keyOf(alice, own.meeting.numericId)));
  expect(codes.filter((code) => code === 'OK').length).toBeLessThanOrEqual(30);
  expect(codes.at(-1)).toBe('TOO_MANY_REQUESTS');
  await own.close();
});
