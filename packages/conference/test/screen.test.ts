import { describe, expect, test } from 'vitest';
import {
  applyCommand,
  AUTO_LAYOUT,
  banner,
  bannerInput,
  bannerOf,
  hasPollSeat,
  nameableSeats,
  SCREEN_MODELS,
  screenLayout,
  seatCount,
  seatPlace,
  seatsWithin,
  withModel,
  type ConferenceCommand,
  type SceneSettings,
  type ScreenLayout,
  type ScreenSeat,
  type SeatPlace,
} from '../src/index.ts';
import { AN_ID, CAPTION, depart, four, laidOut, moment, mute, play, polls, seated, speaks, turnOf } from './game.ts';

const places: SeatPlace[] = [
  { x: 0, y: 0, width: 0.5, height: 1 },
  { x: 0.5, y: 0, width: 0.5, height: 1 },
];
const of = (model: ScreenLayout['model'], ...seats: [number, string][]): ScreenLayout => ({
  model,
  places: model === 'CUSTOM' ? places : [],
  seats: seats.map(([seat, source]) => ({ seat, source })),
});

describe('seats of a layout', () => {
  test.each<[ScreenLayout['model'], number | null, number]>([
    ['AUTO', null, 0],
    ['1', 1, 1],
    ['2', 2, 2],
    ['3', 3, 3],
    ['4', 4, 4],
    ['6', 6, 6],
    ['8', 8, 8],
    ['9', 9, 9],
    ['13', 13, 13],
    ['16', 16, 16],
    ['25', 25, 25],
    ['1+N', null, 1],
    ['PIP', 2, 2],
    ['CUSTOM', 2, 2],
  ])('%s: %s, of which %i can be named', (model, count, nameable) =>
    expect([seatCount(of(model)), nameableSeats(of(model))]).toEqual([count, nameable]),
  );

  test.each<[string, ScreenLayout['model'], ScreenSeat[], string]>([
    [
      'that it has not are left out',
      '2',
      [
        { seat: 1, source: 'alice' },
        { seat: 3, source: 'bob' },
      ],
      '1 alice',
    ],
    [
      'are in order',
      '4',
      [
        { seat: 4, source: 'alice' },
        { seat: 2, source: 'POLL' },
      ],
      '2 POLL, 4 alice',
    ],
    [
      'named twice go to the last one',
      '4',
      [
        { seat: 2, source: 'alice' },
        { seat: 2, source: 'bob' },
      ],
      '2 bob',
    ],
    [
      'of one who is named twice: the last one',
      '4',
      [
        { seat: 1, source: 'alice' },
        { seat: 2, source: 'bob' },
        { seat: 3, source: 'alice' },
      ],
      '2 bob, 3 alice',
    ],
    [
      'show whose turn it is in one alone',
      '4',
      [
        { seat: 1, source: 'POLL' },
        { seat: 2, source: 'POLL' },
      ],
      '2 POLL',
    ],
    ['cannot be named in AUTO', 'AUTO', [{ seat: 1, source: 'alice' }], ''],
    [
      'but the large one fill by themselves in 1+N',
      '1+N',
      [
        { seat: 1, source: 'alice' },
        { seat: 2, source: 'bob' },
      ],
      '1 alice',
    ],
    [
      'are those of CUSTOM',
      'CUSTOM',
      [
        { seat: 2, source: 'alice' },
        { seat: 3, source: 'bob' },
      ],
      '2 alice',
    ],
  ])('%s', (_, model, seats, expected) =>
    expect(
      seatsWithin(of(model), seats)
        .map(({ seat, source }) => `${seat} ${source}`)
        .join(', '),
    ).toBe(expected),
  );

  test.each<[string, SeatPlace, boolean]>([
    ['the whole screen', { x: 0, y: 0, width: 1, height: 1 }, true],
    ['thirds, however they are rounded', { x: 0.6667, y: 0, width: 0.3334, height: 0.3333 }, true],
    ['beyond the right edge', { x: 0.6, y: 0, width: 0.5, height: 0.5 }, false],
    ['beyond the bottom', { x: 0, y: 0.8, width: 0.5, height: 0.3 }, false],
    ['too small to see', { x: 0, y: 0, width: 0.04, height: 0.5 }, false],
  ])('are at the places set by the chair: %s', (_, place, isPlace) =>
    expect(seatPlace.safeParse(place).success).toBe(isPlace),
  );

  test('are 25 at most', () =>
    expect(
      screenLayout.safeParse({ ...of('CUSTOM'), places: Array.from({ length: 26 }, () => places[0]) }).success,
    ).toBe(false));
  test('are of models the schema knows', () =>
    expect(SCREEN_MODELS.every((model) => screenLayout.safeParse(of(model)).success)).toBe(true));
});

