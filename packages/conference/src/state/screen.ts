import { z } from 'zod';

/**
 * How a conference's pictures are arranged: `AUTO` by the screen and the speakers, else by a number of seats; `1+N` one
 * large with everybody else in a strip, `PIP` one within another, `CUSTOM` seats where the chair has put them.
 */
export const SCREEN_MODELS = [
  'AUTO',
  '1',
  '2',
  '3',
  '4',
  '6',
  '8',
  '9',
  '13',
  '16',
  '25',
  '1+N',
  'PIP',
  'CUSTOM',
] as const;
export type ScreenModel = (typeof SCREEN_MODELS)[number];

/** Maximum number of seats of a CUSTOM layout. */
export const MOST_SEATS = 25;

/**
 * What a seat can show besides a terminal (by its termId): the terminal whose turn it is in polling, who is on air,
 * shared content.
 */
export const SEAT_SOURCES = ['POLL', 'SPEAKER', 'CONTENT'] as const;
export type SeatSource = (typeof SEAT_SOURCES)[number];

/** A seat assignment; seats count from 1, the largest first. A seat without an assignment fills by itself. */
export const screenSeat = z.object({
  seat: z.number().int().min(1).max(MOST_SEATS),
  source: z.string().min(1).max(40),
});
export type ScreenSeat = z.infer<typeof screenSeat>;

const fraction = z.number().min(0).max(1);
/** A seat of a CUSTOM layout in fractions of the screen, from the top left corner. */
export const seatPlace = z
  .object({ x: fraction, y: fraction, width: fraction.min(0.05), height: fraction.min(0.05) })
  .refine(({ x, y, width, height }) => x + width <= 1.0001 && y + height <= 1.0001, { path: ['width'] });
export type SeatPlace = z.infer<typeof seatPlace>;

export const screenLayout = z.object({
  model: z.enum(SCREEN_MODELS),
  /** For CUSTOM only, else empty. */
  places: z.array(seatPlace).max(MOST_SEATS),
  seats: z.array(screenSeat).max(MOST_SEATS),
});
export type ScreenLayout = z.infer<typeof screenLayout>;

export const AUTO_LAYOUT: ScreenLayout = { model: 'AUTO', places: [], seats: [] };

/** Where the window with chat and content is docked; HIDDEN: neither is shown. */
export const WINDOW_POSITIONS = ['RIGHT', 'LEFT', 'BOTTOM', 'HIDDEN'] as const;
export type WindowPosition = (typeof WINDOW_POSITIONS)[number];

export const BANNER_POSITIONS = ['TOP', 'MIDDLE', 'BOTTOM'] as const;
export const BANNER_SIZES = ['SMALL', 'MEDIUM', 'LARGE'] as const;
/** A banner does not move, or its lines scroll. */
export const BANNER_SCROLLS = ['NONE', 'LEFT', 'UP'] as const;
/** Longest display time of a banner, seconds. */
export const BANNER_SECONDS_MAX = 86_400;

const bannerForm = {
  /** Line breaks are kept as typed. */
  text: z.string().max(2_000),
  position: z.enum(BANNER_POSITIONS),
  size: z.enum(BANNER_SIZES),
  scroll: z.enum(BANNER_SCROLLS),
  language: z.enum(['zh', 'en']),
};

/** The input from a desk; empty text clears. */
export const bannerInput = z.object({
  text: bannerForm.text.default(''),
  position: bannerForm.position.default('BOTTOM'),
  size: bannerForm.size.default('MEDIUM'),
  scroll: bannerForm.scroll.default('NONE'),
  language: bannerForm.language.default('zh'),
  /** How long it is shown; 0: until it is cleared. */
  seconds: z.number().int().min(0).max(BANNER_SECONDS_MAX).default(0),
});
export type BannerInput = z.infer<typeof bannerInput>;

/** Captions that the chair has put over the pictures. */
export const banner = z.object({ ...bannerForm, since: z.iso.datetime(), until: z.iso.datetime().nullable() });
export type Banner = z.infer<typeof banner>;

/** The banner an input describes from `at` on; null if it clears. */
export function bannerOf({ seconds, ...form }: BannerInput, at: Date): Banner | null {
  if (form.text.trim() === '') return null;
  return {
    ...form,
    since: at.toISOString(),
    until: seconds === 0 ? null : new Date(at.getTime() + seconds * 1_000).toISOString(),
  };
}

/** How many seats a layout has; null if as many as there are terminals. */
export function seatCount({ model, places }: Pick<ScreenLayout, 'model' | 'places'>): number | null {
  if (model === 'AUTO' || model === '1+N') return null;
  if (model === 'PIP') return 2;
  return model === 'CUSTOM' ? places.length : Number(model);
}

/** Seats that can be assigned by hand; of `1+N` the large one, of AUTO none. */
export function nameableSeats(layout: Pick<ScreenLayout, 'model' | 'places'>): number {
  return seatCount(layout) ?? (layout.model === '1+N' ? 1 : 0);
}

/** Only seats that the layout has, each once, no terminal in two of them; the last entry wins. */
export function seatsWithin(
  layout: Pick<ScreenLayout, 'model' | 'places'>,
  seats: readonly ScreenSeat[],
): ScreenSeat[] {
  const most = nameableSeats(layout);
  const bySeat = new Map<number, string>();
  for (const { seat, source } of seats) {
    if (seat > most) continue;
    for (const [other, taken] of bySeat) if (taken === source) bySeat.delete(other);
    bySeat.set(seat, source);
  }
  return [...bySeat].map(([seat, source]) => ({ seat, source })).toSorted((a, b) => a.seat - b.seat);
}

/** Makes a layout from elsewhere valid: only places and seats that its model has. */
export function layoutWithin({ model, places, seats }: ScreenLayout): ScreenLayout {
  const shape = { model, places: model === 'CUSTOM' ? places : [] };
  return { ...shape, seats: seatsWithin(shape, seats) };
}

/**
 * Changes the model; terminals seated by hand keep their seats, if those exist.
 *
 * @param pollingSeat the seat that polls; null for none, undefined for unchanged
 */
export function withModel(
  layout: ScreenLayout,
  model: ScreenModel,
  places: readonly SeatPlace[],
  pollingSeat: number | null | undefined,
): ScreenLayout {
  const kept =
    pollingSeat === undefined
      ? layout.seats
      : layout.seats.filter(({ seat, source }) => source !== 'POLL' && seat !== pollingSeat);
  const polls = pollingSeat === null || pollingSeat === undefined ? [] : [{ seat: pollingSeat, source: 'POLL' }];
  return layoutWithin({ model, places: [...places], seats: [...kept, ...polls] });
}

/** Whether a seat of this layout shows the terminal whose turn it is in polling. */
export const hasPollSeat = ({ seats }: Pick<ScreenLayout, 'seats'>): boolean =>
  seats.some(({ source }) => source === 'POLL');
