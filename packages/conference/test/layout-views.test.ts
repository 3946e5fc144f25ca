import { describe, expect, test } from 'vitest';
import { CORNERS, type ConferenceCommand, type LayoutCell } from '../src/index.ts';
import { crowd, layout, shape, type Case } from './pictures.ts';

const speaker = (termId: string): ConferenceCommand => ({ verb: 'speaker', termId });
const equal: ConferenceCommand = { verb: 'mode', mode: 'EQUAL', termId: null };
const seats: ConferenceCommand = { verb: 'layout', model: '4', places: [] };
const forbidden: ConferenceCommand = { verb: 'layout', model: 'AUTO', places: [], allowOwnLayout: false };

/** The space for pictures at 1440 × 900, 1024 × 768 and 390 × 844, without header and toolbar. */
const LARGE = { width: 1_424, height: 785 };
const MEDIUM = { width: 1_008, height: 653 };
const PHONE = { width: 374, height: 708, phone: true };

/** Width and height in pixels. */
const sizeOf = ({ width, height }: LayoutCell, screen: { width: number; height: number }) => ({
  width: width * screen.width,
  height: height * screen.height,
});

describe('cameras in a grid', () => {
  const counts = [1, 2, 3, 4, 5, 9, 16, 25, 49];
  const wide = [LARGE, MEDIUM].flatMap((screen) => counts.map((count) => ({ screen, count })));
  test.each(wide)('$count at $screen.width × $screen.height are 16:9, and as large as can be', ({ screen, count }) => {
    const { cells } = layout({ terminals: crowd(count), screen });
    for (const cell of cells) {
      const { width, height } = sizeOf(cell, screen);
      expect(width / height).toBeGreaterThan(16 / 9 - 0.03);
      expect(width / height).toBeLessThan(16 / 9 + 0.03);
    }
    const [shown] = cells;
    const widest = cells.map((_, at) => {
      const [columns, rows] = [at + 1, Math.ceil(cells.length / (at + 1))];
      const [cellWidth, cellHeight] = [
        (screen.width - 8 * (columns - 1)) / columns,
        (screen.height - 8 * (rows - 1)) / rows,
      ];
      return Math.floor(Math.min(cellWidth, (cellHeight * 16) / 9));
    });
    expect(shown && Math.round(sizeOf(shown, screen).width)).toBe(Math.max(...widest));
  });
  test('49 fit on one page at 1440 × 900', () => {
    expect(layout({ terminals: crowd(49), screen: LARGE })).toMatchObject({ pages: 1, cells: { length: 49 } });
  });

  test.each([
    [2, 1],
    [3, 1],
    [4, 2],
    [5, 2],
    [6, 2],
    [9, 2],
  ])('%i on a phone: %i in a row, about square, and more than half of the screen is used', (count, inRow) => {
    const { cells } = layout({ terminals: crowd(count), screen: PHONE });
    expect(cells).toHaveLength(count);
    expect(cells.filter(({ y }) => y === cells[0]?.y)).toHaveLength(inRow);
    for (const cell of cells) {
      const { width, height } = sizeOf(cell, PHONE);
      expect(width / height).toBeGreaterThan(0.74);
      expect(width / height).toBeLessThan(1.79);
    }
    expect(cells.reduce((sum, { width, height }) => sum + width * height, 0)).toBeGreaterThan(0.55);
  });
  test.each([374, 304])('many on a phone %i wide: two fill its width, the others are on further pages', (width) => {
    const { cells, pages } = layout({ terminals: crowd(30), screen: { ...PHONE, width } });
    expect(cells.filter(({ y }) => y === cells[0]?.y)).toHaveLength(2);
    expect((cells[0]?.width ?? 0) * 2).toBeGreaterThan(0.9);
    expect(pages).toBeGreaterThan(1);
  });
  test('one on a phone has the screen', () => {
    expect(layout({ terminals: ['alice'], me: 'alice', screen: PHONE }).cells).toMatchObject([
      { key: 'alice', width: 1 },
    ]);
  });
});

