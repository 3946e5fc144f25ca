import { expect, test } from 'vitest';
import { focusLayout, gridLayout, pageOf } from '../../src/features/conferences/model/grid.ts';

const desktop = { width: 1264, height: 690, gap: 8, minTileWidth: 160 };
const phone = { width: 374, height: 680, gap: 8, minTileWidth: 120 };
const sideways = { width: 828, height: 330, gap: 8, minTileWidth: 160 };

test.each([
  [1, 1, 1], [2, 2, 1], [3, 2, 2], [4, 2, 2], [5, 3, 2], [6, 3, 2], [9, 3, 3], [12, 4, 3], [16, 4, 4], [25, 5, 5], [49, 7, 7],
])('%i people on a desktop: %i columns, %i rows', (count, columns, rows) => {
  expect(gridLayout(count, desktop)).toMatchObject({ columns, rows, perPage: count });
});

test.each([[1, 1, 1], [2, 1, 2], [4, 1, 4], [6, 2, 3], [8, 2, 4]])('%i people on an upright phone: %i columns, %i rows', (count, columns, rows) => {
  expect(gridLayout(count, phone)).toMatchObject({ columns, rows });
});

test('two people on a phone held sideways sit side by side', () => {
  expect(gridLayout(2, sideways)).toMatchObject({ columns: 2, rows: 1 });
});

test.each([desktop, phone, sideways])('tiles of $width x $height fit their space and keep to the cropping limits', (space) => {
  for (let count = 1; count <= 60; count += 1) {
    const { columns, rows, tileWidth, tileHeight, perPage } = gridLayout(count, space);
    expect(columns * tileWidth + (columns - 1) * space.gap).toBeLessThanOrEqual(space.width);
    expect(rows * tileHeight + (rows - 1) * space.gap).toBeLessThanOrEqual(space.height);
    expect(columns * rows).toBeGreaterThanOrEqual(perPage);
    expect(tileWidth / tileHeight).toBeLessThan(16 / 9 + 0.03);
    expect(tileWidth / tileHeight).toBeGreaterThan(3 / 4 - 0.03);
  }
});

test('more than 49 people are paged, and so are tiles that would get too small', () => {
  expect(gridLayout(60, { ...desktop, width: 2_500, height: 1_400 }).perPage).toBe(49);
  const small = gridLayout(49, phone);
  expect(small.perPage).toBeLessThan(49);
  expect(small.tileWidth).toBeGreaterThanOrEqual(120);
});

test('a space that has not been measured yet breaks nothing', () => {
  expect(gridLayout(5, { width: 0, height: 0, gap: 8, minTileWidth: 160 }).perPage).toBeGreaterThan(0);
});

test('the strip lies beside the large picture, below it where the space is upright', () => {
  expect(focusLayout(desktop)).toMatchObject({ strip: 'right', stageHeight: 690 });
  expect(focusLayout(phone)).toMatchObject({ strip: 'bottom', stageWidth: 374 });
  const { stageWidth, tileWidth } = focusLayout(desktop);
  expect(stageWidth + tileWidth + desktop.gap).toBe(desktop.width);
});

test.each([
  [0, [1, 2], 3], [2, [5], 3], [9, [5], 3], [-1, [1, 2], 3],
])('page %i shows %j of %i pages', (page, shown, pages) => {
  expect(pageOf([1, 2, 3, 4, 5], 2, page)).toMatchObject({ shown, pages });
});

test('nobody still makes one page', () => {
  expect(pageOf([], 4, 3)).toEqual({ shown: [], page: 0, pages: 1 });
});
