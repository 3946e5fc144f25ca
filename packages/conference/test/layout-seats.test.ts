import { describe, expect, test } from 'vitest';
import {
  seatCount,
  SCREEN_MODELS,
  type ConferenceCommand,
  type LayoutCell,
  type LayoutInput,
  type ScreenModel,
  type SeatPlace,
} from '../src/index.ts';
import { laidOut, polls, seated, speaks, turnOf } from './game.ts';
import { crowd, DESK, layout, PEOPLE, seatsOf, type Case } from './pictures.ts';

type Box = Pick<LayoutCell, 'x' | 'y' | 'width' | 'height'>;
const SCREENS = {
  wide: DESK,
  phone: { width: 390, height: 760, phone: true },
  square: { width: 900, height: 900 },
  panorama: { width: 3_440, height: 900 },
};
const PLACES: SeatPlace[] = [
  { x: 0, y: 0, width: 0.5, height: 1 },
  { x: 0.5, y: 0, width: 0.5, height: 0.5 },
  { x: 0.5, y: 0.5, width: 0.5, height: 0.5 },
];
const by = (model: ScreenModel) => ({ ...laidOut(model), places: model === 'CUSTOM' ? PLACES : [] });
const overlaps = (a: Box, b: Box): boolean =>
  a.x + a.width > b.x + 0.001 &&
  b.x + b.width > a.x + 0.001 &&
  a.y + a.height > b.y + 0.001 &&
  b.y + b.height > a.y + 0.001;
const isWithin = ({ x, y, width, height }: Box): boolean =>
  x >= -0.001 && y >= -0.001 && x + width <= 1.001 && y + height <= 1.001;
const SEATED = SCREEN_MODELS.filter((model) => model !== 'AUTO' && model !== '1+N');

describe.each(Object.entries(SCREENS))('on a %s screen', (_, screen) => {
  const aspect = ({ width, height }: Box): number => (width * screen.width) / (height * screen.height);
  const pairs = (boxes: readonly Box[]): [Box, Box][] =>
    boxes.flatMap((a, at) => boxes.slice(at + 1).map((b): [Box, Box] => [a, b]));

  test.each(SEATED)(
    'the layout %s has all its seats within the screen, none over another, each in its order',
    (model) => {
      const most = seatCount({ model, places: PLACES }) ?? 0;
      const { cells, empty, hidden, pages } = layout({ terminals: crowd(30), commands: [by(model)], screen });
      expect([cells.map(({ seat }) => seat), empty, pages]).toEqual([
        Array.from({ length: most }, (__, at) => at + 1),
        [],
        1,
      ]);
      expect([cells.length + hidden.length, new Set([...cells.map(({ key }) => key), ...hidden]).size]).toEqual([
        30, 30,
      ]);
      expect(cells.every(isWithin)).toBe(true);
      expect(pairs(cells).some(([a, b]) => overlaps(a, b))).toBe(model === 'PIP');
      if (model === 'CUSTOM') expect(cells.map(({ x, y, width, height }) => ({ x, y, width, height }))).toEqual(PLACES);
      else for (const cell of cells) expect(aspect(cell)).toBeGreaterThan(0.74);
      if (model !== 'CUSTOM') for (const cell of cells) expect(aspect(cell)).toBeLessThan(1.8);
    },
  );

  test.each(SEATED)('the layout %s without terminals has its seats in the same places, empty', (model) => {
    const placeOf = ({ seat, x, y, width, height }: Box & { seat?: number }) => ({ seat, x, y, width, height });
    const full = layout({ terminals: crowd(30), commands: [by(model)], screen }).cells.map(placeOf);
    expect(layout({ terminals: [], commands: [by(model)], screen }).empty.map(placeOf)).toEqual(full);
  });

  test('the larger seats come first', () => {
    for (const model of ['6', '8', '13'] as const) {
      const areas = layout({ terminals: crowd(30), commands: [by(model)], screen }).cells.map(
        ({ width, height }) => width * height,
      );
      expect(areas[0], model).toBeGreaterThan(3 * (areas[1] ?? 0));
      expect(
        areas.slice(1).every((area) => Math.abs(area - (areas[1] ?? 0)) < 1e-9),
        model,
      ).toBe(true);
    }
  });

  test('the smaller picture of PIP lies within the larger one', () => {
    const [outer, inner] = layout({ commands: [by('PIP')], screen }).cells;
    if (!outer || !inner) throw new Error('PIP has two pictures');
    expect(
      inner.x > outer.x &&
        inner.y > outer.y &&
        inner.x + inner.width < outer.x + outer.width &&
        inner.y + inner.height < outer.y + outer.height,
    ).toBe(true);
  });

  test.each(['RIGHT', 'LEFT', 'BOTTOM'] as const)(
    'content docked %s covers no picture of any layout, and no seat',
    (position) => {
      for (const model of SCREEN_MODELS) {
        const { cells, empty } = layout({
          sharing: ['bob'],
          commands: [by(model), { verb: 'window', position }],
          screen,
        });
        const [window, ...pictures] = cells;
        if (!window) throw new Error('no window');
        const why = `${model} ${position}`;
        expect([window.key, window.area, window.ask], why).toEqual(['bob-screen', 'window', 720]);
        expect(pictures.length, why).toBeGreaterThan(0);
        expect([window, ...pictures, ...empty].every(isWithin), why).toBe(true);
        expect(
          [...pictures, ...empty].some((box) => overlaps(box, window)),
          why,
        ).toBe(false);
        const isBelow = position === 'BOTTOM' || screen.height > screen.width;
        expect([window.y > 0, window.x > 0], why).toEqual([isBelow, !isBelow && position === 'RIGHT']);
      }
    },
  );
});

