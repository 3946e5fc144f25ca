import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEVICE_TYPES, type Meeting } from '@rmeet/contract';
import { newId } from '../../src/platform/db/index.ts';
import { signIn, type Person } from './support/client.ts';
import { openConference, type Inside, type TestConference } from './support/conference.ts';
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
/** A terminal that has left, a telephone, and a present terminal. */
let gone: string;
let telephone: string;
let inside: string;
let meetId: string;
let planned: Meeting;
let before: object;

beforeAll(async () => {
  server = await startTestServer();
  [alice, bob, carol, dave, operator] = (await Promise.all(
    ['alice', 'bob', 'carol', 'dave', 'root'].map((name) => signIn(server, name)),
  )) as [Person, Person, Person, Person, Person];
  room = await openConference(server, alice, { participants: invite(server, 'bob') });
  ({ meetId } = room);
  await room.join(alice);
  const left: Inside = await room.guest('Erin', 'erins');
  await left.calls.leave(room);
  gone = left.termId;
  telephone = (await room.guest('Telephone', 'phone', DEVICE_TYPES.pstn)).termId;
  inside = (await room.guest('Frank', 'franks')).termId;
  planned = await book(server, alice, { startTime: server.clock.in(120), participants: invite(server, 'bob') });
  before = await room.control();
});
afterAll(() => server.close());

type Sent = Omit<Wrong, 'expected'>;
const invalid = (fields: string): { expected: string } => ({ expected: `INVALID_INPUT ${fields}` });

/**
 * Sends calls of the table that are right except for one thing each, and checks that none of them changes the
 * conference. The present terminals send no picture.
 */
async function refused(
  call: string,
  good: (Required<Pick<Sent, 'query'>> & Sent) | (Required<Pick<Sent, 'body'>> & Sent),
  wrongs: (path: string) => Record<string, Wrong>,
): Promise<void> {
  const path = (call.split(' ')[1] ?? '').replace('{res}', 'rz');
  const of = (meeting: string): Sent => ({
    ...good,
    ...(good.query?.['meetId'] === undefined
      ? { body: { ...(good.body as object), meetId: meeting } }
      : { query: { ...good.query, meetId: meeting } }),
  });
  const usual: Record<string, Wrong> = {
    'no meeting': { path, ...of('mine'), ...invalid('meetId') },
    'a meeting of nothing': { path, ...of(newId()), expected: 'NOT_FOUND' },
    'of another tenant': { path, ...good, who: dave, expected: 'NOT_FOUND' },
    'by a stranger': { path, ...good, who: carol, expected: 'NOT_FOUND' },
    'by somebody invited': { path, ...good, who: bob, expected: 'FORBIDDEN' },
    'a meeting that has not begun': { path, ...of(planned.meetId), expected: 'CONFERENCE_OVER' },
    ...(call.includes('{res}')
      ? {
          'another engine': { ...good, path: path.replace('rz', 'xy'), expected: 'ENGINE_UNKNOWN' },
          'no engine': { ...good, path: path.replace('rz', '7'), expected: 'NOT_FOUND' },
        }
      : {}),
  };
  await expectRefused(server, call, { usual: alice, operator }, { ...usual, ...wrongs(path) });
  expect(await room.control()).toEqual(before);
}

/** The body, or the query, with one value replaced. */
const other =
  (field: 'body' | 'query', good: object) =>
  (path: string, change: object): Sent => ({ path, [field]: { ...good, ...change } });
/** Wrong terminals. */
const terminals = (
  sent: (path: string, change: object) => Sent,
  path: string,
  field = 'termId',
): Record<string, Wrong> => ({
  'no terminal': { ...sent(path, { [field]: '' }), ...invalid(field) },
  'too long a name of a terminal': { ...sent(path, { [field]: 'T'.repeat(41) }), ...invalid(field) },
  'a terminal of nothing': { ...sent(path, { [field]: 'Tnobody' }), expected: 'TERMINAL_ABSENT' },
  'a terminal that has left': { ...sent(path, { [field]: gone }), expected: 'TERMINAL_ABSENT' },
});
const place = { x: 0, y: 0, width: 0.5, height: 0.5 };

