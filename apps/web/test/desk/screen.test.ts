import {
  MOST_SEATS,
  SCREEN_MODELS,
  applyCommand,
  NO_CONTROL,
  nameableSeats,
  type ConferenceCommand,
  type ScreenLayout,
} from '@rmeet/conference';
import { describe, expect, test } from 'vitest';
import {
  drawnPlaces,
  firstPlaces,
  fromGrid,
  moved,
  resized,
  toGrid,
  withoutPlace,
  withPlace,
  type GridPlace,
} from '../../src/features/conferences/desk/screen/model/places.ts';
import { keepRecent, recentTexts, withRecent } from '../../src/features/conferences/desk/screen/model/recentTexts.ts';
import {
  chosen,
  freeSeat,
  layoutCommands,
  seated,
  vacated,
} from '../../src/features/conferences/desk/screen/model/seats.ts';
import type { T } from '../../src/features/conferences/desk/texts.tsx';
import { describeLogged } from '../../src/features/conferences/desk/describe.ts';
import { deskOf, step, terminal } from './support.ts';

const four: ScreenLayout = {
  model: '4',
  places: [],
  seats: [
    { seat: 1, source: 'alice' },
    { seat: 3, source: 'POLL' },
  ],
};
const place: GridPlace = { x: 2, y: 2, width: 4, height: 4 };

describe('a drawing', () => {
  test.each(SCREEN_MODELS)('of %s lies within the screen and holds every seat', (model) => {
    const layout = { model, places: model === 'CUSTOM' ? [fromGrid(place)] : [] };
    const drawn = drawnPlaces(layout);
    expect(drawn.length).toBeGreaterThanOrEqual(Math.max(1, nameableSeats(layout)));
    for (const { x, y, width, height } of drawn) {
      expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
      expect(Math.max(x + width, y + height)).toBeLessThanOrEqual(1.0001);
    }
  });
});

describe('who sits where', () => {
  test('a new participant takes an occupied seat', () => {
    expect(seated(four, 1, 'bob')).toEqual([
      { seat: 1, source: 'bob' },
      { seat: 3, source: 'POLL' },
    ]);
  });
  test('two seated terminals swap', () => {
    expect(seated(four, 3, 'alice')).toEqual([
      { seat: 1, source: 'POLL' },
      { seat: 3, source: 'alice' },
    ]);
  });
  test('a terminal that moves to a free seat leaves its old one', () => {
    expect(seated(four, 4, 'alice')).toEqual([
      { seat: 3, source: 'POLL' },
      { seat: 4, source: 'alice' },
    ]);
  });
  test('a seat can be cleared, and the first free one is found', () => {
    expect(vacated(four, 1)).toEqual([{ seat: 3, source: 'POLL' }]);
    expect(freeSeat(four)).toBe(2);
    expect(freeSeat({ model: '1', places: [], seats: [{ seat: 1, source: 'alice' }] })).toBeNull();
    expect(freeSeat({ model: 'AUTO', places: [], seats: [] })).toBeNull();
  });
});

describe('places', () => {
  test('stay on the screen however far they are moved', () => {
    expect(moved(place, -9, 99)).toEqual({ x: 0, y: 8, width: 4, height: 4 });
    expect(resized(place, 99, -99)).toEqual({ x: 2, y: 2, width: 10, height: 1 });
  });
  test('snap to the grid, and neighbours stay neighbours', () => {
    const fifths = firstPlaces({ model: '25', places: [], seats: [] }, []).map(toGrid);
    for (const [at, { x, width }] of fifths.slice(0, 4).entries()) expect(x + width).toBe(fifths[at + 1]?.x);
    expect(toGrid(fromGrid(place))).toEqual(place);
  });
  test('gain one in a free area, as large as possible', () => {
    expect(withPlace([{ x: 0, y: 0, width: 9, height: 12 }])[1]).toEqual({ x: 9, y: 0, width: 3, height: 3 });
    expect(withPlace([{ x: 0, y: 0, width: 12, height: 12 }])[1]).toEqual({ x: 4, y: 4, width: 4, height: 4 });
    const full = Array.from({ length: MOST_SEATS }, () => place);
    expect(withPlace(full)).toBe(full);
  });
  test('lose one while the terminals of later ones keep theirs', () => {
    const places = [0, 4, 8].map((x) => fromGrid({ x, y: 0, width: 4, height: 4 }));
    const layout = withoutPlace(
      {
        model: 'CUSTOM',
        places,
        seats: [
          { seat: 1, source: 'a' },
          { seat: 2, source: 'b' },
          { seat: 3, source: 'c' },
        ],
      },
      1,
    );
    expect(layout).toEqual({
      model: 'CUSTOM',
      places: [places[0], places[2]],
      seats: [
        { seat: 1, source: 'a' },
        { seat: 2, source: 'c' },
      ],
    });
  });
  test('of CUSTOM begin as last set, otherwise like the present layout, otherwise with one large', () => {
    const known = [fromGrid(place)];
    expect(firstPlaces(four, known)).toEqual(known);
    expect(firstPlaces(four, []).map(toGrid)).toEqual(
      [0, 6].flatMap((y) => [0, 6].map((x) => ({ x, y, width: 6, height: 6 }))),
    );
    expect(firstPlaces({ model: 'AUTO', places: [], seats: [] }, []).length).toBe(4);
  });
});

