import { controlOrder, type ConferenceControl } from '../state/control.ts';
import { AUTO_LAYOUT, type ScreenLayout, type WindowPosition } from '../state/screen.ts';
import { gridIn, pictureArea, stageIn, type Place, type Space } from './geometry.ts';
import { seatsIn, withWindow } from './models.ts';

/** The screen that pictures are placed on. CSS pixels. */
export interface LayoutScreen {
  width: number;
  height: number;
  /** Gap between pictures. Default 8. */
  gap?: number;
  /**
   * A phone held in the hand: smaller pictures are worth showing, and pictures beside the stage request at most 360
   * lines.
   */
  phone?: boolean;
  /** Physical pixels per CSS pixel. Default 1. */
  density?: number;
}

export interface LayoutInput {
  control: ConferenceControl;
  /** termIds that have a picture or a place for one, in order of arrival. */
  terminals: readonly string[];
  /** termIds of the terminals that share content; the one that started last is shown. */
  sharing: readonly string[];
  /**
   * termIds: the one that has the floor, then those that had it before, latest first. The caller decides how long a
   * terminal keeps it.
   */
  speakers: readonly string[];
  /** termId of the viewer; null for an observer such as the desk's preview or the recorder. */
  me: string | null;
  screen: LayoutScreen;
  /** Key of the picture that the viewer has enlarged; used while nobody has been put on air. */
  pinned?: string | null;
  /** From 0; clamped to the existing pages. */
  page?: number;
  /** The viewer has left the chair's layout for the own view; it has an effect only if the chair allows it. */
  ownView?: boolean;
}

/** Lines of the layer to request; 0 for none, for the viewer's own picture. */
export type LayerHeight = 0 | 180 | 360 | 720;

/** One picture and its place, in fractions of the screen from its top left corner. */
export interface LayoutCell extends Place {
  /** termId, or termId and `-screen`. */
  key: string;
  termId: string;
  kind: 'camera' | 'screen';
  area: 'stage' | 'strip' | 'grid' | 'seat' | 'window';
  ask: LayerHeight;
  /** The number of its seat, if the layout has seats. */
  seat?: number;
}

/** A seat with no picture to show. */
export interface EmptySeat extends Place {
  seat: number;
  /** Who the chair has assigned to it; null if nobody is left for it. */
  source: string | null;
}

/**
 * A picture that is not shown yet but will be at the next turn. It should be loaded by then, in the place it will have.
 */
export type WarmPicture = Pick<LayoutCell, 'key' | 'termId' | 'kind' | 'ask' | keyof Place>;

export interface Layout {
  /** Who is on air to all; null if nobody is above the others. */
  onAirId: string | null;
  /** Beside or below the stage; null if there is no strip. */
  strip: 'right' | 'bottom' | null;
  /** The visible pictures, in reading order: the stage first. */
  cells: LayoutCell[];
  /** Keys of the pictures on other pages. */
  hidden: string[];
  page: number;
  pages: number;
  /** The layout model that applies for this viewer. */
  model: ScreenLayout['model'];
  empty: EmptySeat[];
  warm: WarmPicture[];
}

/** A picture may have this many times fewer lines than its place before the next layer is worth the bandwidth. */
const ENOUGH = 1.25;

type Picture = Pick<LayoutCell, 'key' | 'termId' | 'kind'>;

/**
 * Who is on air to all: the terminal whose turn it is in polling, the lecturer or the speaker named by the chair, or
 * who has the floor if the mode is AUTO or no terminal has a turn. Null if nobody is above the others. `speakers` as in
 * a layout's input; only those in `present` count.
 */
export function onAirId(
  control: Pick<ConferenceControl, 'mode' | 'speakerId' | 'polling'>,
  speakers: readonly string[],
  present: ReadonlySet<string>,
): string | null {
  const { mode, speakerId, polling } = control;
  const floor = (): string | null => speakers.find((termId) => present.has(termId)) ?? null;
  const inside = (termId: string | null | undefined): string | null =>
    termId !== null && termId !== undefined && present.has(termId) ? termId : null;
  switch (mode) {
    case 'SPEAKER':
    case 'LECTURE':
      return inside(speakerId);
    case 'POLLING':
      return inside(polling?.turn?.termId) ?? floor();
    case 'AUTO':
      return floor();
    case 'EQUAL':
      return null;
  }
}