describe('layouts', () => {
  test('POST meetings/{res}/setLayout', async () => {
    const good = { meetId, screenModel: '4' };
    const sent = other('body', good);
    await refused('POST meetings/{res}/setLayout', { body: good }, (path) => ({
      nothing: { path, body: {}, ...invalid('meetId screenModel') },
      'no model': { ...sent(path, { screenModel: '5' }), ...invalid('screenModel') },
      'drawn without places': { ...sent(path, { screenModel: 'CUSTOM' }), ...invalid('places') },
      'a place beyond the screen': {
        ...sent(path, { screenModel: 'CUSTOM', places: [{ ...place, x: 0.6 }] }),
        ...invalid('places.0.width'),
      },
      'too small a place': {
        ...sent(path, { screenModel: 'CUSTOM', places: [{ ...place, height: 0.01 }] }),
        ...invalid('places.0.height'),
      },
      'too many places': {
        ...sent(path, { screenModel: 'CUSTOM', places: Array.from({ length: 26 }, () => place) }),
        ...invalid('places'),
      },
      'no seat to poll': { ...sent(path, { polling: -1 }), ...invalid('polling') },
      'half a seat to poll': { ...sent(path, { polling: 1.5 }), ...invalid('polling') },
      'a seat to poll that the layout has not': { ...sent(path, { polling: 5 }), expected: 'SEAT_UNKNOWN' },
      'a seat to poll in AUTO': { ...sent(path, { screenModel: 'AUTO', polling: 1 }), expected: 'SEAT_UNKNOWN' },
      'neither own layouts nor none': { ...sent(path, { allowOwnLayout: 'perhaps' }), ...invalid('allowOwnLayout') },
    }));
  });

  test('POST meetings/{res}/setScreen', async () => {
    const good = { meetId, target: 'ALL', seats: [] };
    const sent = other('body', good);
    await refused('POST meetings/{res}/setScreen', { body: good }, (path) => ({
      nothing: { path, body: {}, ...invalid('meetId seats') },
      'no list': { ...sent(path, { seats: 'all' }), ...invalid('seats') },
      'a seat without a number': { ...sent(path, { seats: [{ source: 'POLL' }] }), ...invalid('seats.0.seat') },
      'seat 0': { ...sent(path, { seats: [{ seat: 0, source: 'POLL' }] }), ...invalid('seats.0.seat') },
      'a seat for nobody': { ...sent(path, { seats: [{ seat: 1, source: '' }] }), ...invalid('seats.0.source') },
      'a seat that the layout has not': {
        ...sent(path, { seats: [{ seat: 1, source: 'POLL' }] }),
        expected: 'SEAT_UNKNOWN',
      },
      'too many seats': {
        ...sent(path, { seats: Array.from({ length: 26 }, () => ({ seat: 1, source: 'POLL' })) }),
        ...invalid('seats'),
      },
      ...terminals(sent, path, 'target'),
    }));
  });

  test('POST meetings/{res}/setTerminalLayoutConfig', async () => {
    const good = { meetId, termId: inside, screenModel: '4' };
    const sent = other('body', good);
    await refused('POST meetings/{res}/setTerminalLayoutConfig', { body: good }, (path) => ({
      nothing: { path, body: {}, ...invalid('meetId termId screenModel') },
      'no model': { ...sent(path, { screenModel: '7' }), ...invalid('screenModel') },
      'drawn without places': { ...sent(path, { screenModel: 'CUSTOM' }), ...invalid('places') },
      'no seats': { ...sent(path, { seats: 4 }), ...invalid('seats') },
      'a seat that the layout has not': {
        ...sent(path, { seats: [{ seat: 5, source: 'SPEAKER' }] }),
        expected: 'SEAT_UNKNOWN',
      },
      'a seat for somebody who was never here': {
        ...sent(path, { seats: [{ seat: 1, source: 'Tnobody' }] }),
        expected: 'TERMINAL_ABSENT',
      },
      'a telephone': { ...sent(path, { termId: telephone }), expected: 'VERB_IMPOSSIBLE' },
      ...terminals(sent, path),
    }));
  });

  test('POST meetings/{res}/stopTerminalLayoutConfig', async () => {
    const good = { meetId, termId: inside };
    const sent = other('body', good);
    await refused('POST meetings/{res}/stopTerminalLayoutConfig', { body: good }, (path) => ({
      nothing: { path, body: {}, ...invalid('meetId termId') },
      ...terminals(sent, path),
    }));
  });

  test('POST meetings/{res}/setChatLayout', async () => {
    const good = { meetId, position: 'LEFT' };
    const sent = other('body', good);
    await refused('POST meetings/{res}/setChatLayout', { body: good }, (path) => ({
      nothing: { path, body: {}, ...invalid('meetId position') },
      'no position': { ...sent(path, { position: 'TOP' }), ...invalid('position') },
      'in small letters': { ...sent(path, { position: 'left' }), ...invalid('position') },
    }));
  });
});

