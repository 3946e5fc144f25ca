/** Where the button is, as shares of the free width and height: 1 is at the right and at the bottom. */
export interface Place {
  x: number;
  y: number;
}

/** At the right edge, above the pagers of lists. */
export const FIRST_PLACE: Place = { x: 1, y: 0.78 };
/** The button's size and its distance from the edges, px. */
export const SIZE = 48;
export const EDGE = 12;
/** Movement from which on a press is a drag, px. */
export const DRAG_FROM = 5;
const KEY = 'assistantPlace';

export interface Area {
  width: number;
  height: number;
}

const within = (share: number): number => Math.min(1, Math.max(0, Number.isFinite(share) ? share : 0));
const free = (length: number): number => Math.max(0, length - SIZE - 2 * EDGE);

/** The left upper corner of the button, px; always inside the area. */
export function cornerOf({ x, y }: Place, { width, height }: Area): { left: number; top: number } {
  return { left: EDGE + within(x) * free(width), top: EDGE + within(y) * free(height) };
}

/** The place whose corner is here, or the nearest one inside the area. */
export function placeAt({ left, top }: { left: number; top: number }, { width, height }: Area): Place {
  const share = (at: number, length: number): number => (free(length) === 0 ? 0 : within((at - EDGE) / free(length)));
  return { x: share(left, width), y: share(top, height) };
}

type Store = Pick<Storage, 'getItem' | 'setItem'>;

/** The place that the user has chosen in this browser; the first one if there is none. */
export function storedPlace(store: Store): Place {
  try {
    const { x, y } = JSON.parse(store.getItem(KEY) ?? '') as Partial<Record<keyof Place, unknown>>;
    if (typeof x === 'number' && typeof y === 'number') return { x: within(x), y: within(y) };
  } catch {
    // Nothing is stored, or something else is.
  }
  return FIRST_PLACE;
}

export function storePlace(store: Store, place: Place): void {
  store.setItem(KEY, JSON.stringify(place));
}