type TurnPlace = Place & Pick<LayoutCell, 'area'>;

/** Pictures in places, in pixels from the top left corner of their part of the screen. */
interface Arranged extends Pick<Layout, 'strip' | 'hidden' | 'page' | 'pages'> {
  cells: (Place & { picture: Picture; area: LayoutCell['area']; seat?: number })[];
  empty: EmptySeat[];
  /** The place of the current turn, or of the next one. */
  turn: TurnPlace | null;
}

/** A layout's input with values derived from it. */
interface Situation extends LayoutInput {
  layout: ScreenLayout;
  onAir: string | null;
  pictures: Picture[];
  space: Space;
}

/**
 * Computes which pictures go where, by the layout the chair has chosen for all or for this terminal. In AUTO, shared
 * content takes the stage, then who is on air. Viewers do not see themselves there: the named speaker sees all the
 * others, who has the floor sees who had it before, and the lecturer sees the terminal whose turn it is. With nothing
 * on the stage, the pictures form a grid. In a layout of seats, terminals named by the chair sit where they were put
 * and the others follow: on air first, then in the chair's order. Shared content without a seat is docked beside the
 * rest, if the chair has set so or the layout has no place for it.
 */
export function layoutOf(input: LayoutInput): Layout {
  const { situation, whole, docked, content } = situationOf(input);
  const isStage = situation.layout.model === 'AUTO' || situation.layout.model === '1+N';
  const { cells, empty, turn, ...paging } = isStage ? onStage(situation) : inSeats(situation);

  const left = docked?.rest.x ?? 0;
  const inFractions = ({ x, y, width, height }: Place, offset: number): Place => ({
    x: (x + offset) / whole.width,
    y: y / whole.height,
    width: width / whole.width,
    height: height / whole.height,
  });
  const cellOf = ({ picture, area, seat, ...place }: Arranged['cells'][number], offset: number): LayoutCell => ({
    ...picture,
    area,
    ...inFractions(place, offset),
    ask: layerFor(picture, area, place, input),
    ...(seat === undefined ? {} : { seat }),
  });
  const emptyOf = (seat: EmptySeat): EmptySeat => ({ ...seat, ...inFractions(seat, left) });
  const window = docked && content ? [cellOf({ picture: content, area: 'window', ...docked.window }, 0)] : [];
  return {
    onAirId: situation.onAir,
    ...paging,
    model: situation.layout.model,
    cells: [...window, ...cells.map((cell) => cellOf(cell, left))],
    empty: empty.map(emptyOf),
    warm: turn === null ? [] : warmFor(input, turn, inFractions(turn, left)),
  };
}

/** The layout that applies for this viewer, and the space that docked content leaves for it. */
function situationOf(input: LayoutInput): {
  situation: Situation;
  whole: Space;
  docked: ReturnType<typeof withWindow> | null;
  content: Picture | null;
} {
  const { control, terminals, speakers, me, screen, ownView = false } = input;
  const chosen = (me === null ? null : control.terminals[me]?.layout) ?? control.layout;
  const layout = ownView && control.allowOwnLayout ? AUTO_LAYOUT : chosen;
  const whole: Space = {
    width: screen.width,
    height: screen.height,
    gap: screen.gap ?? 8,
    minWidth: screen.phone ? 120 : 160,
  };
  const content = contentOf(input);
  const position = content === null ? null : windowOf(layout, control.window);
  const docked = position === null || position === 'HIDDEN' ? null : withWindow(whole, position);
  const seen = { ...input, sharing: position === null ? input.sharing : [] };
  const onAir = onAirId(control, speakers, new Set(terminals));
  const situation = { ...seen, layout, onAir, pictures: picturesOf(seen), space: docked?.rest ?? whole };
  return { situation, whole, docked, content };
}

