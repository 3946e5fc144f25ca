import { applyDeskEvent } from '@rmeet/contract';
import { describe, expect, test } from 'vitest';
import {
  NOTHING_SELECTED,
  WHOLE_LIST,
  countsOf,
  groupsOf,
  keepPresent,
  moved,
  pick,
  roleOf,
  type ListView,
  type Selection,
} from '../../src/features/conferences/desk/model/listView.ts';
import { rowsOf } from '../../src/features/conferences/desk/model/rows.ts';
import { deskOf, report, step, stream, terminal } from './support.ts';

const streams = [stream(), stream({ source: 'microphone', bitrate: 30_000 })];

const desk = deskOf(
  terminal('chair', { name: 'Chair', department: 'Ward 3', role: 'host' }),
  terminal('alice', {
    name: 'Alice',
    department: 'Radiology',
    account: 'a.martin',
    handRaisedAt: '2026-11-20T09:06:00.000Z',
  }),
  terminal('bob', { name: 'Bob', department: 'Ward 3', handRaisedAt: '2026-11-20T09:05:00.000Z' }),
  terminal('carol', { name: 'Carol', role: 'guest' }),
);
const rows = rowsOf({
  state: applyDeskEvent(desk, { type: 'control', step: step(desk, { verb: 'mute', termIds: ['bob'], muted: true }) }),
  reports: new Map([
    ['carol', report({ quality: 'poor', streams })],
    ['alice', report({ streams })],
  ]),
  sending: new Map([['chair', { microphone: false, speaking: false, quality: 'unknown', sharing: false }]]),
  seenAt: new Map(),
  now: 0,
  previous: [],
});
const shown = (view: Partial<ListView>): string[][] =>
  groupsOf(rows, { ...WHOLE_LIST, ...view }).map(({ key, rows: members }) =>
    [key].concat(members.map(({ termId }) => termId)),
  );

describe('the list of terminals', () => {
  test.each([
    ['all there', {}, [['', 'chair', 'alice', 'bob', 'carol']]],
    ['found by name', { search: ' bo ' }, [['', 'bob']]],
    ['found by department and account', { search: 'radio martin' }, [['', 'alice']]],
    ['not found', { search: 'nobody' }, [['']]],
    ['filtered: muted by the chair or by themselves', { filter: 'muted' }, [['', 'chair', 'bob']]],
    ['filtered: hands up', { filter: 'handUp' }, [['', 'alice', 'bob']]],
    ['filtered: bad quality', { filter: 'badQuality' }, [['', 'carol']]],
    ['filtered: guests', { filter: 'guests' }, [['', 'carol']]],
    ['sorted by hands, first up first', { sorting: 'hand' }, [['', 'bob', 'alice', 'chair', 'carol']]],
    ['sorted by quality, worst first', { sorting: 'quality' }, [['', 'carol', 'chair', 'bob', 'alice']]],
    [
      'grouped by department, those without one last',
      { grouping: 'department' },
      [
        ['Radiology', 'alice'],
        ['Ward 3', 'chair', 'bob'],
        ['', 'carol'],
      ],
    ],
    [
      'grouped by role',
      { grouping: 'role' },
      [
        ['chair', 'chair'],
        ['member', 'alice', 'bob'],
        ['guest', 'carol'],
      ],
    ],
  ] as const)('%s', (_what, view, expected) => {
    expect(shown(view)).toEqual(expected);
  });

  test('counts them for each filter', () => {
    expect(countsOf(rows)).toMatchObject({ all: 4, handUp: 2, muted: 2, guests: 1, badQuality: 1, chairs: 1 });
    expect(rows.map(roleOf)).toEqual(['chair', 'member', 'member', 'guest']);
  });
});

describe('a selection', () => {
  const order = ['a', 'b', 'c', 'd'];
  const after = (...picks: [string, 'only' | 'toggle' | 'range'][]): string[] =>
    [
      ...picks.reduce<Selection>((selection, [termId, how]) => pick(selection, termId, how, order), NOTHING_SELECTED)
        .ids,
    ].toSorted();

  test.each([
    [[['b', 'only']], ['b']],
    [
      [
        ['b', 'only'],
        ['c', 'only'],
      ],
      ['c'],
    ],
    [
      [
        ['b', 'toggle'],
        ['d', 'toggle'],
      ],
      ['b', 'd'],
    ],
    [
      [
        ['b', 'toggle'],
        ['b', 'toggle'],
      ],
      [],
    ],
    [
      [
        ['b', 'only'],
        ['d', 'range'],
      ],
      ['b', 'c', 'd'],
    ],
    [
      [
        ['d', 'only'],
        ['b', 'range'],
      ],
      ['b', 'c', 'd'],
    ],
    [[['c', 'range']], ['c']],
  ] as [[string, 'only' | 'toggle' | 'range'][], string[]][])('%j selects %j', (picks, expected) => {
    expect(after(...picks)).toEqual(expected);
  });

  test('loses those who left, and stays the same object if no one leaves', () => {
    const selection: Selection = { ids: new Set(['alice', 'erin']), anchor: 'erin' };
    expect([...keepPresent(selection, rows).ids]).toEqual(['alice']);
    const present: Selection = { ids: new Set(['alice']), anchor: 'alice' };
    expect(keepPresent(present, rows)).toBe(present);
  });
});

test.each([
  ['a', 'c', ['b', 'a', 'c', 'd']],
  ['d', 'a', ['d', 'a', 'b', 'c']],
  ['a', null, ['b', 'c', 'd', 'a']],
] as const)('%s is moved before %s', (termId, before, expected) => {
  expect(moved(['a', 'b', 'c', 'd'], termId, before)).toEqual(expected);
});
