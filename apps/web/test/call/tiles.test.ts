import type { ConferenceState, Terminal } from '@rmeet/contract';
import { expect, test } from 'vitest';
import type { MediaParticipant, VideoHandle } from '../../src/call/media-types.ts';
import { buildTiles, type TileSources } from '../../src/call/tiles.ts';
import { conferenceOf, controlOf, terminalOf } from './people.ts';

const video = (id: string): VideoHandle => ({ id, mirrored: false, attach: () => undefined, detach: () => undefined });
const media = (termId: string, more: Partial<MediaParticipant> = {}): MediaParticipant => ({
  termId,
  name: termId,
  camera: null,
  screen: null,
  sharing: false,
  microphoneOn: false,
  quality: 'good',
  ...more,
});
const sources = (more: Partial<TileSources> & { terminals?: Terminal[] } = {}): TileSources => ({
  conference: more.terminals === undefined ? null : conferenceOf('alice', more.terminals),
  participants: [],
  own: {
    termId: 'alice',
    name: 'Alice',
    camera: null,
    screen: null,
    sharing: false,
    microphoneOn: true,
    quality: 'good',
  },
  speaking: new Map(),
  previous: [],
  ...more,
});
const keys = (input: TileSources) => buildTiles(input).map((tile) => tile.key);

test('before the first state people see themselves, by the name they entered', () => {
  expect(buildTiles(sources())).toMatchObject([{ key: 'alice', name: 'Alice', own: true, microphoneOn: true }]);
});

test('the conference defines who is there: a participant known only to the engine is a stranger', () => {
  const terminals = [terminalOf('bob'), terminalOf('alice')];
  expect(keys(sources({ terminals, participants: [media('carol')] }))).toEqual(['alice', 'bob']);
  expect(buildTiles(sources({ terminals })).find((tile) => tile.key === 'bob')?.connected).toBe(false);
});

test('until the state of the conference arrives, every terminal that sends is shown', () => {
  expect(keys(sources({ participants: [media('carol')] }))).toEqual(['alice', 'carol']);
});

test('tiles show the settings of the chair: held, on air, in the chair', () => {
  const people = ['chair', 'alice', 'bob'];
  const control = controlOf(
    people,
    { verb: 'mute', termIds: ['bob'], muted: true },
    { verb: 'speaker', termId: 'bob' },
    { verb: 'coChairs', termIds: ['alice'], appoint: true },
  );
  const tiles = buildTiles(sources({ conference: { control, terminals: people.map((termId) => terminalOf(termId)) } }));
  expect(tiles).toMatchObject([
    { key: 'alice', part: 'coChair', muted: false },
    { key: 'chair', part: 'chair' },
    { key: 'bob', muted: true, onAir: true, part: null },
  ]);
});

test('a watcher sees only the others, and a shared screen before its picture arrives', () => {
  const conference = conferenceOf('bob', [terminalOf('bob')]);
  expect(buildTiles(sources({ own: null, conference, participants: [media('bob', { sharing: true })] }))).toMatchObject(
    [{ key: 'bob' }, { key: 'bob-screen', video: null }],
  );
});

test('a shared screen follows the tile of its sender', () => {
  const participants = [media('bob', { screen: video('s'), sharing: true }), media('carol')];
  expect(keys(sources({ participants }))).toEqual(['alice', 'bob', 'bob-screen', 'carol']);
});

test('names, hands and roles come from the conference', () => {
  const terminals = [
    { ...terminalOf('bob'), name: 'Dr. Bob', handRaisedAt: '2026-11-20T09:00:00.000Z', role: 'host' as const },
  ];
  expect(buildTiles(sources({ terminals, participants: [media('bob')] }))[1]).toMatchObject({
    name: 'Dr. Bob',
    role: 'host',
    handRaisedAt: '2026-11-20T09:00:00.000Z',
  });
});

test('raised hands are numbered in the order they went up', () => {
  const terminals = [
    terminalOf('bob', { handRaisedAt: '2026-11-20T09:03:00.000Z' }),
    terminalOf('carol', { handRaisedAt: '2026-11-20T09:01:00.000Z' }),
    terminalOf('dave'),
  ];
  const places = buildTiles(sources({ terminals })).map(({ termId, handPlace }) => [termId, handPlace]);
  expect(Object.fromEntries(places)).toMatchObject({ bob: 2, carol: 1, dave: null });
});

test('unchanged tiles stay the same objects', () => {
  const camera = video('b');
  const first = buildTiles(sources({ participants: [media('bob', { camera }), media('carol')] }));
  const same = buildTiles(sources({ participants: [media('bob', { camera }), media('carol')], previous: first }));
  expect(same).toBe(first);
  const muted = buildTiles(
    sources({ participants: [media('bob', { camera }), media('carol', { microphoneOn: true })], previous: first }),
  );
  expect(muted[1]).toBe(first[1]);
  expect(muted[2]).not.toBe(first[2]);
});

test('the state of an empty conference is enough', () => {
  const conference: ConferenceState = conferenceOf('alice', []);
  expect(keys(sources({ conference }))).toEqual(['alice']);
});