test('two pictures are one above the other on an upright screen, beside each other on a wide one', () => {
  const [first, second] = layout({ commands: [by('2')], screen: SCREENS.phone }).cells;
  expect([first?.x === second?.x, (first?.y ?? 0) < (second?.y ?? 0)]).toEqual([true, true]);
  const [left, right] = layout({ commands: [by('2')] }).cells;
  expect([left?.y === right?.y, (left?.x ?? 0) < (right?.x ?? 0)]).toEqual([true, true]);
});

describe('the seats of terminals', () => {
  const four = by('4');
  const named = (...seats: [number, string][]): ConferenceCommand =>
    seated(seats.map(([seat, source]) => ({ seat, source })));
  test.each<[string, Case, string]>([
    ['all in order', { commands: [four] }, '1: chair, 2: alice, 3: bob, 4: carol'],
    ['fewer terminals than seats', { commands: [by('6')] }, '1: chair, 2: alice, 3: bob, 4: carol, 5: -, 6: -'],
    [
      'in the order of the chair',
      { commands: [four, { verb: 'sort', termIds: ['carol', 'bob'] }] },
      '1: carol, 2: bob, 3: chair, 4: alice',
    ],
    [
      'terminals on top first',
      { commands: [four, { verb: 'top', termId: 'bob', top: true }] },
      '1: bob, 2: chair, 3: alice, 4: carol',
    ],
    ['the terminal on air first', { commands: [four, speaks('bob')] }, '1: bob, 2: chair, 3: alice, 4: carol'],
    ['the active speaker first', { commands: [four], speakers: ['carol'] }, '1: carol, 2: chair, 3: alice, 4: bob'],
    [
      'named terminals in their seats, the others after them',
      { commands: [four, named([3, 'alice'], [1, 'carol'])] },
      '1: carol, 2: chair, 3: alice, 4: bob',
    ],
    [
      'named terminals although another one is on air',
      { commands: [by('2'), named([1, 'carol'], [2, 'alice']), speaks('bob')] },
      '1: carol, 2: alice',
    ],
    [
      'an empty seat for an absent terminal',
      {
        commands: [four, named([2, 'bob'])],
        terminals: ['chair', 'alice', 'bob', 'carol'].filter((id) => id !== 'bob'),
      },
      '1: chair, 2: -, 3: alice, 4: carol',
    ],
    ['the viewer last', { commands: [by('2')], me: 'chair' }, '1: alice, 2: bob'],
    ['the viewer last, if there is room', { commands: [four], me: 'chair' }, '1: alice, 2: bob, 3: carol, 4: chair'],
    [
      'the viewer in the assigned seat',
      { commands: [by('2'), named([1, 'chair'])], me: 'chair' },
      '1: chair, 2: alice',
    ],
    ['the viewer last although on air', { commands: [by('2'), speaks('chair')], me: 'chair' }, '1: alice, 2: bob'],
    [
      'a speaker in the place of a silent terminal',
      { commands: [by('3'), speaks('chair')], terminals: crowd(6).with(0, 'chair'), speakers: ['t5'] },
      '1: chair, 2: t1, 3: t5',
    ],
    [
      'the terminal on air',
      { commands: [four, named([2, 'SPEAKER']), speaks('bob')] },
      '1: chair, 2: bob, 3: alice, 4: carol',
    ],
    [
      'an empty seat if no terminal is on air',
      { commands: [four, named([2, 'SPEAKER'])] },
      '1: chair, 2: -, 3: alice, 4: bob',
    ],
    [
      'the terminal in turn',
      { commands: [four, named([4, 'POLL']), polls(), turnOf('alice', 'bob')] },
      '1: chair, 2: bob, 3: carol, 4: alice',
    ],
    [
      'an empty seat before the first turn',
      { commands: [four, named([4, 'POLL']), polls()] },
      '1: chair, 2: alice, 3: bob, 4: -',
    ],
    [
      'the terminal in turn although named elsewhere',
      { commands: [four, named([1, 'alice'], [4, 'POLL']), polls(), turnOf('alice', 'bob')] },
      '1: -, 2: chair, 3: bob, 4: alice',
    ],
    [
      'the terminal in turn although on air elsewhere',
      { commands: [four, named([1, 'SPEAKER'], [4, 'POLL']), speaks('alice'), polls(), turnOf('alice', 'bob')] },
      '1: -, 2: chair, 3: bob, 4: alice',
    ],
    [
      'content in its seat',
      { commands: [four, named([1, 'CONTENT'])], sharing: ['bob'] },
      '1: bob-screen, 2: chair, 3: alice, 4: bob',
    ],
    ['nothing in the seat of content', { commands: [four, named([1, 'CONTENT'])] }, '1: -, 2: chair, 3: alice, 4: bob'],
    [
      'the content that began last',
      { commands: [four, named([1, 'CONTENT'])], sharing: ['bob', 'carol'] },
      '1: carol-screen, 2: chair, 3: alice, 4: bob',
    ],
    [
      'content beside the seats',
      { commands: [four], sharing: ['bob'] },
      '1: chair, 2: alice, 3: bob, 4: carol + bob-screen',
    ],
    [
      'no content if its window is hidden',
      { commands: [four, { verb: 'window', position: 'HIDDEN' }], sharing: ['bob'] },
      '1: chair, 2: alice, 3: bob, 4: carol',
    ],
    [
      'content in its seat although the window is hidden',
      { commands: [four, named([1, 'CONTENT']), { verb: 'window', position: 'HIDDEN' }], sharing: ['bob'] },
      '1: bob-screen, 2: chair, 3: alice, 4: bob',
    ],
    [
      'the content of the terminal it is locked to',
      { commands: [four, { verb: 'contentLock', termId: 'bob' }], sharing: ['bob', 'carol'] },
      '1: chair, 2: alice, 3: bob, 4: carol + bob-screen',
    ],
    [
      'no content except that of the terminal it is locked to',
      { commands: [four, { verb: 'contentLock', termId: 'alice' }], sharing: ['bob', 'carol'] },
      '1: chair, 2: alice, 3: bob, 4: carol',
    ],
  ])('%s', (_, input, expected) => expect(seatsOf(input)).toBe(expected));

  test('an empty seat says for whom it is', () => {
    const { empty } = layout({ commands: [four, named([2, 'SPEAKER'], [3, 'dave'])], terminals: ['chair'] });
    expect(empty.map(({ seat, source }) => [seat, source])).toEqual([
      [2, 'SPEAKER'],
      [3, 'dave'],
      [4, null],
    ]);
  });

  test('the own picture is not requested, the others as large as their seats', () => {
    const { cells } = layout({ commands: [by('6')], me: 'carol' });
    expect(cells.map(({ key, ask }) => [key, ask])).toEqual([
      ['chair', 720],
      ['alice', 360],
      ['bob', 360],
      ['carol', 0],
    ]);
  });
});

