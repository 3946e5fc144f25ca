import { MOST_SEATS, gridIn, seatsIn, stageIn, type ScreenLayout, type SeatPlace, type Space } from '@rmeet/conference';

/** Grid lines for the places of a CUSTOM layout, in each direction. */
export const GRID = 12;

/** The screen size used to draw layouts. */
const SCREEN = { width: 1600, height: 900, minWidth: 0 };
/** Gap between the pictures of a drawing. */
const GAP = 14;
/** Sizes tried for a new place, largest first; in grid lines. */
const NEW_SIZES = [4, 3, 2, 1] as const;

/**
 * The places of a layout as a desk draws them, in fractions of the screen, seats first. AUTO and 1+N depend on the
 * number of participants, so an example is drawn.
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

/** A place in grid units. */
export interface GridPlace {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Each edge snaps to the nearest line, so that neighbours stay adjacent. */
export function toGrid({ x, y, width, height }: SeatPlace): GridPlace {
  const [left, top] = [clamp(Math.round(x * GRID), 0, GRID - 1), clamp(Math.round(y * GRID), 0, GRID - 1)];
  const [right, bottom] = [Math.round((x + width) * GRID), Math.round((y + height) * GRID)];
  return { x: left, y: top, width: clamp(right - left, 1, GRID - left), height: clamp(bottom - top, 1, GRID - top) };
}

export function fromGrid({ x, y, width, height }: GridPlace): SeatPlace {
  return { x: x / GRID, y: y / GRID, width: width / GRID, height: height / GRID };
}

/** The place moved by this number of lines, limited to the screen. */
export function moved(place: GridPlace, right: number, down: number): GridPlace {
  return {
    ...place,
    x: clamp(place.x + right, 0, GRID - place.width),
    y: clamp(place.y + down, 0, GRID - place.height),
  };
}

/** The place resized by this number of lines; its top left corner stays. */
export function resized(place: GridPlace, right: number, down: number): GridPlace {
  return {
    ...place,
    width: clamp(place.width + right, 1, GRID - place.x),
    height: clamp(place.height + down, 1, GRID - place.y),
  };
}

/**
 * Adds a place in free space, else over the others in the middle; returns the same places if the maximum is reached.
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

/** The layout without one of its places; sources of later seats keep their place, whose number decreases by one. */
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
 * The initial places of a CUSTOM layout: the `known` earlier places, else those of the current layout, else one large
 * place with three beside it.
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