test('a camera on the stage is 16:9, content fills the whole stage', () => {
  const [camera] = layout({ speakers: ['bob'], screen: LARGE }).cells;
  const [content] = layout({ sharing: ['bob'], screen: LARGE }).cells;
  const size = camera && sizeOf(camera, LARGE);
  expect(size && size.width / size.height).toBeCloseTo(16 / 9, 1);
  expect(content?.height).toBe(1);
});

describe('one picture is large, the others in a strip', () => {
  const bottomOf = (cells: readonly LayoutCell[]): number => Math.max(...cells.map(({ y, height }) => y + height));

  test.each([3, 4, 5, 6, 7, 9, 12])('of %i on a phone: the height is used, and no picture loses its face', (count) => {
    const { cells } = layout({ terminals: crowd(count), speakers: ['t1'], screen: PHONE });
    const [large, ...small] = cells;
    if (!large) throw new Error('somebody speaks');
    const size = sizeOf(large, PHONE);
    expect(size.width).toBe(PHONE.width);
    expect(size.height).toBeGreaterThan(210);
    for (const cell of cells) {
      const { width, height } = sizeOf(cell, PHONE);
      expect(width / height).toBeGreaterThan(0.74);
      expect(width / height).toBeLessThan(1.8);
    }
    expect(Math.min(...small.map(({ y }) => y))).toBeGreaterThanOrEqual(large.height);
    expect(bottomOf(cells)).toBeGreaterThan(0.95);
    expect(bottomOf(cells)).toBeLessThanOrEqual(1);
  });

  test('content on a phone: the people below are as large as fits', () => {
    const { cells } = layout({ terminals: crowd(5), sharing: ['t1'], screen: PHONE });
    expect(bottomOf(cells)).toBeGreaterThan(0.95);
    expect(cells[0]?.height).toBeGreaterThan(0.39);
  });

  test.each([2, 3, 5])('of %i beside a large one, the strip is in the middle of the height', (count) => {
    const [large, ...small] = layout({ terminals: crowd(count), pinned: ['t1'], screen: LARGE }).cells;
    const middle = (Math.min(...small.map(({ y }) => y)) + bottomOf(small)) / 2;
    expect(middle).toBeCloseTo(0.5, 2);
    expect(large && large.y + large.height / 2).toBeCloseTo(0.5, 2);
  });
});

describe('two people', () => {
  const two: Case = { terminals: ['alice', 'bob'], me: 'alice' };
  test.each<[string, Case, string]>([
    ['the other large, oneself in a corner', {}, 'bob | +alice'],
    ['whoever speaks', { speakers: ['alice'] }, 'bob | +alice'],
    ['whoever is named', { commands: [speaker('alice')] }, 'bob | +alice'],
    ['all alike, as the chair has set', { commands: [equal] }, 'alice bob'],
    ['all alike, as the viewer likes it', { view: 'GRID' }, 'alice bob'],
    ['the other above, although the chair has set all alike', { commands: [equal], view: 'SPEAKER' }, 'bob | +alice'],
    ['oneself pinned', { pinned: ['alice'] }, 'alice | bob'],
    ['oneself hidden', { leftOut: ['alice'] }, 'bob'],
    ['content of the other', { sharing: ['bob'] }, 'bob-screen | alice bob'],
    ['an onlooker', { me: null }, 'alice bob'],
  ])('%s', (_, more, expected) => expect(shape({ ...two, ...more })).toBe(expected));

  test.each(CORNERS)('the own picture at the %s is over the other one, and not over its name', (corner) => {
    for (const screen of [LARGE, MEDIUM, PHONE]) {
      const [other, own] = layout({ ...two, corner, screen }).cells;
      if (!other || !own) throw new Error('there are two pictures');
      expect(own.width).toBeLessThan(0.4);
      expect(own.x < 0.5 ? 'left' : 'right').toBe(corner.split('-')[1]);
      expect(own.y < 0.4 ? 'top' : 'bottom').toBe(corner.split('-')[0]);
      const [bottom, nameLine] = [(own.y + own.height) * screen.height, screen.height - 40];
      if (corner === 'bottom-left') expect(bottom).toBeLessThanOrEqual(nameLine);
    }
  });
});

