import { NO_CONTROL, applyCommand, type ConferenceCommand } from '@rmeet/conference';
import { describe, expect, test } from 'vitest';
import { controlNews, maySelfUnmute } from '../../src/features/conferences/room/model/control-news.ts';
import { initialsOf } from '../../src/features/conferences/shared/initials.ts';
import { joinErrorOf } from '../../src/features/conferences/join/join-errors.ts';
import { guestResource, joinedPath, linkInput } from '../../src/features/conferences/join/join-link.ts';
import { peopleOf } from '../../src/features/conferences/room/model/people.ts';
import { readPreferences, rememberPreferences } from '../../src/features/conferences/shared/preferences.ts';
import type { T } from '../../src/features/conferences/texts.ts';
import { shortcutOf } from '../../src/features/conferences/room/shortcuts.ts';
import type { Tile } from '../../src/call/index.ts';
import { ApiError } from '../../src/lib/api/error.ts';

test.each([
  ['Alice', 'A'],
  ['alice cooper', 'AC'],
  ['Anna Maria de Souza', 'AS'],
  ['王小明', '小明'],
  ['李雷 (外科)', '李雷'],
  ['王小明（外科）', '小明'],
  ['  ', '?'],
  ['😀 Bob', '😀B'],
])('the initials of "%s" are %s', (name, expected) => {
  expect(initialsOf(name)).toBe(expected);
});

test.each([
  ['MEETING_NUMBER_UNKNOWN', 'number'],
  ['MEETING_NOT_STARTED', 'number'],
  ['MEETING_ENDED', 'number'],
  ['MEETING_CANCELLED', 'number'],
  ['MEETING_PASSWORD_WRONG', 'password'],
  ['MEETING_PASSWORD_REQUIRED', 'password'],
  ['NAME_REQUIRED', 'name'],
  ['MEETING_FULL', 'form'],
  ['MEDIA_UNAVAILABLE', 'form'],
  ['TOO_MANY_REQUESTS', 'form'],
])('%s is reported at %s, in the words of the server', (code, field) => {
  expect(joinErrorOf(new ApiError(406, code, 'a sentence'))).toMatchObject({ field, message: 'a sentence' });
});

test('an unreachable or slow server has a sentence of its own', () => {
  expect(joinErrorOf(new ApiError(0, 'UNREACHABLE', 'TypeError: Failed to fetch'))).toEqual({
    field: 'form',
    asks: false,
    message: '',
    fallback: 'unreachable',
  });
  expect(joinErrorOf(new ApiError(408, 'REQUEST_TIMEOUT'))).toMatchObject({ fallback: 'timeout' });
  expect(joinErrorOf(new Error('a bug'))).toMatchObject({ field: 'form', fallback: 'failed' });
});

test('input that the server rejects is reported at its field', () => {
  expect(joinErrorOf(new ApiError(400, 'INVALID_INPUT', 'wrong', { fields: { name: 'too long' } })).field).toBe('name');
});

test('a link fills in the form; missing parts are taken from memory', () => {
  expect(linkInput('?number=482913057&pwd=4821&name=Bob', null, 'Carol')).toEqual({
    number: '482913057',
    meetId: null,
    password: '4821',
    name: 'Bob',
    key: '',
  });
  expect(linkInput('?number=482913057&name=', null, 'Carol')).toEqual({
    number: '482913057',
    meetId: null,
    password: '',
    name: 'Carol',
    key: '',
  });
});

test('the address of the present meeting shows no password, but a reload knows it', () => {
  const { path, state } = joinedPath({ number: '482913057', meetId: null, password: '4821', name: 'Bob' }, true, null);
  expect(path).toBe('/join?number=482913057&name=Bob');
  expect(linkInput(path.slice('/join'.length), state, '')).toEqual({
    number: '482913057',
    meetId: null,
    password: '4821',
    name: 'Bob',
    key: '',
  });
});

test('the address hides a guest link, but a reload knows the link and the name', () => {
  expect(guestResource('?guest=q1YzP0cQx1YzP0cQx1Yz', null)).toBe('q1YzP0cQx1YzP0cQx1Yz');
  expect(guestResource('?number=482913057', null)).toBeNull();
  const { path, state } = joinedPath(
    { number: '', meetId: null, password: '', name: 'Dana' },
    true,
    'q1YzP0cQx1YzP0cQx1Yz',
  );
  expect(path).toBe('/join');
  expect(guestResource('', state)).toBe('q1YzP0cQx1YzP0cQx1Yz');
  expect(linkInput('', state, 'Carol').name).toBe('Dana');
});

test('preferences are kept, and older ones gain new fields', () => {
  const stored = new Map<string, string>();
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  };
  const defaults = readPreferences(storage);
  expect(defaults).toMatchObject({ name: '', shortcuts: true, media: { camera: { on: true } } });
  rememberPreferences({ ...defaults, name: 'Carol', shortcuts: false }, storage);
  expect(readPreferences(storage)).toMatchObject({ name: 'Carol', shortcuts: false });
  stored.set([...stored.keys()][0] ?? '', '{"name":"Carol"}');
  expect(readPreferences(storage)).toMatchObject({ name: 'Carol', shortcuts: true, media: { speakerId: null } });
});

const key = (name: string, more = {}) => ({
  key: name,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  isComposing: false,
  ...more,
});

test.each([
  ['m', {}, false, 'mic'],
  ['V', {}, false, 'camera'],
  ['?', {}, false, 'help'],
  [' ', {}, false, 'talk'],
  ['m', { ctrlKey: true }, false, null],
  ['m', { metaKey: true }, false, null],
  ['m', {}, true, null],
  ['m', { isComposing: true }, false, null],
  ['x', {}, false, null],
])('key "%s" with %j while typing %s means %s', (name, more, typing, expected) => {
  expect(shortcutOf(key(name, more), typing)).toBe(expected);
});

