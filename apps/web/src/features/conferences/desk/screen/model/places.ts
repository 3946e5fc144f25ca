import { MOST_SEATS, gridIn, seatsIn, stageIn, type ScreenLayout, type SeatPlace, type Space } from '@rmeet/conference';

/** Lines of the grid that places of a CUSTOM layout keep to, across and down. */
export const GRID = 12;

/** The screen that layouts are drawn for. */
const SCREEN = { width: 1600, height: 900, minWidth: 0 };
/** Between the pictures of a drawing. */
const GAP = 14;
/** A new place is as large as there is room for, at most this; lines of the grid. */
const NEW_SIZES = [4, 3, 2, 1] as const;

/**
 * The places of a layout as a desk draws them, in fractions of the screen, the seats first. Of AUTO and 1+N, which have
 * as many as people are there, an example.
 */
export function drawnPlaces(layout: Pick<ScreenLayout, 'model' | 'places'>, gap = GAP): SeatPlace[] {
  return placesOf(layout, { ...SCREEN, gap }).map(({ x, y, width, height }) => ({
    x: x / SCREEN.width,
    y: y / SCREEN.height,
    width: width / SCREEN.width,
    height: height / SCREEN.height,
  }));
}

function placesOf(layout: Pick<ScreenLayout, 'model' | 'places'>, screen: Space): SeatPlace[] {
  if (layout.model === 'AUTO') return gridIn(1, screen).places(1);
  if (layout.model !== '1+N') return seatsIn(layout, screen);
  const frame = stageIn(4, screen);
  return [frame.stage, ...frame.places(frame.perPage)];
}

/** A place in lines of the grid. */
export interface GridPlace {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Edges go to the nearest line each, so that neighbours stay neighbours. */
export function toGrid({ x, y, width, height }: SeatPlace): GridPlace {
  const [left, top] = [clamp(Math.round(x * GRID), 0, GRID - 1), clamp(Math.round(y * GRID), 0, GRID - 1)];
  const [right, bottom] = [Math.round((x + width) * GRID), Math.round((y + height) * GRID)];
  return { x: left, y: top, width: clamp(right - left, 1, GRID - left), height: clamp(bottom - top, 1, GRID - top) };
}

export function fromGrid({ x, y, width, height }: GridPlace): SeatPlace {
  return { x: x / GRID, y: y / GRID, width: width / GRID, height: height / GRID };
}

/** The place so many lines further, as far as the screen goes. */
export function moved(place: GridPlace, right: number, down: number): GridPlace {
  return {
    ...place,
    x: clamp(place.x + right, 0, GRID - place.width),
    y: clamp(place.y + down, 0, GRID - place.height),
  };
}

/** The place so many lines larger, its top left corner where it is. */
export function resized(place: GridPlace, right: number, down: number): GridPlace {
  return {
    ...place,
    width: clamp(place.width + right, 1, GRID - place.x),
    height: clamp(place.height + down, 1, GRID - place.y),
  };
}

/**
 * One place more where nothing is yet, else over the others in the middle; the same places where there are as many as
 * can be.
 */
export function withPlace(places: readonly GridPlace[]): readonly GridPlace[] {
  if (places.length >= MOST_SEATS) return places;
  const isFree = (place: GridPlace): boolean => places.every((other) => !overlaps(place, other));
  for (const size of NEW_SIZES) {
    for (let y = 0; y + size <= GRID; y += 1) {
      for (let x = 0; x + size <= GRID; x += 1) {
        const place = { x, y, width: size, height: size };
        if (isFree(place)) return [...places, place];
      }
    }
  }
  return [...places, { x: 4, y: 4, width: 4, height: 4 }];
}

/** The layout without one of its places; whoever sits in a later one keeps the place, which counts one less. */
export function withoutPlace({ model, places, seats }: ScreenLayout, at: number): ScreenLayout {
  return {
    model,
    places: places.filter((_, index) => index !== at),
    seats: seats.flatMap(({ seat, source }) =>
      seat === at + 1 ? [] : [{ seat: seat > at + 1 ? seat - 1 : seat, source }],
    ),
  };
}

/**
 * What a CUSTOM layout begins as: `known` places of before, else those of the layout there is, else one large with
 * three beside it.
 */
export function firstPlaces(layout: ScreenLayout, known: readonly SeatPlace[]): SeatPlace[] {
  if (known.length > 0) return [...known];
  const drawn = layout.model === 'AUTO' || layout.model === '1+N' ? [] : drawnPlaces(layout, 0);
  const places =
    drawn.length > 1
      ? drawn.map(toGrid)
      : [{ x: 0, y: 0, width: 9, height: 12 }, ...[0, 4, 8].map((y) => ({ x: 9, y, width: 3, height: 4 }))];
  return places.map(fromGrid);
}

const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));

const overlaps = (a: GridPlace, b: GridPlace): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
