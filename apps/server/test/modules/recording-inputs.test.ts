import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Meeting } from '@rmeet/contract';
import { storeRecording, type StoredRecording } from '../../../../packages/recorder/test/stored-recording.ts';
import { newId } from '../../src/platform/db/index.ts';
import { signIn, type Person } from './support/client.ts';
import { openConference, type TestConference } from './support/conference.ts';
import { book, invite } from './support/meetings.ts';
import { startTestServer, type TestServer } from './support/server.ts';
import { expectRefused, type Wrong } from './support/wrong-inputs.ts';

let server: TestServer;
/** The host, an invited person, a colleague who was not invited, a person of another tenant, the platform's staff. */
let alice: Person;
let bob: Person;
let carol: Person;
let dave: Person;
let operator: Person;
let room: TestConference;
let meetId: string;
let planned: Meeting;
let stored: StoredRecording;

beforeAll(async () => {
  server = await startTestServer();
  [alice, bob, carol, dave, operator] = (await Promise.all(
    ['alice', 'bob', 'carol', 'dave', 'root'].map((name) => signIn(server, name)),
  )) as [Person, Person, Person, Person, Person];
  room = await openConference(server, alice, { participants: invite(server, 'bob') });
  ({ meetId } = room);
  await room.join(alice);
  planned = await book(server, alice, { startTime: server.clock.in(120), participants: invite(server, 'bob') });
  stored = await storeRecording(server, { withTracks: false });
});
afterAll(() => server.close());

const invalid = (fields: string): { expected: string } => ({ expected: `INVALID_INPUT ${fields}` });
const refused = (call: string, wrongs: Record<string, Wrong>): Promise<void> =>
  expectRefused(server, call, { usual: alice, operator }, wrongs);

/** Wrong inputs of a call with `meetId` and `action`, in the query or the body. */
const actions = (field: 'query' | 'body'): Record<string, Wrong> => {
  const good = { meetId, action: 'START' };
  const sent = (change: object): Omit<Wrong, 'expected'> => ({ [field]: { ...good, ...change } });
  return {
    nothing: { [field]: {}, ...invalid('meetId action') },
    'no meeting': { ...sent({ meetId: 'mine' }), ...invalid('meetId') },
    'no action': { ...sent({ action: 'start' }), ...invalid('action') },
    'a meeting of nothing': { ...sent({ meetId: newId() }), expected: 'NOT_FOUND' },
    'a meeting that has not begun': { ...sent({ meetId: planned.meetId }), expected: 'CONFERENCE_OVER' },
    'what the status does not allow': { ...sent({ action: 'PAUSE' }), expected: 'RECORD_NOT_POSSIBLE' },
    'of another tenant': { ...sent({}), who: dave, expected: 'NOT_FOUND' },
    'by a stranger': { ...sent({}), who: carol, expected: 'NOT_FOUND' },
    'by somebody invited': { ...sent({}), who: bob, expected: 'FORBIDDEN' },
  };
};

/** Wrong inputs of a call with `meetId` in the query. */
const meetings = (good: Omit<Wrong, 'expected'> = {}): Record<string, Wrong> => ({
  'no meeting': { ...good, query: { meetId: 'mine' }, ...invalid('meetId') },
  'a meeting of nothing': { ...good, query: { meetId: newId() }, expected: 'NOT_FOUND' },
  'of another tenant': { ...good, query: { meetId: stored.meetId }, who: dave, expected: 'NOT_FOUND' },
  'by a stranger': { ...good, query: { meetId: stored.meetId }, who: carol, expected: 'NOT_FOUND' },
});

describe('recording', () => {
  test('PUT meetings/setConfRecord', async () => {
    const before = await room.control();
    await refused('PUT meetings/setConfRecord', actions('query'));
    expect(await room.control()).toEqual(before);
  });

  test('POST meetings/{res}/meetingRecord', async () => {
    const before = await room.control();
    const path = 'meetings/rz/meetingRecord';
    const wrongs = Object.entries(actions('body')).map(([name, wrong]) => [name, { path, ...wrong }] as const);
    await refused('POST meetings/{res}/meetingRecord', {
      ...Object.fromEntries(wrongs),
      'another engine': {
        path: 'meetings/xy/meetingRecord',
        body: { meetId, action: 'START' },
        expected: 'ENGINE_UNKNOWN',
      },
    });
    expect(await room.control()).toEqual(before);
  });

  test('GET meetings/getRecordStatus', () => refused('GET meetings/getRecordStatus', meetings()));
});

describe('recordings', () => {
  test('GET meetings/getRecordLink', () => refused('GET meetings/getRecordLink', meetings()));

  test('POST meetings/grantRecordIds', async () => {
    const body = { userIds: [] };
    const query = { meetId: stored.meetId };
    await refused('POST meetings/grantRecordIds', {
      ...meetings({ body }),
      'by somebody invited': { query, body, who: bob, expected: 'NOT_FOUND' },
      nothing: { query, body: {}, ...invalid('userIds') },
      'no person': { query, body: { userIds: ['bob'] }, ...invalid('userIds.0') },
      'too many people': { query, body: { userIds: Array.from({ length: 1_001 }, newId) }, ...invalid('userIds') },
      'a person of nothing': { query, body: { userIds: [newId()] }, expected: 'PARTICIPANT_UNKNOWN' },
      'a person of another tenant': {
        query,
        body: { userIds: [server.people.get('dave')?.id] },
        expected: 'PARTICIPANT_UNKNOWN',
      },
    });
  });

  const searches = async (call: string): Promise<void> => {
    const sent = (values: Record<string, string | number>): Omit<Wrong, 'expected'> =>
      call.startsWith('GET') ? { query: values } : { body: values };
    await refused(call, {
      'no filter': { ...sent({ filter: 'others' }), ...invalid('filter') },
      'no state': { ...sent({ state: 'lost' }), ...invalid('state') },
      'no type': { ...sent({ type: 'MEETING' }), ...invalid('type') },
      'no meeting': { ...sent({ meetId: 'mine' }), ...invalid('meetId') },
      'no time': { ...sent({ from: 'yesterday' }), ...invalid('from') },
      'no order': { ...sent({ sort: 'host', order: 'up' }), ...invalid('sort order') },
      'too long a keyword': { ...sent({ keyword: 'x'.repeat(101) }), ...invalid('keyword') },
      'too large a page': { ...sent({ size: 1_000 }), ...invalid('size') },
    });
  };
  test('GET queryRecord', () => searches('GET queryRecord'));
  test('POST queryRecord', () => searches('POST queryRecord'));
});