describe('content', () => {
  test('PUT meetings/{res}/lockConfContent', async () => {
    const good = { meetId, termId: inside, action: 'LOCK' };
    const sent = other('query', good);
    await refused('PUT meetings/{res}/lockConfContent', { query: good }, (path) => ({
      nothing: { path, ...invalid('meetId action') },
      'no action': { ...sent(path, { action: 'HOLD' }), ...invalid('action') },
      'locked to nobody': { path, query: { meetId, action: 'LOCK' }, ...invalid('termId') },
      ...terminals(sent, path),
    }));
  });

  const dualStream = async (call: string): Promise<void> => {
    const good = { meetId, termId: inside, open: 'false' };
    const sent = other('query', good);
    await refused(call, { query: good }, (path) => ({
      nothing: { path, ...invalid('meetId termId open') },
      'neither on nor off': { ...sent(path, { open: 'perhaps' }), ...invalid('open') },
      'a telephone': { ...sent(path, { termId: telephone }), expected: 'VERB_IMPOSSIBLE' },
      ...terminals(sent, path),
    }));
  };
  test('POST terminals/setDualStream', () => dualStream('POST terminals/setDualStream'));
  test('GET terminals/setDualStream', () => dualStream('GET terminals/setDualStream'));
});

describe('captions', () => {
  const wrongTexts = (path: string, query: Record<string, string>): Record<string, Wrong> => ({
    'too long a text': { path, query, body: { text: 'x'.repeat(2_001) }, ...invalid('text') },
    'a number': { path, query, body: { text: 7 }, ...invalid('text') },
    'no position': { path, query, body: { text: 'Break', position: 'LEFT' }, ...invalid('position') },
    'no size': { path, query, body: { text: 'Break', size: 'HUGE' }, ...invalid('size') },
    'no way to scroll': { path, query, body: { text: 'Break', scroll: 'DOWN' }, ...invalid('scroll') },
    'no language': { path, query, body: { text: 'Break', language: 'de' }, ...invalid('language') },
    'a time below zero': { path, query, body: { text: 'Break', seconds: -1 }, ...invalid('seconds') },
    'more than a day': { path, query, body: { text: 'Break', seconds: 86_401 }, ...invalid('seconds') },
  });

  test('PUT meetings/{res}/setConfCaptions', async () => {
    await refused('PUT meetings/{res}/setConfCaptions', { query: { meetId }, body: { text: 'Break' } }, (path) => ({
      nothing: { path, body: {}, ...invalid('meetId') },
      ...wrongTexts(path, { meetId }),
    }));
  });

  test('PUT meetings/{res}/setTermCaptions', async () => {
    const good = { meetId, termId: inside };
    const sent = (path: string, change: object): Sent => ({
      path,
      query: { ...good, ...change },
      body: { text: 'Break' },
    });
    await refused('PUT meetings/{res}/setTermCaptions', { query: good, body: { text: 'Break' } }, (path) => ({
      nothing: { path, body: {}, ...invalid('meetId termId') },
      ...wrongTexts(path, good),
      ...terminals(sent, path),
    }));
  });
});

