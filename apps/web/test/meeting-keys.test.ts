import { beforeEach, expect, test } from 'vitest';
import {
  keepMeetingKey,
  linkWithKey,
  meetingKey,
  meetingKeyIn,
  newMeetingKey,
  withoutKey,
} from '../src/lib/meetingKeys.ts';
import { MemoryStorage } from './support.ts';

let store: MemoryStorage;

beforeEach(() => {
  store = new MemoryStorage();
});

test('keys are different, and have 43 characters that need no escaping in a link', () => {
  const keys = Array.from({ length: 50 }, newMeetingKey);
  expect(new Set(keys).size).toBe(50);
  for (const key of keys) expect(key).toMatch(/^[\w-]{43}$/);
});

test('a key is found in what people paste', () => {
  const key = newMeetingKey();
  const link = linkWithKey('https://meet.example.org/#/join?number=482913057&pwd=4821&watch=0', key);
  expect(link).toBe(`https://meet.example.org/#/join?number=482913057&pwd=4821&watch=0&key=${key}`);
  for (const pasted of [key, ` ${key}\n`, link, `Join: ${link}\nSee you`]) expect(meetingKeyIn(pasted)).toBe(key);
  for (const pasted of ['', key.slice(1), `${key}A`, link.replace(/&key=.*/, ''), `${link}A`])
    expect(meetingKeyIn(pasted)).toBeNull();
});

test('a browser keeps the newest keys by meeting number', () => {
  const [first, second] = [newMeetingKey(), newMeetingKey()];
  keepMeetingKey('482913057', first, store);
  keepMeetingKey('482913058', second, store);
  expect(meetingKey('482913057', store)).toBe(first);
  expect(meetingKey('482913059', store)).toBeNull();
  keepMeetingKey('482913057', second, store);
  expect(meetingKey('482913057', store)).toBe(second);
  for (let number = 100_000_000; number < 100_000_199; number += 1) keepMeetingKey(String(number), first, store);
  expect(meetingKey('482913058', store)).toBeNull();
  expect(meetingKey('482913057', store)).toBe(second);
});

test('an address loses its key and nothing else', () => {
  const key = newMeetingKey();
  const { url, query, key: found } = withoutKey(`https://a.example/#/join?number=482913057&key=${key}&watch=0`);
  expect(url).toBe('https://a.example/#/join?number=482913057&watch=0');
  expect(query.get('number')).toBe('482913057');
  expect(found).toBe(key);
  expect(withoutKey(`https://a.example/#/join?key=${key}&guest=abc`).url).toBe('https://a.example/#/join?guest=abc');
  const broken = withoutKey('https://a.example/#/join?number=1&key=short');
  expect(broken).toMatchObject({ url: 'https://a.example/#/join?number=1', key: null });
  expect(withoutKey('https://a.example/?key=x#/myMeeting').url).toBe('https://a.example/?key=x#/myMeeting');
});