describe('another model', () => {
  const nine = of('9', [1, 'SPEAKER'], [3, 'alice'], [5, 'POLL'], [9, 'bob']);
  test('keeps terminals seated by hand if it has their seats', () => {
    expect(withModel(nine, '4', [], undefined)).toEqual(of('4', [1, 'SPEAKER'], [3, 'alice']));
    expect(withModel(nine, '25', [], undefined)).toEqual({ ...nine, model: '25' });
    expect(withModel(nine, 'AUTO', [], undefined)).toEqual(AUTO_LAYOUT);
  });
  test('polls in another seat, in none, or in the same one', () => {
    expect(withModel(nine, '9', [], 3)).toEqual(of('9', [1, 'SPEAKER'], [3, 'POLL'], [9, 'bob']));
    expect(withModel(nine, '9', [], null)).toEqual(of('9', [1, 'SPEAKER'], [3, 'alice'], [9, 'bob']));
    expect(hasPollSeat(withModel(nine, '6', [], undefined))).toBe(true);
    expect(hasPollSeat(withModel(nine, '4', [], undefined))).toBe(false);
  });
  test('has places of its own if it is CUSTOM, and only then', () => {
    expect(withModel(nine, 'CUSTOM', places, 2)).toEqual({
      model: 'CUSTOM',
      places,
      seats: [
        { seat: 1, source: 'SPEAKER' },
        { seat: 2, source: 'POLL' },
      ],
    });
    expect(withModel(of('CUSTOM', [2, 'bob']), '4', places, undefined)).toEqual(of('4', [2, 'bob']));
  });
});

describe('commands of layouts', () => {
  test('change the layout of all, and the right to leave it', () => {
    const after = play([{ ...laidOut('9', 4), allowOwnLayout: false }, laidOut('16')], four);
    expect([after.layout, after.allowOwnLayout]).toEqual([of('16', [4, 'POLL']), false]);
  });
  test('seat terminals in the layout of all', () => {
    expect(
      play(
        [
          laidOut('4'),
          seated([
            { seat: 2, source: 'bob' },
            { seat: 9, source: 'alice' },
          ]),
        ],
        four,
      ).layout,
    ).toEqual(of('4', [2, 'bob']));
  });
  test('seat terminals for one terminal, whose layout begins as the common one', () => {
    const after = play([laidOut('4'), seated([{ seat: 2, source: 'bob' }], 'carol'), laidOut('9')], four);
    expect([after.layout, after.terminals['carol']?.layout, after.terminals['bob']?.layout]).toEqual([
      of('9'),
      of('4', [2, 'bob']),
      null,
    ]);
  });
  test('give one terminal a layout, and the common one back', () => {
    const own: ConferenceCommand = {
      verb: 'terminalLayout',
      termId: 'carol',
      layout: {
        model: '2',
        places,
        seats: [
          { seat: 1, source: 'bob' },
          { seat: 3, source: 'alice' },
        ],
      },
    };
    const after = applyCommand(four, own);
    expect([after.terminals['carol']?.layout, after.layout]).toEqual([of('2', [1, 'bob']), AUTO_LAYOUT]);
    expect(
      applyCommand(after, { verb: 'terminalLayout', termId: 'carol', layout: null }).terminals['carol']?.layout,
    ).toBeNull();
  });
  test('dock the window, lock content, hold the second stream', () => {
    const after = play(
      [
        { verb: 'window', position: 'BOTTOM' },
        { verb: 'contentLock', termId: 'bob' },
        { verb: 'dualStream', termId: 'carol', open: false },
        { verb: 'dualStream', termId: 'bob', open: true },
      ],
      four,
    );
    expect([after.window, after.contentLockId]).toEqual(['BOTTOM', 'bob']);
    expect([after.terminals['carol'], after.terminals['bob']]).toMatchObject([
      { contentOff: true, contentAsked: false },
      { contentOff: false, contentAsked: true },
    ]);
    expect(applyCommand(after, depart('bob')).terminals['bob']?.contentAsked).toBe(false);
  });
});