describe('the list of people', () => {
  const tile = (name: string, handRaisedAt: string | null = null): Tile => ({
    key: name,
    termId: name,
    kind: 'camera',
    own: false,
    name,
    role: null,
    handPlace: null,
    video: null,
    microphoneOn: true,
    speaking: false,
    handRaisedAt,
    quality: 'good',
    connected: true,
    muted: false,
    cameraOff: false,
    part: null,
    onAir: false,
  });
  const namesIn = (tiles: Tile[], commands: ConferenceCommand[] = [], search = '') =>
    peopleOf(tiles, commands.reduce(applyCommand, NO_CONTROL), search).map((each) => each.key);
  const arrived = ['Alice', 'Bob', 'Carol', 'Dave'].map((termId): ConferenceCommand => ({
    verb: 'arrive',
    termId,
    name: termId,
    role: 'member',
    previousTermId: null,
  }));

  test('lists raised hands first, in the order they went up', () => {
    const tiles = [
      tile('Alice'),
      tile('Bob', '2026-11-20T09:02:00.000Z'),
      { ...tile('Alice'), key: 'Alice-screen', kind: 'screen' as const },
      tile('Carol', '2026-11-20T09:01:00.000Z'),
    ];
    expect(namesIn(tiles)).toEqual(['Carol', 'Bob', 'Alice']);
    expect(namesIn(tiles, [], ' AL ')).toEqual(['Alice']);
  });

  test('follows the order of the chair, with those on top before every hand', () => {
    const tiles = [tile('Dave'), tile('Carol', '2026-11-20T09:01:00.000Z'), tile('Bob'), tile('Alice'), tile('Erin')];
    // Erin's media arrives before the conference knows her.
    expect(namesIn(tiles, arrived)).toEqual(['Carol', 'Alice', 'Bob', 'Dave', 'Erin']);
    expect(namesIn(tiles, [...arrived, { verb: 'sort', termIds: ['Bob', 'Alice'] }])).toEqual([
      'Carol',
      'Bob',
      'Alice',
      'Dave',
      'Erin',
    ]);
    expect(namesIn(tiles, [...arrived, { verb: 'top', termId: 'Dave', top: true }])).toEqual([
      'Dave',
      'Carol',
      'Alice',
      'Bob',
      'Erin',
    ]);
  });
});

describe('what the page derives from the control', () => {
  const t = ((name: string, params: Record<string, string> = {}) =>
    [name, ...Object.values(params)].join(' ')) as unknown as T;
  const arrived = ['host', 'Alice', 'Bob'].map((termId): ConferenceCommand => ({
    verb: 'arrive',
    termId,
    name: termId,
    role: termId === 'host' ? 'host' : 'member',
    previousTermId: null,
  }));
  const before = arrived.reduce(applyCommand, NO_CONTROL);

  test.each<[string, ConferenceCommand[], string[]]>([
    ['being muted', [{ verb: 'mute', termIds: ['Alice'], muted: true }], []],
    ['another participant being muted', [{ verb: 'mute', termIds: ['Bob'], muted: true }], []],
    ['the camera', [{ verb: 'camera', termIds: ['Alice'], open: false }], ['told.cameraOff']],
    ['being on air', [{ verb: 'speaker', termId: 'Alice' }], ['told.onAir']],
    ['getting the chair', [{ verb: 'chairman', termId: 'Alice' }], ['told.chair']],
    [
      'getting the chair as a co-chair',
      [
        { verb: 'coChairs', termIds: ['Alice'], appoint: true },
        { verb: 'chairman', termId: 'Alice' },
      ],
      ['told.chair'],
    ],
    ['another one getting the chair', [{ verb: 'chairman', termId: 'Bob' }], ['told.whoChairs Bob']],
    ['being co-chair', [{ verb: 'coChairs', termIds: ['Alice'], appoint: true }], ['told.coChair']],
    ['a new name', [{ verb: 'rename', termId: 'Alice', name: 'Dr. Alice' }], ['told.renamed Dr. Alice']],
    ['the lock', [{ verb: 'lock', locked: true }], ['told.locked']],
    [
      'all at once',
      [
        { verb: 'muteAll', muted: true, except: [], allowSelfUnmute: null },
        { verb: 'speaker', termId: 'Alice' },
      ],
      ['told.onAir'],
    ],
  ])('%s', (_, commands, news) => {
    expect(controlNews(before, commands.reduce(applyCommand, before), { termId: 'Alice', byMe: false }, t)).toEqual(
      news,
    );
  });

  test('says nothing of the lock and the chair that the user changed', () => {
    const commands: ConferenceCommand[] = [
      { verb: 'lock', locked: true },
      { verb: 'chairman', termId: 'Bob' },
    ];
    const after = commands.reduce(applyCommand, before);
    expect(controlNews(before, after, { termId: 'Alice', byMe: true }, t)).toEqual([]);
    expect(controlNews(before, after, { termId: 'Alice', byMe: false }, t)).toHaveLength(2);
  });

  test('a held person may unmute if the chair allows it, or has asked for it', () => {
    const held = applyCommand(before, { verb: 'muteAll', muted: true, except: [], allowSelfUnmute: false });
    expect(maySelfUnmute(held, 'Alice', false)).toBe(false);
    expect(maySelfUnmute(held, 'Alice', true)).toBe(true);
    expect(maySelfUnmute(applyCommand(held, { verb: 'askUnmute', termIds: ['Alice'] }), 'Alice', false)).toBe(true);
    expect(maySelfUnmute(applyCommand(held, { verb: 'entry', allowSelfUnmute: true }), 'Alice', false)).toBe(true);
  });
});
