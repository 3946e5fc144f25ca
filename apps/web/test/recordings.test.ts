import { beginningControl, controlChanges, type ConferenceControl } from '@rmeet/conference';
import { clockTimeOf, positionOf, type Playback, type RecordingSegment, type RecordingTrack } from '@rmeet/contract';
import { describe, expect, test } from 'vitest';
import { baseInfoOf, NO_BASE_INFO } from '../src/features/recordings/detail/baseInfo.ts';
import { moved, NO_EDIT, tidy, withCut, withoutCut } from '../src/features/recordings/detail/edit.ts';
import { floorOf, lastAt } from '../src/features/recordings/player/floor.ts';
import { correctionOf } from '../src/features/recordings/player/follower.ts';
import { keptOf, lengthOf, nextKept, seamsOf } from '../src/features/recordings/player/line.ts';
import { clockOf, listedIn, mediaTimeOf, placedOf } from '../src/features/recordings/player/placed.ts';
import { seenAt, statesOf } from '../src/features/recordings/player/seen.ts';
import { Signer } from '../src/features/recordings/player/signer.ts';
import { clockWords, timeOf } from '../src/features/recordings/words.ts';

/** Segments of two seconds: ten seconds, a pause of five, and ten more. */
const segments: RecordingSegment[] = [0, 2, 4, 6, 8, 15, 17, 19, 21, 23].map((second, number) => ({
  number,
  init: second < 15 ? 1 : 2,
  at: second * 1_000,
  duration: 2_000,
  bytes: 1,
}));

describe('what is played of a recording', () => {
  test('pauses are left out, and segments that follow each other are one stretch', () => {
    const kept = keptOf(segments, null);
    expect(kept).toEqual([
      { at: 0, duration: 10_000 },
      { at: 15_000, duration: 10_000 },
    ]);
    expect([lengthOf(kept), seamsOf(kept)]).toEqual([20_000, [15_000]]);
  });

  test('an edit is exact within segments, and positions skip what it leaves out', () => {
    const kept = keptOf(segments, { start: 500, end: 24_000, cuts: [{ from: 3_200, to: 16_000 }] });
    expect(kept).toEqual([
      { at: 500, duration: 2_700 },
      { at: 16_000, duration: 8_000 },
    ]);
    expect(positionOf(kept, 16_500)).toBe(3_200);
    expect(clockTimeOf(kept, 3_200)).toBe(16_500);
    expect([0, 3_199, 3_200, 12_000, 24_000].map((time) => nextKept(kept, time))).toEqual([
      500,
      3_199,
      16_000,
      16_000,
      null,
    ]);
  });

  test('a player that rounds its time stays at the start of a stretch', () => {
    const kept = keptOf(segments, { start: 500, end: null, cuts: [] });
    expect([nextKept(kept, 490, 25), nextKept(kept, 450, 25)]).toEqual([490, 500]);
  });

  test('an address names the segment, whatever the playlist leaves out', () => {
    const text = [
      '#EXTM3U',
      '#EXT-X-MAP:URI="init-1.mp4?sign=a"',
      '#EXTINF:2.00000,',
      'segment-1-1.m4s?sign=a',
      '#EXT-X-DISCONTINUITY',
      '#EXTINF:2.00000,',
      'segment-2-6.m4s?sign=a',
      '#EXT-X-ENDLIST',
    ].join('\n');
    const placed = placedOf(segments, listedIn(text));
    expect(placed).toEqual([
      { start: 0, duration: 2_000, at: 2_000 },
      { start: 2_000, duration: 2_000, at: 17_000 },
    ]);
    expect([mediaTimeOf(placed, 3_000), mediaTimeOf(placed, 9_000), mediaTimeOf(placed, 18_000)]).toEqual([
      1_000, 2_000, 3_000,
    ]);
    expect([clockOf(placed, 1_000), clockOf(placed, 2_500)]).toEqual([3_000, 17_500]);
  });
});

describe('an edit', () => {
  const last = 60_000;
  test('edges move as far as the others allow', () => {
    const edit = moved(moved(NO_EDIT, 'start', 5_000, last), 'end', 1_000, last);
    expect(edit).toEqual({ start: 5_000, end: 5_500, cuts: [] });
    expect(moved(edit, 'end', 70_000, last).end).toBeNull();
    expect(moved(edit, 'start', -1, last).start).toBeNull();
  });

  test('cuts that meet are stored as one, and none as no edit', () => {
    const twice = withCut(withCut(NO_EDIT, 20_000, last), 12_000, last);
    expect(tidy(twice)).toEqual({ start: null, end: null, cuts: [{ from: 12_000, to: 30_000 }] });
    expect(tidy(withoutCut(withoutCut(twice, 0), 0))).toBeNull();
    expect(moved(twice, { cut: 0, edge: 'to' }, 1_000, last).cuts[0]).toEqual({ from: 20_000, to: 20_500 });
  });

  test.each([
    ['75', 75_000],
    ['1:15.5', 75_500],
    ['1:02:09', 3_729_000],
    ['abc', null],
    ['1:', null],
  ])('reads %s as a time', (words, time) => {
    expect(timeOf(words)).toBe(time);
  });

  test('times are written as they are read', () => {
    expect([clockWords(75_549, true), clockWords(3_729_000), clockWords(-5)]).toEqual(['1:15.5', '1:02:09', '0:00']);
  });
});

test('base info is empty before a recording is known', () => {
  expect(baseInfoOf(undefined)).toEqual(NO_BASE_INFO);
  expect(NO_BASE_INFO).toEqual({ startTime: null, subject: '', setting: null, mulpitleAuth: false, authResult: false });
});