describe('one large picture with all others', () => {
  const oneAndAll = by('1+N');
  const shown = (input: Case): string => {
    const { cells } = layout({ ...input, commands: [oneAndAll, ...(input.commands ?? [])] });
    return cells
      .map(({ key, area, seat }) => (area === 'window' ? `(${key})` : seat === 1 ? `${key} |` : key))
      .join(' ');
  };
  const large = (source: string): ConferenceCommand => seated([{ seat: 1, source }]);
  test.each<[string, Case, string]>([
    ['the first one if no one speaks', {}, 'chair | alice bob carol'],
    ['another terminal than the viewer', { me: 'chair' }, 'alice | chair bob carol'],
    ['the terminal on air', { commands: [speaks('bob')] }, 'bob | chair alice carol'],
    ['the terminal seated there', { commands: [large('carol'), speaks('bob')] }, 'carol | chair alice bob'],
    [
      'the terminal on air if the one seated there is absent',
      { commands: [large('dave'), speaks('bob')] },
      'bob | chair alice carol',
    ],
    ['the terminal in turn', { commands: [large('POLL'), polls(), turnOf('bob', 'carol')] }, 'bob | chair alice carol'],
    ['content', { sharing: ['bob'] }, 'bob-screen | chair alice bob carol'],
    ['content in its seat', { commands: [large('CONTENT')], sharing: ['bob'] }, 'bob-screen | chair alice bob carol'],
    [
      'content in its seat although a window is docked',
      { commands: [large('CONTENT'), { verb: 'window', position: 'RIGHT' }], sharing: ['bob'] },
      'bob-screen | chair alice bob carol',
    ],
    [
      'content in the window',
      { commands: [large('carol'), { verb: 'window', position: 'RIGHT' }], sharing: ['bob'] },
      '(bob-screen) carol | chair alice',
    ],
    ['a pinned picture', { pinned: ['bob'] }, 'bob | chair alice carol'],
  ])('%s', (_, input, expected) => expect(shown(input)).toBe(expected));
});