describe("the viewer's own view", () => {
  test.each<[string, Case, string]>([
    ['GRID: all alike, whoever speaks', { view: 'GRID', speakers: ['bob'] }, 'alice chair bob carol'],
    ['GRID: content stays readable', { view: 'GRID', sharing: ['bob'] }, 'bob-screen | alice chair bob carol'],
    [
      'GRID: whom the chair has put on air stays',
      { view: 'GRID', commands: [speaker('bob')] },
      'bob | alice chair carol',
    ],
    ['SPEAKER: somebody is large before anybody speaks', { view: 'SPEAKER' }, 'chair | alice bob carol'],
    [
      'SPEAKER: who speaks, although the chair has set all alike',
      { view: 'SPEAKER', commands: [equal], speakers: ['alice', 'bob'] },
      'bob | alice chair carol',
    ],
    ['SIDE: content and all people', { view: 'SIDE', sharing: ['bob'] }, 'bob-screen | alice chair bob carol'],
    ['SIDE without content is as usual', { view: 'SIDE', speakers: ['bob'] }, 'bob | alice chair carol'],
    [
      'it counts only if the chair allows it',
      { view: 'GRID', commands: [forbidden], speakers: ['bob'] },
      'bob | alice chair carol',
    ],
    ['two pinned', { pinned: ['carol', 'bob'] }, 'carol bob | alice chair'],
    [
      'a screen and a person pinned',
      { pinned: ['bob-screen', 'carol'], sharing: ['bob'] },
      'bob-screen carol | alice chair bob',
    ],
    [
      'no more than four pinned',
      { pinned: ['a', 'b', 'c', 'd', 'e'], terminals: ['alice', 'a', 'b', 'c', 'd', 'e'] },
      'a b c d | alice e',
    ],
    ['those left out', { leftOut: ['alice', 'carol'] }, 'chair bob'],
    [
      'whom the chair has put on air is not left out',
      { leftOut: ['bob'], commands: [speaker('bob')] },
      'bob | alice chair carol',
    ],
    [
      'who speaks and is left out has no stage',
      { leftOut: ['bob'], speakers: ['bob', 'chair'] },
      'chair | alice carol',
    ],
    [
      'others are left out only if the chair allows it',
      { leftOut: ['alice', 'bob'], commands: [forbidden] },
      'chair bob carol',
    ],
    ['nobody would be left: all stay', { leftOut: ['alice', 'bob', 'chair', 'carol'] }, 'alice chair bob carol'],
  ])('%s', (_, input, expected) => expect(shape({ me: 'alice', ...input })).toBe(expected));

  test('seats set by the chair keep a terminal that the viewer leaves out', () => {
    const { cells } = layout({ me: 'alice', commands: [seats], leftOut: ['alice', 'bob'], view: 'GRID' });
    expect(cells.map(({ key }) => key).toSorted()).toEqual(['alice', 'bob', 'carol', 'chair']);
  });
  test.each([LARGE, MEDIUM, PHONE])('SIDE at $width × $height: content and people do not overlap', (screen) => {
    const { cells } = layout({ me: 'alice', view: 'SIDE', sharing: ['bob'], screen });
    const [content, ...people] = cells;
    if (!content) throw new Error('there is content');
    expect(content.width * content.height).toBeGreaterThan(0.3);
    for (const { x, y, width, height } of people) {
      expect(x >= content.x + content.width || y >= content.y + content.height).toBe(true);
      expect(x + width).toBeLessThan(1.001);
      expect(y + height).toBeLessThan(1.001);
    }
  });
  test('pinned pictures have the same size and request enough lines', () => {
    const { cells } = layout({ me: 'alice', pinned: ['bob', 'carol'], screen: LARGE });
    expect(cells[0]).toMatchObject({ area: 'stage', ask: 360, width: cells[1]?.width, height: cells[1]?.height });
  });
});
