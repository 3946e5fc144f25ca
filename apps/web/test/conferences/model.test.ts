import { expect, test } from 'vitest';
import { initialsOf } from '../../src/features/conferences/model/initials.ts';
import { joinErrorOf } from '../../src/features/conferences/model/join-errors.ts';
import { joinedPath, linkInput } from '../../src/features/conferences/model/join-link.ts';
import { peopleOf } from '../../src/features/conferences/model/people.ts';
import { readPreferences, rememberPreferences } from '../../src/features/conferences/preferences.ts';
import { shortcutOf } from '../../src/features/conferences/room/shortcuts.ts';
import type { Tile } from '../../src/call/index.ts';
import { ApiError } from '../../src/lib/api/error.ts';

test.each([
  ['Alice', 'A'], ['alice cooper', 'AC'], ['Anna Maria de Souza', 'AS'], ['王小明', '小明'], ['李雷 (外科)', '李雷'], ['  ', '?'], ['😀 Bob', '😀B'],
])('the initials of "%s" are %s', (name, expected) => {
  expect(initialsOf(name)).toBe(expected);
});

test.each([
  ['MEETING_NUMBER_UNKNOWN', 'number'], ['MEETING_NOT_STARTED', 'number'], ['MEETING_ENDED', 'number'], ['MEETING_CANCELLED', 'number'],
  ['MEETING_PASSWORD_WRONG', 'password'], ['MEETING_PASSWORD_REQUIRED', 'password'], ['NAME_REQUIRED', 'name'],
  ['MEETING_FULL', 'form'], ['MEDIA_UNAVAILABLE', 'form'], ['TOO_MANY_REQUESTS', 'form'],
])('%s is told at %s, in the words of the server', (code, field) => {
  expect(joinErrorOf(new ApiError(406, code, 'a sentence'))).toMatchObject({ field, message: 'a sentence' });
});

test('a server that cannot be reached, or is too slow, has a sentence of its own', () => {
  expect(joinErrorOf(new ApiError(0, 'UNREACHABLE', 'TypeError: Failed to fetch'))).toEqual({ field: 'form', message: '', fallback: 'unreachable' });
  expect(joinErrorOf(new ApiError(408, 'REQUEST_TIMEOUT'))).toMatchObject({ fallback: 'timeout' });
  expect(joinErrorOf(new Error('a bug'))).toMatchObject({ field: 'form', fallback: 'failed' });
});

test('input the server rejects is told at its field', () => {
  expect(joinErrorOf(new ApiError(400, 'INVALID_INPUT', 'wrong', { name: 'too long' })).field).toBe('name');
});

test('a link fills the form in; what it lacks is remembered', () => {
  expect(linkInput('?number=482913057&pwd=4821&name=Bob', null, 'Carol')).toEqual({ number: '482913057', password: '4821', name: 'Bob' });
  expect(linkInput('?number=482913057&name=', null, 'Carol')).toEqual({ number: '482913057', password: '', name: 'Carol' });
});

test('the address of a meeting one is in shows no password, but a reload knows it', () => {
  const { path, state } = joinedPath({ number: '482913057', password: '4821', name: 'Bob' }, true);
  expect(path).toBe('/join?number=482913057&name=Bob');
  expect(linkInput(path.slice('/join'.length), state, '')).toEqual({ number: '482913057', password: '4821', name: 'Bob' });
});

test('preferences survive, and older ones gain what is new', () => {
  const stored = new Map<string, string>();
  const storage = { getItem: (key: string) => stored.get(key) ?? null, setItem: (key: string, value: string) => void stored.set(key, value) };
  const defaults = readPreferences(storage);
  expect(defaults).toMatchObject({ name: '', shortcuts: true, media: { camera: { on: true } } });
  rememberPreferences({ ...defaults, name: 'Carol', shortcuts: false }, storage);
  expect(readPreferences(storage)).toMatchObject({ name: 'Carol', shortcuts: false });
  stored.set([...stored.keys()][0] ?? '', '{"name":"Carol"}');
  expect(readPreferences(storage)).toMatchObject({ name: 'Carol', shortcuts: true, media: { speakerId: null } });
});

const key = (name: string, more = {}) => ({ key: name, ctrlKey: false, metaKey: false, altKey: false, isComposing: false, ...more });

test.each([
  ['m', {}, false, 'mic'], ['V', {}, false, 'camera'], ['?', {}, false, 'help'], [' ', {}, false, 'talk'],
  ['m', { ctrlKey: true }, false, null], ['m', { metaKey: true }, false, null], ['m', {}, true, null], ['m', { isComposing: true }, false, null], ['x', {}, false, null],
])('key "%s" with %j while typing %s means %s', (name, more, typing, expected) => {
  expect(shortcutOf(key(name, more), typing)).toBe(expected);
});

test('people are found by name, raised hands first in the order they went up', () => {
  const tile = (name: string, handRaisedAt: string | null = null): Tile => ({
    key: name, termId: name, kind: 'camera', own: false, name, role: null, video: null, microphoneOn: true, speaking: false, handRaisedAt, quality: 'good', connected: true,
  });
  const tiles = [tile('Alice'), tile('Bob', '2026-11-20T09:02:00.000Z'), { ...tile('Alice'), key: 'Alice-screen', kind: 'screen' as const }, tile('Carol', '2026-11-20T09:01:00.000Z')];
  expect(peopleOf(tiles, '').map((each) => each.name)).toEqual(['Carol', 'Bob', 'Alice']);
  expect(peopleOf(tiles, ' AL ').map((each) => each.key)).toEqual(['Alice']);
});