/** The content to show: of the terminal it is locked to, else of the terminal that started last. */
function contentOf({ control, sharing, terminals, me }: LayoutInput): Picture | null {
  const shared = sharing.filter(
    (termId) => terminals.includes(termId) && (control.contentLockId === null || control.contentLockId === termId),
  );
  const termId = shared.findLast((id) => id !== me) ?? shared.at(-1);
  return termId === undefined ? null : { key: screenKey(termId), termId, kind: 'screen' };
}

/** Where content is docked; null if it has its place among the pictures. */
function windowOf({ model, seats }: ScreenLayout, position: WindowPosition | null): WindowPosition | null {
  if (seats.some(({ source }) => source === 'CONTENT')) return null;
  return model === 'AUTO' || model === '1+N' ? position : (position ?? 'RIGHT');
}

/** The picture of the next turn, in the size it will have. */
function warmFor(input: LayoutInput, turn: TurnPlace, place: Place): WarmPicture[] {
  const {
    control: { polling },
    terminals,
    me,
  } = input;
  const next = polling?.next ?? null;
  if (next === null || next === me || !terminals.includes(next)) return [];
  const picture: Picture = { key: next, termId: next, kind: 'camera' };
  return [{ ...picture, ...place, ask: layerFor(picture, turn.area, turn, input) }];
}

/** A large picture with a strip, or a grid if nothing is large. */
function onStage(situation: Situation): Arranged {
  const { control, speakers, me, onAir, pictures, space, layout, page = 0 } = situation;
  const large = pictures.find(({ key }) => key === largeKey(situation)) ?? null;
  const small = pictures.filter((picture) => picture !== large);
  // While content has the stage, the terminal on air comes right after it.
  const leading = leadingId(situation);
  const first = large?.kind === 'screen' && leading !== null ? small.filter(({ key }) => key === leading) : [];
  const ordered = [...first, ...small.filter((picture) => !first.includes(picture))];

  const frame =
    large === null ? { stage: null, strip: null, ...gridIn(ordered.length, space) } : stageIn(ordered.length, space);
  const isFixed = ({ key, termId }: Picture): boolean =>
    key === me || key === onAir || key === leading || control.terminals[termId]?.top === true;
  const seated = control.mode === 'EQUAL' ? ordered : promoteSpeakers(ordered, speakers, frame.perPage, isFixed);

  const pages = Math.max(1, Math.ceil(seated.length / frame.perPage));
  const current = Math.max(0, Math.min(page, pages - 1));
  const shown = seated.slice(current * frame.perPage, (current + 1) * frame.perPage);
  const places = frame.places(shown.length);
  const area = large === null ? ('grid' as const) : ('strip' as const);
  const cells = shown.flatMap((picture, at) => (places[at] ? [{ picture, area, ...places[at] }] : []));
  const stage =
    large === null || frame.stage === null
      ? []
      : [{ picture: large, area: 'stage' as const, ...frame.stage, ...(layout.model === '1+N' ? { seat: 1 } : {}) }];
  return {
    strip: frame.strip,
    cells: [...stage, ...cells],
    hidden: seated.filter((picture) => !shown.includes(picture)).map(({ key }) => key),
    page: current,
    pages,
    empty: [],
    turn: turnOnStage(situation, large, cells, [...stage, ...(first.length > 0 ? cells.slice(0, 1) : [])]),
  };
}

/**
 * Where the terminal whose turn it is is seen, or will be at the next turn; null for nowhere.
 *
 * @param leading cells of the stage and of the terminal on air
 */
function turnOnStage(
  { control, me, onAir, pictures, space, layout }: Situation,
  large: Picture | null,
  cells: Arranged['cells'],
  leading: Arranged['cells'],
): TurnPlace | null {
  const turnId = control.polling?.turn?.termId;
  const seen = turnId === undefined ? undefined : leading.find(({ picture }) => picture.key === turnId);
  if (seen) return seen;
  // The terminal on air does not see itself there, but will see the next one.
  const isOwnTurn = turnId === me && turnId === onAir && layout.seats.length === 0;
  if (!isOwnTurn) return null;
  return large?.kind === 'screen'
    ? (cells[0] ?? null)
    : { ...stageIn(pictures.length - 1, space).stage, area: 'stage' as const };
}

