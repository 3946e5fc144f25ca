import { readFile } from 'node:fs/promises';
import { conferenceCommand, NO_CONTROL, type ConferenceCommand } from '@rmeet/conference';
import { describe, expect, test } from 'vitest';
import { sendCommand, type ConferenceApi } from '../../src/features/conferences/shared/commands.ts';
import { rollCsv, rollText, tally } from '../../src/features/conferences/desk/model/roll-call.ts';
import { turnAt } from '../../src/features/conferences/desk/model/turn.ts';
import type { T } from '../../src/features/conferences/desk/texts.tsx';
import { describe as inWords } from '../../src/features/conferences/desk/describe.ts';
import { sourcePath } from '../support.ts';
import { MEET_ID } from './support.ts';

type Tree = { [key: string]: string | Tree };

/** The desk's texts in a language; a missing key is returned unchanged. */
async function textsOf(locale: 'zh' | 'en'): Promise<T> {
  const texts = JSON.parse(
    await readFile(sourcePath(`features/conferences/desk/locales/${locale}.json`), 'utf8'),
  ) as Tree;
  return ((key: string, values: Record<string, unknown> = {}) => {
    const found = key
      .split('.')
      .reduce<string | Tree | undefined>((tree, part) => (typeof tree === 'object' ? tree[part] : undefined), texts);
    return typeof found === 'string'
      ? found.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name]))
      : key;
  }) as unknown as T;
}

const entries = [
  { termId: 'a', name: 'Alice', mark: 'present' },
  { termId: 'b', name: 'Bob "B"', mark: 'absent' },
  { termId: 'c', name: '=SUM(A1)\tx', mark: null },
] as const;
const roll = { entries: [...entries] };
const say = (word: string): string => word.toUpperCase();

describe('a roll call', () => {
  test('is counted', () => {
    expect(tally(roll)).toEqual({ present: 1, absent: 1, unmarked: 1 });
    expect(tally({ entries: [] })).toEqual({ present: 0, absent: 0, unmarked: 0 });
  });

  test('is copied as lines of a table', () => {
    expect(rollText(roll, say)).toBe('Alice\tPRESENT\nBob "B"\tABSENT\n=SUM(A1) x\tUNMARKED');
  });

  test('is saved as a table in which no name is a formula', () => {
    expect(rollCsv(roll, say)).toBe(
      '\uFEFF"Alice","PRESENT"\r\n"Bob ""B""","ABSENT"\r\n"\'=SUM(A1)\tx","UNMARKED"\r\n',
    );
  });
});

test('a turn lasts from its beginning to the switch, and no longer', () => {
  const [since, switchAt] = ['2026-11-20T09:00:00.000Z', '2026-11-20T09:00:10.000Z'];
  const at = (seconds: number) => turnAt(since, switchAt, Date.parse(since) + seconds * 1_000);
  expect(at(4)).toEqual({ length: 10_000, left: 6_000 });
  expect(at(-3)).toEqual({ length: 10_000, left: 10_000 });
  expect(at(99)).toEqual({ length: 10_000, left: 0 });
});

const ID = MEET_ID;
const at = '2026-11-20T09:00:00.000Z';
const { layout, window } = NO_CONTROL;
const settings = { termIds: [], seconds: 10, onlyVideo: true, roomsOnly: false, isPaused: false };
const DONE: readonly ConferenceCommand[] = [
  { verb: 'polling', settings, lectureId: null, at },
  { verb: 'polling', settings: null, lectureId: null, at },
  { verb: 'broadcastPolling', on: true },
  { verb: 'broadcastPolling', on: false },
  { verb: 'pollingTime', seconds: 30 },
  { verb: 'pollingTurn', termId: 'b', next: null, at, switchAt: null },
  { verb: 'giveFloor', termId: 'b', seconds: 60, at },
  { verb: 'lowerHands', termIds: ['b'] },
  { verb: 'timer', termId: null, seconds: 90, at },
  { verb: 'timerChange', action: 'add', seconds: 30, at },
  { verb: 'timerStop' },
  { verb: 'rollCall', entries: [], at },
  { verb: 'callUp', termId: 'b' },
  { verb: 'rollMark', termId: 'b', mark: 'present' },
  { verb: 'rollMark', termId: 'b', mark: 'absent' },
  { verb: 'rollMark', termId: 'b', mark: null },
  { verb: 'rollCallEnd', at },
  { verb: 'vote', id: ID, question: 'Adopt?', options: ['Yes', 'No'], isSecret: true, at },
  { verb: 'voteClose', counts: [1, 0], at },
  { verb: 'voteDismiss' },
  {
    verb: 'scene',
    sceneId: ID,
    name: 'Opening',
    settings: {
      layout,
      window,
      mode: 'AUTO',
      speakerId: null,
      muted: {},
      locked: false,
      contentLockId: null,
      banner: null,
    },
  },
];

describe.each(['zh', 'en'] as const)('in %s', (locale) => {
  test('every action has its own words', async () => {
    const t = await textsOf(locale);
    const words = DONE.map((command) => inWords(command, (termId) => `<${termId}>`, t));
    expect(
      words.filter(
        (word) =>
          word === '' || /^[a-zA-Z]+(\.[a-zA-Z]+)*$/.test(word) || word.includes('undefined') || word.includes('{{'),
      ),
    ).toEqual([]);
    expect(new Set(words).size).toBe(words.length);
    expect(inWords({ verb: 'pollingTurn', termId: 'b' }, (termId) => `<${termId}>`, t)).toContain('<b>');
  });

  test('every command of people has words in the log', async () => {
    const t = await textsOf(locale);
    const verbs = conferenceCommand.options.map(({ shape }) => shape.verb.value).filter((verb) => verb !== 'voteCount');
    expect(verbs.filter((verb) => inWords({ verb }, () => 'Bob', t) === verb)).toEqual([]);
  });
});

test('a command is sent unchanged, by one call', async () => {
  const calls: unknown[] = [];
  const api = new Proxy(
    {},
    { get: (_, name) => (input: unknown) => Promise.resolve(void calls.push([name, input])) },
  ) as ConferenceApi;
  await sendCommand(api, ID, { verb: 'polling', settings: { isPaused: true } });
  expect(calls).toEqual([
    ['command', { params: { meetId: ID }, body: { verb: 'polling', settings: { isPaused: true } } }],
  ]);
});
