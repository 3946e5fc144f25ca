import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ManualLive } from '@rmeet/contract';
import { newId } from '../../src/platform/db/index.ts';
import { signIn, type Person } from './support/client.ts';
import { book, invite } from './support/meetings.ts';
import { startTestServer, type TestServer } from './support/server.ts';
import { expectRefused, type Wrong } from './support/wrong-inputs.ts';

let server: TestServer;
/** The host, a colleague, a person of another tenant, the platform's staff. */
let alice: Person;
let carol: Person;
let dave: Person;
let operator: Person;
let outside: ManualLive;
let plain: string;

beforeAll(async () => {
  server = await startTestServer();
  [alice, carol, dave, operator] = (await Promise.all(
    ['alice', 'carol', 'dave', 'root'].map((name) => signIn(server, name)),
  )) as [Person, Person, Person, Person];
  outside = await alice.manualLives.create({
    body: { subject: 'Outside', startTime: server.clock.in(60), duration: 60, live: { access: 'organisation' } },
  });
  plain = (await book(server, alice, { startTime: server.clock.in(120), participants: invite(server, 'bob') })).meetId;
});
afterAll(() => server.close());

const invalid = (fields: string): { expected: string } => ({ expected: `INVALID_INPUT ${fields}` });
const refused = (call: string, wrongs: Record<string, Wrong>): Promise<void> =>
  expectRefused(server, call, { usual: alice, operator }, wrongs);
const total = async (): Promise<number> => (await alice.broadcasts.list({ query: {} })).total;

/** Wrong settings of a broadcast in a body. */
const settings = (good: object): Record<string, Wrong> => {
  const sent = (live: object): Omit<Wrong, 'expected'> => ({ body: { ...good, live } });
  return {
    'an access of nothing': { ...sent({ access: 'friends' }), ...invalid('live.access') },
    'a short password': { ...sent({ access: 'password', password: 'abc' }), ...invalid('live.password') },
    'no password': { ...sent({ access: 'password' }), expected: 'BROADCAST_PASSWORD_REQUIRED' },
    'a long pause between messages': { ...sent({ slowSeconds: 301 }), ...invalid('live.slowSeconds') },
    'a list of names': { ...sent({ whiteList: ['bob'] }), ...invalid('live.whiteList.0') },
    'people of another tenant': {
      ...sent({ access: 'whiteList', whiteList: [server.people.get('dave')?.id ?? ''] }),
      expected: 'PARTICIPANT_UNKNOWN',
    },
  };
};

/** Wrong ids of a broadcast that is not the caller's. */
const strange = (input: (id: string) => Omit<Wrong, 'expected'>): Record<string, Wrong> => ({
  'no broadcast': { ...input(newId()), expected: 'NOT_FOUND' },
  'of a meeting without one': { ...input(plain), expected: 'NOT_FOUND' },
  'of another tenant': { ...input(outside.id), who: dave, expected: 'NOT_FOUND' },
});

describe('broadcasts', () => {
  test('POST meetings/live', async () => {
    const good = { subject: 'Town hall', startTime: server.clock.in(60), duration: 60, waitingRoom: true };
    const before = await total();
    await refused('POST meetings/live', {
      nothing: { body: {}, ...invalid('subject startTime duration') },
      'a start that is over': { body: { ...good, startTime: server.clock.in(-600) }, expected: 'MEETING_IN_PAST' },
      'an encrypted one': { body: { ...good, e2ee: true }, expected: 'E2EE_UNSUPPORTED' },
      ...settings(good),
    });
    expect(await total()).toBe(before);
  });

  test('GET meetings/getLiveLink', () =>
    refused('GET meetings/getLiveLink', {
      'no meeting': { query: { meetId: 'mine' }, ...invalid('meetId') },
      ...strange((meetId) => ({ query: { meetId } })),
    }));

  test('GET meetings/live/providerconfig/{id}', () =>
    refused('GET meetings/live/providerconfig/{id}', {
      'an id of nothing': { path: 'meetings/live/providerconfig/mine', expected: 'NOT_FOUND' },
      ...strange((id) => ({ path: `meetings/live/providerconfig/${id}` })),
      'by a colleague': { path: `meetings/live/providerconfig/${outside.id}`, who: carol, expected: 'FORBIDDEN' },
    }));

  test('GET users/live-auth-users', () =>
    refused('GET users/live-auth-users', {
      'a page of nothing': { query: { current: 0 }, ...invalid('current') },
      'a long page': { query: { size: 100_000 }, ...invalid('size') },
      'a long name': { query: { keyword: 'x'.repeat(101) }, ...invalid('keyword') },
    }));
});

describe('outside streams', () => {
  test('POST meetings/manualLive', async () => {
    const good = { subject: 'Town hall', startTime: server.clock.in(60), duration: 60 };
    const before = await total();
    await refused('POST meetings/manualLive', {
      nothing: { body: {}, ...invalid('subject startTime duration') },
      'a start that is over': { body: { ...good, startTime: server.clock.in(-600) }, expected: 'MEETING_IN_PAST' },
      'a source of nothing': { body: { ...good, source: 'satellite' }, ...invalid('source') },
      'no address': { body: { ...good, source: 'play' }, expected: 'PLAY_ADDRESS_REQUIRED' },
      'an address of another protocol': {
        body: { ...good, source: 'play', playAddress: 'https://example.org/live.m3u8' },
        ...invalid('playAddress'),
      },
      'an address inside': {
        body: { ...good, source: 'play', playAddress: 'rtmp://127.0.0.1/live/x' },
        expected: 'PLAY_ADDRESS_REFUSED',
      },
      ...settings(good),
    });
    expect(await total()).toBe(before);
  });

  test('PUT meetings/manualLive', async () => {
    const good = { id: outside.id };
    await refused('PUT meetings/manualLive', {
      nothing: { body: {}, ...invalid('id') },
      'a short time': { body: { ...good, duration: 0 }, ...invalid('duration') },
      'no address': { body: { ...good, source: 'play' }, expected: 'PLAY_ADDRESS_REQUIRED' },
      ...settings(good),
      ...strange((id) => ({ body: { id, newKey: true } })),
      'by a colleague': { body: { ...good, newKey: true }, who: carol, expected: 'FORBIDDEN' },
    });
    const { records } = await alice.manualLives.query({ body: { id: outside.id } });
    expect(records).toEqual([outside]);
  });

  test('POST meetings/manualLive/query', async () => {
    await refused('POST meetings/manualLive/query', {
      'a page of nothing': { body: { current: 0 }, ...invalid('current') },
      'an order of nothing': { body: { sort: 'colour' }, ...invalid('sort') },
      'an id of nothing': { body: { id: 'mine' }, ...invalid('id') },
    });
    expect((await dave.manualLives.query({ body: { id: outside.id } })).records).toEqual([]);
  });
});
