import { gridOf } from '@rmeet/conference';
import { expect, test } from 'vitest';
import { pageOf } from '../../src/features/conferences/desk/model/pages.ts';

const desktop = { width: 1264, height: 690, gap: 8, minWidth: 160 };
const phone = { width: 374, height: 680, gap: 8, minWidth: 120 };
const sideways = { width: 828, height: 330, gap: 8, minWidth: 160 };

test.each([
  [1, 1, 1],
  [2, 2, 1],
  [3, 2, 2],
  [4, 2, 2],
  [5, 3, 2],
  [6, 3, 2],
  [9, 3, 3],
  [12, 4, 3],
  [16, 4, 4],
  [25, 5, 5],
  [49, 7, 7],
])('%i people on a desktop: %i columns, %i rows', (count, columns, rows) => {
  expect(gridOf(count, desktop)).toMatchObject({ columns, rows, perPage: count });
});

test.each([
  [1, 1, 1],
  [2, 1, 2],
  [4, 1, 4],
  [6, 2, 3],
  [8, 2, 4],
])('%i people on an upright phone: %i columns, %i rows', (count, columns, rows) => {
  expect(gridOf(count, phone)).toMatchObject({ columns, rows });
});

test('two people on a phone held sideways sit side by side', () => {
  expect(gridOf(2, sideways)).toMatchObject({ columns: 2, rows: 1 });
});

test.each([desktop, phone, sideways])(
  'tiles of $width x $height fit their space and respect the cropping limits',
  (space) => {
    for (let count = 1; count <= 60; count += 1) {
      const { columns, rows, width, height, perPage } = gridOf(count, space);
      expect(columns * width + (columns - 1) * space.gap).toBeLessThanOrEqual(space.width);
      expect(rows * height + (rows - 1) * space.gap).toBeLessThanOrEqual(space.height);
      expect(columns * rows).toBeGreaterThanOrEqual(perPage);
      expect(width / height).toBeLessThan(16 / 9 + 0.03);
      expect(width / height).toBeGreaterThan(3 / 4 - 0.03);
    }
  },
);

test('more than 49 people are paged, and so are tiles that would get too small', () => {
  expect(gridOf(60, { ...desktop, width: 2_500, height: 1_400 }).perPage).toBe(49);
  const small = gridOf(49, phone);
  expect(small.perPage).toBeLessThan(49);
  expect(small.width).toBeGreaterThanOrEqual(120);
});

test('an unmeasured space causes no error', () => {
  expect(gridOf(5, { width: 0, height: 0, gap: 8, minWidth: 160 }).perPage).toBeGreaterThan(0);
});

test.each([
  [0, [1, 2], 3],
  [2, [5], 3],
  [9, [5], 3],
  [-1, [1, 2], 3],
])('page %i shows %j of %i pages', (page, shown, pages) => {
  expect(pageOf([1, 2, 3, 4, 5], 2, page)).toMatchObject({ shown, pages });
});

test('without participants there is one page', () => {
  expect(pageOf([], 4, 3)).toEqual({ shown: [], page: 0, pages: 1 });
});
