import {
  AUTO_LAYOUT,
  NO_CONTROL,
  applyCommand,
  bannerOf,
  type ConferenceCommand,
  type ConferenceControl,
  type RollCall,
} from '@rmeet/conference';
import { describe, expect, test } from 'vitest';
import { controlNews } from '../../src/features/conferences/room/model/control-news.ts';
import {
  bannerChange,
  bannerFor,
  mayHaveOwnView,
  rollProgress,
  timerAt,
  voteResult,
} from '../../src/features/conferences/shared/proceedings.ts';
import { sentencesOf } from '../../src/features/conferences/room/model/notices.ts';
import type { T } from '../../src/features/conferences/texts.ts';

const t = ((key: string, values?: Record<string, unknown>) =>
  values === undefined ? key : `${key} ${JSON.stringify(values)}`) as unknown as T;
const START = '2026-11-20T09:00:00.000Z';
const at = (seconds: number): number => Date.parse(START) + seconds * 1_000;
const controlOf = (...commands: ConferenceCommand[]): ConferenceControl =>
  [
    ...['chair', 'alice', 'bob'].map((termId): ConferenceCommand => ({
      verb: 'arrive',
      termId,
      name: termId,
      role: 'member',
      previousTermId: null,
    })),
    ...commands,
  ].reduce(applyCommand, NO_CONTROL);

describe('a timer', () => {
  const { timer } = controlOf({ verb: 'timer', termId: 'alice', seconds: 65, at: START });
  test.each([
    [0, 'running', '1:05'],
    [54.5, 'running', '0:11'],
    [55, 'warning', '0:10'],
    [64.5, 'warning', '0:01'],
    [65, 'over', '0:00'],
    [72, 'over', '-0:07'],
    [185, 'over', '-2:00'],
  ] as const)('after %d s it is %s: %s', (seconds, look, text) => {
    expect(timer && timerAt(timer, at(seconds))).toEqual({ look, text });
  });
  test('it stops while it is paused', () => {
    const paused = controlOf(
      { verb: 'timer', termId: null, seconds: 65, at: START },
      { verb: 'timerChange', action: 'pause', seconds: 0, at: new Date(at(5)).toISOString() },
    ).timer;
    expect(paused && timerAt(paused, at(500))).toEqual({ look: 'paused', text: '1:00' });
  });
});

test('a roll call counts the marked people', () => {
  const entries: RollCall['entries'] = [
    { termId: 'a', name: 'A', mark: 'present' },
    { termId: 'b', name: 'B', mark: 'absent' },
    { termId: 'c', name: 'C', mark: null },
  ];
  expect(rollProgress({ entries })).toEqual({ marked: 2, present: 1, absent: 1, total: 3 });
});

test('a closed vote has a result, even without ballots', () => {
  expect(voteResult({ options: ['Yes', 'No'], counts: null })).toBeNull();
  expect(voteResult({ options: ['Yes', 'No'], counts: [2, 1] })).toEqual([
    { option: 'Yes', count: 2, percent: 67 },
    { option: 'No', count: 1, percent: 33 },
  ]);
  expect(voteResult({ options: ['Yes', 'No'], counts: [0, 0] })?.map(({ percent }) => percent)).toEqual([0, 0]);
});

describe('captions', () => {
  const form = { position: 'BOTTOM', size: 'MEDIUM', scroll: 'NONE', language: 'en' } as const;
  const common = bannerOf({ ...form, text: 'All', seconds: 60 }, new Date(START));
  const own = bannerOf({ ...form, text: 'Alice', seconds: 10 }, new Date(START));
  const control = controlOf(
    { verb: 'banner', termId: null, banner: common },
    { verb: 'banner', termId: 'alice', banner: own },
  );
  test('captions for one terminal replace those for all, each until its time is over', () => {
    expect([0, 9.9, 10, 60].map((seconds) => bannerFor(control, 'alice', at(seconds))?.text)).toEqual([
      'Alice',
      'Alice',
      'All',
      undefined,
    ]);
    expect(bannerFor(control, 'bob', at(5))?.text).toBe('All');
    expect(bannerFor(control, null, at(5))?.text).toBe('All');
  });
  test('the time of the next change is known', () => {
    expect([0, 10, 60].map((seconds) => bannerChange(control, 'alice', at(seconds)))).toEqual([at(10), at(60), null]);
    expect(
      bannerChange(
        controlOf({
          verb: 'banner',
          termId: null,
          banner: bannerOf({ ...form, text: 'All', seconds: 0 }, new Date(START)),
        }),
        null,
        at(0),
      ),
    ).toBeNull();
  });
});