/** Everybody in the seats of the layout; terminals without a seat are not visible. */
function inSeats(situation: Situation): Arranged {
  const { control, speakers, me, pictures, space, layout } = situation;
  const places = seatsIn(layout, space);
  const byKey = new Map(pictures.map((picture) => [picture.key, picture]));
  const named = new Map(layout.seats.map(({ seat, source }) => [seat, source]));
  const taken = new Set<string>();
  const seated = places.map((): Picture | null => null);
  // No picture appears twice: the terminal whose turn it is appears in the seat for polling.
  for (const { seat, source } of layout.seats.toSorted(
    (a, b) => Number(b.source === 'POLL') - Number(a.source === 'POLL'),
  )) {
    const picture = byKey.get(sourceKey(source, situation) ?? '');
    if (picture === undefined || taken.has(picture.key)) continue;
    taken.add(picture.key);
    seated[seat - 1] = picture;
  }

  // The viewer's own picture is the last to fill a seat by itself: in one's own view, one's own picture is the one to
  // leave out.
  const leading = leadingId(situation);
  const free = [leading, ...pictures.filter(({ key }) => key !== me).map(({ key }) => key), me].flatMap((key) => {
    const picture = key === null || taken.has(key) ? undefined : byKey.get(key);
    if (picture === undefined || picture.kind === 'screen') return [];
    taken.add(picture.key);
    return [picture];
  });
  const open = places.flatMap((_, at) => (named.has(at + 1) ? [] : [at]));
  const filling = promoteSpeakers(
    free,
    speakers,
    open.length,
    ({ key, termId }) => key === leading || control.terminals[termId]?.top === true,
  );
  for (const [nth, at] of open.entries()) seated[at] = filling[nth] ?? null;

  const shown = new Set(seated.map((picture) => picture?.key));
  const turnPlace = places[turnSeat(situation, open)];
  return {
    strip: null,
    page: 0,
    pages: 1,
    cells: seated.flatMap((picture, at) =>
      picture && places[at] ? [{ picture, area: 'seat' as const, seat: at + 1, ...places[at] }] : [],
    ),
    empty: seated.flatMap((picture, at) =>
      picture === null && places[at] ? [{ seat: at + 1, source: named.get(at + 1) ?? null, ...places[at] }] : [],
    ),
    hidden: pictures.filter(({ key }) => !shown.has(key)).map(({ key }) => key),
    turn: turnPlace === undefined ? null : { ...turnPlace, area: 'seat' },
  };
}

/**
 * Who is above the others for this viewer: who is on air, but the lecturer sees the round, and viewers never see
 * themselves.
 */
function leadingId({ control, onAir, me }: Pick<Situation, 'control' | 'onAir' | 'me'>): string | null {
  if (onAir === null || onAir !== me) return onAir;
  return control.mode === 'LECTURE' ? (control.polling?.turn?.termId ?? null) : null;
}

/**
 * The index of the place in a layout that shows the terminal whose turn it is; -1 for none. `open` are the places that
 * fill by themselves.
 */
function turnSeat({ control, layout, onAir, me }: Situation, open: readonly number[]): number {
  const isLed =
    control.mode === 'POLLING' ? onAir === control.polling?.turn?.termId : control.mode === 'LECTURE' && onAir === me;
  const seat =
    layout.seats.find(({ source }) => source === 'POLL') ??
    (isLed ? layout.seats.find(({ source }) => source === 'SPEAKER') : undefined);
  return seat ? seat.seat - 1 : isLed ? (open[0] ?? -1) : -1;
}

/** Key of the picture that a seat's source refers to now. */
function sourceKey(source: string, situation: Situation): string | null {
  const { control, onAir, me } = situation;
  if (source === 'POLL') return control.polling?.turn?.termId ?? null;
  if (source === 'SPEAKER') return control.mode === 'LECTURE' && onAir === me ? leadingId(situation) : onAir;
  return source === 'CONTENT' ? (contentOf(situation)?.key ?? null) : source;
}

