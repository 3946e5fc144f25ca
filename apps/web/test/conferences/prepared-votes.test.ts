import { beforeEach, expect, test } from 'vitest';
import { keepPrepared, readPrepared, type Ballot } from '../../src/features/conferences/vote/prepared.ts';

const ballot = (question: string): Ballot => ({ question, options: ['Yes', 'No'], isSecret: true });
let stored: Map<string, string>;
const storage = {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
  removeItem: (key: string) => void stored.delete(key),
};
beforeEach(() => {
  stored = new Map();
});

test('prepared votes are kept for their meeting alone, and leave nothing once they are used', () => {
  keepPrepared('A', [ballot('First?'), ballot('Second?')], storage);
  expect(readPrepared('A', storage)).toEqual([ballot('First?'), ballot('Second?')]);
  expect(readPrepared('B', storage)).toEqual([]);
  keepPrepared('A', [], storage);
  expect(stored.size).toBe(0);
});

test('of too many the newest twenty stay', () => {
  const all = Array.from({ length: 22 }, (_, at) => ballot(`Question ${at}`));
  expect(keepPrepared('A', all, storage)).toEqual(all.slice(2));
  expect(readPrepared('A', storage)).toHaveLength(20);
});

test('unreadable votes, and those of another version, are ignored', () => {
  for (const json of ['{', '7', '[{"question":1}, null]']) {
    stored.set('preparedVotes A', json);
    expect(readPrepared('A', storage)).toEqual([]);
  }
});