test('an own view is offered if the chair allows it and has set a layout', () => {
  const layout = (model: '4' | 'AUTO', allowOwnLayout: boolean): ConferenceCommand => ({
    verb: 'layout',
    model,
    places: [],
    allowOwnLayout,
  });
  expect(
    [layout('4', true), layout('4', false), layout('AUTO', true)].map((command) =>
      mayHaveOwnView(controlOf(command), 'alice'),
    ),
  ).toEqual([true, false, false]);
  expect(
    mayHaveOwnView(
      controlOf(layout('4', true), { verb: 'terminalLayout', termId: 'alice', layout: AUTO_LAYOUT }),
      'alice',
    ),
  ).toBe(false);
});

describe('what the page announces', () => {
  const news = (before: ConferenceControl, command: ConferenceCommand, termId = 'alice') =>
    controlNews(before, applyCommand(before, command), { termId, byMe: false }, t);
  const settings = { termIds: ['alice', 'bob'], seconds: 10, onlyVideo: false, roomsOnly: false, isPaused: false };
  const polled = controlOf({ verb: 'polling', settings, lectureId: null, at: START });
  const turn = (termId: string, next: string): ConferenceCommand => ({
    verb: 'pollingTurn',
    termId,
    next,
    at: START,
    switchAt: null,
  });
  test('the coming and the present turn', () => {
    expect(news(polled, turn('bob', 'alice'))).toEqual(['told.next']);
    expect(news(applyCommand(polled, turn('bob', 'alice')), turn('alice', 'bob'))).toEqual(['told.onAir']);
    const inSeat = controlOf(
      { verb: 'layout', model: '4', places: [], pollingSeat: 1 },
      { verb: 'polling', settings, lectureId: null, at: START },
    );
    expect(news(inSeat, turn('alice', 'bob'))).toEqual(['told.polled']);
  });
  test('the lecturer is on air', () => {
    expect(news(controlOf(), { verb: 'polling', settings, lectureId: 'alice', at: START })).toEqual(['told.onAir']);
  });
  test('the right to share', () => {
    expect(news(controlOf(), { verb: 'contentLock', termId: 'alice' })).toEqual(['told.contentYours']);
    expect(news(controlOf(), { verb: 'contentLock', termId: 'bob' })).toEqual(['told.contentLocked {"name":"bob"}']);
    const off: ConferenceCommand = { verb: 'dualStream', termId: 'alice', open: false };
    expect(news(controlOf(), off)).toEqual(['told.contentOff']);
    expect(news(controlOf(off), { ...off, open: true })).toEqual(['told.contentOn']);
  });
  test("the end of a roll call and of a vote, and that the view is the chair's", () => {
    const rolled = controlOf({ verb: 'rollCall', entries: [{ termId: 'bob', name: 'Bob' }], at: START });
    expect(news(rolled, { verb: 'rollCallEnd', at: START })).toEqual([
      'told.rollCallOver {"marked":0,"present":0,"absent":0,"total":1}',
    ]);
    const voted = controlOf({
      verb: 'vote',
      id: '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d20',
      question: 'Q',
      options: ['Yes', 'No'],
      isSecret: true,
      at: START,
    });
    expect(news(voted, { verb: 'voteDismiss' })).toEqual(['told.voteDismissed']);
    expect(news(controlOf(), { verb: 'layout', model: '4', places: [], allowOwnLayout: false })).toEqual([
      'told.noOwnLayout',
    ]);
  });
  test('the reason of an ended share, once', () => {
    expect(
      sentencesOf(
        [
          { id: 1, kind: 'refused', source: 'screen', why: 'muted' },
          { id: 2, kind: 'shareEnded', why: 'off' },
        ],
        t,
      ),
    ).toEqual(['notices.shareEnded.off']);
    expect(sentencesOf([{ id: 1, kind: 'refused', source: 'screen', why: 'muted' }], t)).toEqual([
      'notices.mutedScreen',
    ]);
  });
});