describe('a banner', () => {
  const at = new Date(moment(0));
  test('keeps its lines, and ends when its time is over', () => {
    const shown = bannerOf(
      {
        ...CAPTION,
        text: ' 第一行\n  Second line ',
        seconds: 90,
        scroll: 'UP',
        position: 'TOP',
        size: 'LARGE',
        language: 'zh',
      },
      at,
    );
    expect(shown).toEqual({
      text: ' 第一行\n  Second line ',
      scroll: 'UP',
      position: 'TOP',
      size: 'LARGE',
      language: 'zh',
      since: moment(0),
      until: moment(90),
    });
    expect(banner.parse(shown)).toEqual(shown);
  });
  test('stays if it has no time', () => expect(bannerOf({ ...CAPTION, text: 'Break' }, at)?.until).toBeNull());
  test.each(['', '   ', '\n\t\n'])('%j clears it', (text) => expect(bannerOf({ ...CAPTION, text }, at)).toBeNull());
  test('requires nothing but a text', () => {
    expect(bannerInput.parse({})).toEqual({
      text: '',
      position: 'BOTTOM',
      size: 'MEDIUM',
      scroll: 'NONE',
      language: 'zh',
      seconds: 0,
    });
    for (const wrong of [
      { text: 'x'.repeat(2_001) },
      { seconds: -1 },
      { seconds: 86_401 },
      { seconds: 1.5 },
      { position: 'LEFT' },
      { size: 'HUGE' },
      { scroll: 'DOWN' },
      { language: 'de' },
    ])
      expect(bannerInput.safeParse(wrong).success, JSON.stringify(wrong)).toBe(false);
  });
  test('is for all, or for one terminal, each on its own', () => {
    const [all, one] = [bannerOf({ ...CAPTION, text: 'all' }, at), bannerOf({ ...CAPTION, text: 'one' }, at)];
    const after = play(
      [
        { verb: 'banner', termId: null, banner: all },
        { verb: 'banner', termId: 'bob', banner: one },
      ],
      four,
    );
    expect([after.banner, after.terminals['bob']?.banner, after.terminals['carol']?.banner]).toEqual([all, one, null]);
    const cleared = applyCommand(after, { verb: 'banner', termId: null, banner: null });
    expect([cleared.banner, cleared.terminals['bob']?.banner]).toEqual([null, one]);
  });
});

describe('a scene', () => {
  const settings: SceneSettings = {
    layout: of('9', [1, 'SPEAKER'], [2, 'alice'], [3, 'POLL']),
    window: 'LEFT',
    mode: 'SPEAKER',
    speakerId: 'bob',
    muted: { alice: true, carol: false },
    locked: true,
    contentLockId: 'carol',
    banner: bannerOf({ ...CAPTION, text: 'Part one' }, new Date(moment(0))),
  };
  const scene = (more: Partial<SceneSettings> = {}): ConferenceCommand => ({
    verb: 'scene',
    sceneId: AN_ID,
    name: 'Part one',
    settings: { ...settings, ...more },
  });

  test('applies all its settings in one command, and keeps the rest', () => {
    const before = play([mute(true, 'carol', 'bob'), { verb: 'camera', termIds: ['alice'], open: false }], four);
    const after = applyCommand(before, scene());
    const { muted: _, ...held } = settings;
    expect(after).toMatchObject({ ...held, version: before.version + 1, polling: null });
    expect(Object.fromEntries(Object.entries(after.terminals).map(([id, { muted }]) => [id, muted]))).toEqual({
      chair: false,
      alice: true,
      bob: true,
      carol: false,
    });
    expect(after.terminals['alice']?.cameraOff).toBe(true);
  });
  test('ends polling', () =>
    expect(play([laidOut('4', 1), polls(), turnOf('alice', 'bob'), scene()], four).polling).toBeNull());
  test('does not put an absent terminal on air', () =>
    expect(play([depart('bob'), scene()], four)).toMatchObject({ mode: 'AUTO', speakerId: null }));
  test('with another mode puts no named terminal on air', () =>
    expect(play([speaks('alice'), scene({ mode: 'EQUAL' })], four)).toMatchObject({ mode: 'EQUAL', speakerId: null }));
  test('of an earlier conference ignores seats and locks of unknown terminals', () => {
    const after = applyCommand(
      four,
      scene({ layout: of('9', [1, 'CONTENT'], [2, 'gone'], [3, 'bob']), contentLockId: 'gone' }),
    );
    expect([after.layout, after.contentLockId]).toEqual([of('9', [1, 'CONTENT'], [3, 'bob']), null]);
  });
  test('keeps the seat of a terminal that is away for a while', () =>
    expect(play([depart('alice'), scene()], four).layout).toEqual(settings.layout));
  test('ignores seats that its layout does not have', () =>
    expect(applyCommand(four, scene({ layout: of('2', [1, 'bob'], [2, 'bob'], [7, 'alice']) })).layout).toEqual(
      of('2', [2, 'bob']),
    ));
});