describe("a layout of one's own", () => {
  const own = (model: ScreenModel): ConferenceCommand => ({
    verb: 'terminalLayout',
    termId: 'carol',
    layout: { model, places: [], seats: [] },
  });
  const modelOf = (input: Case): string => layout(input).model;
  test.each<[string, Case, string]>([
    ['applies to one terminal, on its screen', { commands: [by('9'), own('4')], me: 'carol' }, '4'],
    ['does not apply to others', { commands: [by('9'), own('4')], me: 'bob' }, '9'],
    ['does not apply to an onlooker', { commands: [by('9'), own('4')] }, '9'],
    ['is AUTO if the viewer prefers it', { commands: [by('9')], me: 'bob', ownView: true }, 'AUTO'],
    [
      'is AUTO even for a terminal with a layout of its own',
      { commands: [by('9'), own('4')], me: 'carol', ownView: true },
      'AUTO',
    ],
    [
      'cannot be chosen if the chair does not allow it',
      { commands: [{ ...by('9'), allowOwnLayout: false }], me: 'bob', ownView: true },
      '9',
    ],
  ])('%s', (_, input, expected) => expect(modelOf(input)).toBe(expected));

  test('nothing is pinned if the chair does not allow it', () => {
    const input: Case = { me: 'bob', pinned: ['carol'] };
    expect(layout(input).cells[0]).toMatchObject({ key: 'carol', area: 'stage' });
    expect(layout({ ...input, commands: [{ ...laidOut('AUTO'), allowOwnLayout: false }] }).cells[0]).toMatchObject({
      key: 'bob',
      area: 'grid',
    });
  });

  test('content that is locked to another terminal is not shown to its owner either', () => {
    const input = (me: LayoutInput['me']): Case => ({
      commands: [by('2'), { verb: 'contentLock', termId: 'bob' }],
      sharing: ['carol'],
      me,
    });
    expect(PEOPLE.map((me) => seatsOf(input(me)).includes('screen'))).toEqual([false, false, false, false]);
  });
});