/** All pictures: the viewer's own first, then in the chair's order; each terminal's content after its camera. */
function picturesOf({ control, terminals, sharing, me }: LayoutInput): Picture[] {
  const place = new Map(controlOrder(control).map((termId, at) => [termId, at]));
  const rank = (termId: string): number => (termId === me ? -1 : (place.get(termId) ?? place.size));
  return terminals
    .toSorted((a, b) => rank(a) - rank(b))
    .flatMap((termId): Picture[] => {
      const camera: Picture = { key: termId, termId, kind: 'camera' };
      return sharing.includes(termId) ? [camera, { key: screenKey(termId), termId, kind: 'screen' }] : [camera];
    });
}

function screenKey(termId: string): string {
  return `${termId}-screen`;
}

/** Key of the large picture: in `1+N` who sits in its seat, else the picture on the stage. */
function largeKey(situation: Situation): string | null {
  const { layout, pictures, me } = situation;
  if (layout.model !== '1+N') return stageKey(situation);
  const source = layout.seats.find(({ seat }) => seat === 1)?.source;
  const key = source === undefined ? null : sourceKey(source, situation);
  return (
    (pictures.some((picture) => picture.key === key) ? key : null) ??
    stageKey(situation) ??
    pictures.find((picture) => picture.key !== me)?.key ??
    null
  );
}

/** Key of the picture that the viewer has pinned, if people may have an own view. */
function pinnedKey({ control, pinned = null, pictures }: Situation): string | null {
  return control.allowOwnLayout && pictures.some(({ key }) => key === pinned) ? pinned : null;
}

/** Key of the picture that takes the stage. */
function stageKey(situation: Situation): string | null {
  const { control, speakers, terminals, me, onAir, pictures } = situation;
  const isNamed = control.mode !== 'AUTO' && control.mode !== 'EQUAL' && onAir !== null;
  const pinned = isNamed ? null : pinnedKey(situation);
  if (pinned !== null) return pinned;
  const content = pictures.some(({ kind }) => kind === 'screen') ? contentOf(situation) : null;
  if (content !== null && content.termId !== me) return content.key;
  if (control.mode === 'LECTURE' && onAir === me) return leadingId(situation);
  if (onAir === null || onAir !== me) return onAir;
  if (isNamed) return null;
  return speakers.find((termId) => termId !== me && terminals.includes(termId)) ?? null;
}

/**
 * Moves recent speakers to the first page without moving other pictures: each replaces a silent one there, from the
 * end. Speakers who are on that page already keep their place, so that two in a dispute do not make the pictures jump.
 */
function promoteSpeakers(
  pictures: readonly Picture[],
  speakers: readonly string[],
  perPage: number,
  isFixed: (picture: Picture) => boolean,
): Picture[] {
  const result = [...pictures];
  const seats = result.slice(0, perPage).flatMap((picture, at) => (isFixed(picture) ? [] : [at]));
  const due = new Set(
    speakers.filter((key) => result.some((picture) => picture.key === key && !isFixed(picture))).slice(0, seats.length),
  );
  const free = seats.filter((at) => !due.has(result[at]?.key ?? ''));
  for (let from = perPage; from < result.length; from += 1) {
    const speaker = result[from];
    const to = speaker && due.has(speaker.key) ? free.pop() : undefined;
    const silent = to === undefined ? undefined : result[to];
    if (speaker === undefined || to === undefined || silent === undefined) continue;
    result[to] = speaker;
    result[from] = silent;
  }
  return result;
}

/** The lowest layer that fills the place, with some tolerance. */
function layerFor(
  { termId, kind }: Picture,
  area: LayoutCell['area'],
  place: Place,
  { me, screen }: LayoutInput,
): LayerHeight {
  if (termId === me) return 0;
  // Text is not readable when scaled down, and content has no layers anyway.
  if (kind === 'screen') return 720;
  const lines = pictureArea(place).height * (screen.density ?? 1);
  const most = screen.phone === true && area !== 'stage' && area !== 'seat' ? 360 : 720;
  const layers = [180, 360] as const;
  return layers.find((layer) => layer === most || lines <= layer * ENOUGH) ?? 720;
}