describe('signatures', () => {
  const playback = (sign: string): Playback => ({ sign, expiresAt: '', watermark: null });
  test('one signature serves until it is old, and requests at the same time share its renewal', async () => {
    let now = 0;
    let calls = 0;
    const signer = new Signer(
      () => Promise.resolve(playback(`s${(calls += 1)}`)),
      () => now,
    );
    const both = await Promise.all([signer.playback(), signer.playback()]);
    expect(both.map(({ sign }) => sign)).toEqual(['s1', 's1']);
    now = 35_000;
    expect((await signer.playback()).sign).toBe('s1');
    now = 37_000;
    expect((await signer.playback()).sign).toBe('s2');
  });

  test('a refusal is not kept', async () => {
    const answers = [Promise.reject(new Error('refused')), Promise.resolve(playback('s'))];
    answers[0]?.catch(() => undefined);
    const signer = new Signer(
      () => answers.shift() ?? Promise.reject(new Error('asked too often')),
      () => 0,
    );
    await expect(signer.playback()).rejects.toThrow('refused');
    expect((await signer.playback()).sign).toBe('s');
  });
});

describe('the meeting as it was seen', () => {
  const speaking = [
    { termId: 'Ta', name: 'Alice', spans: [{ from: 0, to: 4_000 }] },
    { termId: 'Tb', name: 'Bob', spans: [{ from: 6_000, to: 9_000 }] },
  ];
  const track = (termId: string, kind: 'camera' | 'screen', from: number): RecordingTrack => ({
    id: `${kind}-${termId}`,
    kind,
    termId,
    name: termId,
    segments: [{ number: 1, init: 1, at: from, duration: 20_000 - from, bytes: 1 }],
  });
  const arrived = (termId: string, seat: number): ConferenceControl['terminals'][string] => ({
    name: termId,
    role: 'member',
    present: true,
    seat,
    muted: false,
    unmuteAsked: false,
    cameraOff: false,
    volume: 100,
    maxHeight: null,
    top: false,
    contentOff: false,
    contentAsked: false,
    layout: null,
    banner: null,
  });
  const first: ConferenceControl = {
    ...beginningControl({ muteOnEntry: false, template: 'standard' }),
    mode: 'AUTO',
    terminals: { Ta: arrived('Ta', 1), Tb: arrived('Tb', 2) },
  };
  const screen = { width: 1_280, height: 720 };

  test('the floor follows the rule of the meeting', () => {
    const floor = floorOf(speaking);
    expect(lastAt(floor, 500)?.speakers).toEqual([]);
    expect(lastAt(floor, 1_000)?.speakers).toEqual(['Ta']);
    expect(lastAt(floor, 8_000)?.speakers).toEqual(['Tb', 'Ta']);
  });

  test('steps of the log apply from their time on', () => {
    const later = { ...first, version: 1, mode: 'EQUAL' as const };
    const states = statesOf({ first, steps: [{ at: 5_000, version: 1, changes: controlChanges(first, later) }] });
    expect(lastAt(states, 4_999)?.control.mode).toBe('AUTO');
    expect(lastAt(states, 5_000)?.control.mode).toBe('EQUAL');
  });

  test('a shared screen takes the stage, and a person without a picture has a name card', () => {
    const seen = {
      tracks: [track('Ta', 'camera', 0), track('Tb', 'screen', 10_000)],
      states: [{ at: 0, control: first }],
      floor: floorOf(speaking),
    };
    expect(seenAt(seen, 1_000, screen).map(({ key, track: of }) => [key, of?.id])).toEqual([
      ['Ta', 'camera-Ta'],
      ['Tb', undefined],
    ]);
    expect(seenAt(seen, 11_000, screen)[0]).toMatchObject({ key: 'Tb-screen', area: 'stage', name: 'Tb' });
  });

  test('a picture stays between two segments, whose times are whole ms', () => {
    const camera = track('Ta', 'camera', 0);
    const stored = { init: 1, bytes: 1 };
    const two: RecordingSegment[] = [
      { ...stored, number: 1, at: 0, duration: 5_999.44 },
      { ...stored, number: 2, at: 6_000, duration: 6_000 },
    ];
    const seen = { tracks: [{ ...camera, segments: two }], states: [{ at: 0, control: first }], floor: [] };
    const pictureAt = (time: number) => seenAt(seen, time, screen).find(({ key }) => key === 'Ta')?.track?.id;
    for (const time of [5_999.4, 5_999.7, 6_000]) expect(pictureAt(time), `at ${time}`).toBe('camera-Ta');
    expect(pictureAt(12_002)).toBeUndefined();
  });

  test('of more than nine people, those with a camera are shown', () => {
    const ids = Array.from({ length: 12 }, (_, at) => `T${at}`);
    const control = { ...first, terminals: Object.fromEntries(ids.map((id, at) => [id, arrived(id, at)])) };
    const seen = {
      tracks: ids.slice(3).map((id) => track(id, 'camera', 0)),
      states: [{ at: 0, control }],
      floor: [],
    };
    expect(seenAt(seen, 0, screen).map(({ termId }) => termId)).toEqual(ids.slice(3));
  });

  test('a picture that is far away is sent to its place, one that is near changes its speed', () => {
    expect(correctionOf(1, 2, true)).toEqual({ seek: true, rate: 2 });
    expect(correctionOf(0.1, 2, true)).toEqual({ seek: false, rate: 2.2 });
    expect(correctionOf(0.01, 1, true)).toEqual({ seek: false, rate: 1 });
    expect(correctionOf(0.1, 1, false)).toEqual({ seek: true, rate: 1 });
  });
});
