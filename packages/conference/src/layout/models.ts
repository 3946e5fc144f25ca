import type { ScreenLayout, ScreenModel } from '../state/screen.ts';
import { pictureIn, type Place, type Space } from './geometry.ts';

/** A layout's seats in grid units: left, top, width and height of each. */
interface Model {
  columns: number;
  rows: number;
  seats: readonly (readonly [number, number, number, number])[];
}

/** A plain grid, filled row by row. */
function grid(columns: number, rows = columns): Model {
  return {
    columns,
    rows,
    seats: Array.from({ length: columns * rows }, (_, at) => [at % columns, Math.floor(at / columns), 1, 1] as const),
  };
}

/** One large picture, and one-unit seats in the remaining cells, row by row. */
function around(size: number, left: number, top: number, width: number): Model {
  const small = grid(size).seats.filter(([x, y]) => x < left || x >= left + width || y < top || y >= top + width);
  return { columns: size, rows: size, seats: [[left, top, width, width], ...small] };
}

type Gridded = Exclude<ScreenModel, 'AUTO' | '1+N' | 'PIP' | 'CUSTOM'>;
const MODELS: Record<Gridded, Model> = {
  1: grid(1),
  2: grid(2, 1),
  3: {
    columns: 4,
    rows: 4,
    seats: [
      [1, 0, 2, 2],
      [0, 2, 2, 2],
      [2, 2, 2, 2],
    ],
  },
  4: grid(2),
  6: around(3, 0, 0, 2),
  8: around(4, 0, 0, 3),
  9: grid(3),
  13: around(4, 1, 1, 2),
  16: grid(4),
  25: grid(5),
};
/** On an upright screen, two pictures are one above the other. */
const UPRIGHT_TWO = grid(1, 2);
/** The size of the inner picture relative to the outer one, and its distance from the corner. */
const INSET = 0.28;

/**
 * The seats of a layout on a screen, the first one first; AUTO and 1+N have none of their own. Pictures keep to the
 * cropping limits of all layouts; the whole is centred.
 */
export function seatsIn(layout: Pick<ScreenLayout, 'model' | 'places'>, space: Space): Place[] {
  const { width, height, gap } = space;
  switch (layout.model) {
    case 'AUTO':
    case '1+N':
      return [];
    case 'CUSTOM':
      return layout.places.map((place) => ({
        x: place.x * width,
        y: place.y * height,
        width: place.width * width,
        height: place.height * height,
      }));
    case 'PIP': {
      const outer = pictureIn(width, height);
      const [x, y] = [(width - outer.width) / 2, (height - outer.height) / 2];
      const inset = { width: outer.width * INSET, height: outer.height * INSET };
      return [
        { x, y, ...outer },
        { x: x + outer.width - inset.width - 2 * gap, y: y + outer.height - inset.height - 2 * gap, ...inset },
      ];
    }
    case '2':
      return placed(height > width ? UPRIGHT_TWO : MODELS[2], space);
    default:
      return placed(MODELS[layout.model], space);
  }
}

function placed({ columns, rows, seats }: Model, { width, height, gap }: Space): Place[] {
  const unit = pictureIn((width - (columns - 1) * gap) / columns, (height - (rows - 1) * gap) / rows);
  const left = (width - columns * unit.width - (columns - 1) * gap) / 2;
  const top = (height - rows * unit.height - (rows - 1) * gap) / 2;
  return seats.map(([x, y, wide, high]) => ({
    x: left + x * (unit.width + gap),
    y: top + y * (unit.height + gap),
    width: wide * unit.width + (wide - 1) * gap,
    height: high * unit.height + (high - 1) * gap,
  }));
}

/**
 * The screen without the window that content is docked in, and that window. It takes two fifths of the width, or of the
 * height at the bottom; on an upright screen it is always at the bottom.
 */
export function withWindow(
  space: Space,
  position: 'RIGHT' | 'LEFT' | 'BOTTOM',
): { rest: Space & { x: number }; window: Place } {
  const { width, height, gap } = space;
  if (position === 'BOTTOM' || height > width) {
    const high = Math.round(height * 0.4);
    return {
      rest: { ...space, x: 0, height: height - high - gap },
      window: { x: 0, y: height - high, width, height: high },
    };
  }
  const wide = Math.round(width * 0.4);
  const rest = { ...space, width: width - wide - gap };
  return position === 'LEFT'
    ? { rest: { ...rest, x: wide + gap }, window: { x: 0, y: 0, width: wide, height } }
    : { rest: { ...rest, x: 0 }, window: { x: width - wide, y: 0, width: wide, height } };
}