describe('the commands of a change', () => {
  const applied = (commands: readonly ConferenceCommand[], layout: ScreenLayout): ScreenLayout =>
    commands.reduce((control, command) => applyCommand(control, command), { ...NO_CONTROL, layout }).layout;

  test('set seats only, or another layout that keeps its seated terminals', () => {
    expect(layoutCommands(null, four, { ...four, seats: [] })).toEqual([{ verb: 'seats', termId: null, seats: [] }]);
    const two = chosen(four, '2', []);
    expect(two.seats).toEqual([{ seat: 1, source: 'alice' }]);
    expect(layoutCommands(null, four, two)).toEqual([{ verb: 'layout', model: '2', places: [] }]);
  });
  test('lead to the requested layout, also after removing a place', () => {
    const custom = chosen(four, 'CUSTOM', []);
    const without = withoutPlace(custom, 1);
    const commands = layoutCommands(null, custom, without);
    expect(commands.map(({ verb }) => verb)).toEqual(['layout', 'seats']);
    expect(applied(commands, custom)).toEqual(without);
  });
  test('concern one terminal if requested', () => {
    expect(layoutCommands('bob', four, { ...four, seats: [] })).toEqual([{ verb: 'seats', termId: 'bob', seats: [] }]);
    expect(layoutCommands('bob', four, chosen(four, '9', []))).toMatchObject([
      { verb: 'terminalLayout', termId: 'bob', layout: { model: '9', seats: four.seats } },
    ]);
  });
  test('restore CUSTOM as it last was in this conference', () => {
    const places = [fromGrid(place)];
    const commands = [
      { verb: 'layout', input: { model: '9', places: [] } },
      { verb: 'layout', input: { model: 'CUSTOM', places } },
    ];
    expect(chosen(four, 'CUSTOM', commands).places).toEqual(places);
  });
});

describe('recently sent captions', () => {
  test('are offered newest first, each once', () => {
    expect(withRecent(['a', 'b'], ' b ')).toEqual(['b', 'a']);
    expect(withRecent(['1', '2', '3', '4', '5', '6'], '7')).toEqual(['7', '1', '2', '3', '4', '5']);
  });
  test('are stored per meeting; unreadable ones count as none', () => {
    const kept = new Map<string, string>();
    const storage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    };
    keepRecent(storage, 'm1', ['a']);
    expect(recentTexts(storage, 'm1')).toEqual(['a']);
    expect(recentTexts(storage, 'm2')).toEqual([]);
    storage.setItem('deskCaptions:m1', 'not JSON');
    expect(recentTexts(storage, 'm1')).toEqual([]);
    keepRecent(
      {
        setItem: () => {
          throw new Error('full');
        },
      },
      'm1',
      ['a'],
    );
  });
});

describe('the description of a command', () => {
  const t = ((key: string, values: Record<string, unknown> = {}) =>
    [key, ...Object.values(values)].join(' ')) as unknown as T;
  const nameOf = (termId: string): string | null => (termId === 'bob' ? 'Bob' : null);
  const logged = (command: ConferenceCommand, withInput: boolean): string => {
    const before = deskOf(terminal('alice'), terminal('bob'));
    const told = step(before, command);
    return describeLogged(
      { ...told, input: withInput ? { ...command } : {}, acknowledgements: [], undoneBy: null, canUndo: true },
      nameOf,
      t,
    );
  };
  const banner = {
    text: 'Lunch\n  at noon',
    position: 'TOP',
    size: 'SMALL',
    scroll: 'NONE',
    language: 'en',
    since: '2026-11-20T09:00:00.000Z',
    until: null,
  } as const;

  // A command's input arrives after its changes: the log shows the same text both times.
  test.each([
    [{ verb: 'layout', model: '9', places: [] }, 'screen.did.layout screen.model.seats 9'],
    [
      { verb: 'terminalLayout', termId: 'bob', layout: { model: 'PIP', places: [], seats: [] } },
      'screen.did.layoutOf Bob screen.model.PIP',
    ],
    [{ verb: 'window', position: 'LEFT' }, 'screen.did.window screen.window.LEFT'],
    [{ verb: 'contentLock', termId: 'bob' }, 'screen.did.contentLock Bob'],
    [{ verb: 'dualStream', termId: 'bob', open: false }, 'screen.did.contentHold Bob'],
    [{ verb: 'dualStream', termId: 'bob', open: true }, 'screen.did.contentAsk Bob'],
    [{ verb: 'banner', termId: null, banner }, 'screen.did.banner Lunch at noon'],
    [{ verb: 'banner', termId: 'bob', banner }, 'screen.did.bannerOf Bob Lunch at noon'],
  ] as [ConferenceCommand, string][])('%o', (command, words) => {
    expect(logged(command, true)).toBe(words);
    expect(logged(command, false)).toBe(words);
  });
  test('covers the reverse commands', () => {
    expect(logged({ verb: 'terminalLayout', termId: 'bob', layout: null }, true)).toBe('screen.did.commonLayout Bob');
    expect(logged({ verb: 'contentLock', termId: null }, true)).toBe('screen.did.contentUnlock');
    expect(logged({ verb: 'banner', termId: null, banner: null }, true)).toBe('screen.did.bannerClear');
    expect(logged({ verb: 'banner', termId: 'bob', banner: null }, true)).toBe('screen.did.bannerClearOf Bob');
  });
});
