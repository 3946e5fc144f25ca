import { expect, test } from 'vitest';
import { SILENCE, keepSpeakers, tickSpeakers, updateSpeakers, type SpeakerState } from '../src/speakers.ts';

/** Plays a timeline: who speaks at each time; `tick` lets time pass without news. */
function play(timeline: readonly (readonly [number, readonly string[] | 'tick'])[]): SpeakerState {
  return timeline.reduce(
    (state, [at, who]) => (who === 'tick' ? tickSpeakers(state, at) : updateSpeakers(state, who, at)),
    SILENCE,
  );
}

test('a cough changes nothing', () => {
  expect(
    play([
      [0, ['alice']],
      [300, []],
      [2_000, 'tick'],
    ]).recent,
  ).toEqual([]);
});

test('a participant becomes the speaker after speaking for a while', () => {
  expect(
    play([
      [0, ['alice']],
      [600, 'tick'],
    ]).recent,
  ).toEqual([]);
  expect(
    play([
      [0, ['alice']],
      [800, 'tick'],
    ]).recent,
  ).toEqual(['alice']);
});

test('the speaker stays while both speak; the other one follows directly', () => {
  expect(
    play([
      [0, ['alice']],
      [1_000, ['alice', 'bob']],
      [3_000, 'tick'],
    ]).recent,
  ).toEqual(['alice', 'bob']);
});

test('another speaker follows when the present one has been silent for a while', () => {
  const dispute = [
    [0, ['alice']],
    [1_000, ['bob']],
  ] as const;
  expect(play([...dispute, [1_800, 'tick']]).recent).toEqual(['alice', 'bob']);
  expect(play([...dispute, [2_300, 'tick']]).recent).toEqual(['bob', 'alice']);
});

test('a short pause does not change the speaker', () => {
  expect(
    play([
      [0, ['alice']],
      [1_000, ['bob']],
      [1_900, ['alice', 'bob']],
      [5_000, 'tick'],
    ]).recent,
  ).toEqual(['alice', 'bob']);
});

test('the start time of a speaker survives updates', () => {
  expect(
    play([
      [0, ['alice']],
      [500, ['alice', 'bob']],
    ]).speaking,
  ).toEqual(
    new Map([
      ['alice', 0],
      ['bob', 500],
    ]),
  );
});

test('those who left are forgotten, and nothing else changes', () => {
  const state = play([
    [0, ['alice', 'bob']],
    [1_000, 'tick'],
  ]);
  const left = keepSpeakers(state, new Set(['bob']));
  expect(left.recent).toEqual(['bob']);
  expect([...left.speaking.keys()]).toEqual(['bob']);
  expect(keepSpeakers(left, new Set(['bob', 'carol']))).toBe(left);
});