describe('polling', () => {
  test('PUT meetings/{res}/setPollingState', async () => {
    const good = { meetId, polling: '1' };
    const sent = (path: string, change: object, body: object = {}): Sent => ({
      path,
      query: { ...good, ...change },
      body,
    });
    await refused('PUT meetings/{res}/setPollingState', { query: good, body: {} }, (path) => ({
      nothing: { path, body: {}, ...invalid('meetId polling') },
      'neither on nor off': { ...sent(path, { polling: 'yes' }), ...invalid('polling') },
      'neither rooms nor all': { ...sent(path, { meetingRoom: '2' }), ...invalid('meetingRoom') },
      'a lecturer of nothing': { ...sent(path, { lectureId: 'Tnobody' }), expected: 'TERMINAL_ABSENT' },
      'a lecturer who has left': { ...sent(path, { lectureId: gone }), expected: 'TERMINAL_ABSENT' },
      'too short a turn': { ...sent(path, {}, { seconds: 2 }), ...invalid('seconds') },
      'too long a turn': { ...sent(path, {}, { seconds: 3_601 }), ...invalid('seconds') },
      'no list': { ...sent(path, {}, { termIds: inside }), ...invalid('termIds') },
      'a list with nobody': { ...sent(path, {}, { termIds: [''] }), ...invalid('termIds.0') },
      'nobody who sends a picture': { ...sent(path, {}), expected: 'POLLING_NOBODY' },
    }));
  });

  test('POST meetings/{res}/startBroadcastPolling', async () => {
    const good = { meetId, pollingEnable: true };
    const sent = other('body', good);
    await refused('POST meetings/{res}/startBroadcastPolling', { body: good }, (path) => ({
      nothing: { path, body: {}, ...invalid('meetId pollingEnable') },
      'neither on nor off': { ...sent(path, { pollingEnable: 'perhaps' }), ...invalid('pollingEnable') },
      'nobody who sends a picture': { ...sent(path, {}), expected: 'POLLING_NOBODY' },
    }));
  });

  test('PUT meetings/{res}/setPollingTimeSpan', async () => {
    const good = { meetId, timespan: '5' };
    const sent = other('query', good);
    await refused('PUT meetings/{res}/setPollingTimeSpan', { query: good }, (path) => ({
      nothing: { path, ...invalid('meetId timespan') },
      'too short a turn': { ...sent(path, { timespan: '2' }), ...invalid('timespan') },
      'too long a turn': { ...sent(path, { timespan: '3601' }), ...invalid('timespan') },
      'half seconds': { ...sent(path, { timespan: '3.5' }), ...invalid('timespan') },
      words: { ...sent(path, { timespan: 'five' }), ...invalid('timespan') },
      'no polling': { ...sent(path, {}), expected: 'POLLING_OFF' },
    }));
  });
});

describe('topology', () => {
  /** For a call that reads a conference. */
  const looks = (path: string): Record<string, Wrong> => ({
    'no meeting': { path, query: { meetId: 'mine' }, ...invalid('meetId') },
    nothing: { path, ...invalid('meetId') },
    'a meeting of nothing': { path, query: { meetId: newId() }, expected: 'NOT_FOUND' },
    'of another tenant': { path, query: { meetId }, who: dave, expected: 'NOT_FOUND' },
    'by a stranger': { path, query: { meetId }, who: carol, expected: 'NOT_FOUND' },
  });
  const look = (call: string, wrongs: Record<string, Wrong> = {}): Promise<void> =>
    expectRefused(server, call, { usual: alice, operator }, wrongs);

  test('GET cm/zones/mcus', () => look('GET cm/zones/mcus'));
  test('GET meetings/manual-cascade', () => look('GET meetings/manual-cascade'));
  test('GET cm/getPcmsMeetingZoneOrMcu', () =>
    look('GET cm/getPcmsMeetingZoneOrMcu', looks('cm/getPcmsMeetingZoneOrMcu')));
  const graph = (): Record<string, Wrong> => ({
    ...looks('meetings/getConfTopo'),
    'a meeting that has not begun': { query: { meetId: planned.meetId }, expected: 'CONFERENCE_OVER' },
  });
  test('PUT meetings/getConfTopo', () => look('PUT meetings/getConfTopo', graph()));
  test('GET meetings/getConfTopo', () => look('GET meetings/getConfTopo', graph()));

  test('PUT meetings/resetConf', async () => {
    const good = { meetId };
    await refused('PUT meetings/resetConf', { query: good }, (path) => ({
      nothing: { path, ...invalid('meetId') },
      'a media server of nothing': { path, query: { meetId, mcuIds: 'nowhere' }, expected: 'MCU_UNKNOWN' },
      'too long a name of a media server': { path, query: { meetId, mcuIds: 'x'.repeat(41) }, ...invalid('mcuIds.0') },
    }));
  });

  test('PUT meetings/{res}/repari/meet', async () => {
    const good = { meetId, oldMcuZoneId: 'local', mcuZoneId: 'second' };
    const sent = other('query', good);
    await refused('PUT meetings/{res}/repari/meet', { query: good }, (path) => ({
      nothing: { path, ...invalid('meetId oldMcuZoneId mcuZoneId') },
      'where it is': { ...sent(path, { mcuZoneId: 'local' }), ...invalid('mcuZoneId') },
      'no zone': { ...sent(path, { mcuZoneId: '' }), ...invalid('mcuZoneId') },
      'a zone of nothing': { ...sent(path, {}), expected: 'ZONE_UNKNOWN' },
      'from a zone of nothing': {
        ...sent(path, { oldMcuZoneId: 'third', mcuZoneId: 'local' }),
        expected: 'ZONE_UNKNOWN',
      },
    }));
  });
});
