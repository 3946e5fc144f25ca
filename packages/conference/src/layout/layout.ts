import { controlOrder, type ConferenceControl } from '../state/control.ts';
import { AUTO_LAYOUT, type ScreenLayout, type WindowPosition } from '../state/screen.ts';
import { gridIn, pictureArea, stageIn, type Place, type Space } from './geometry.ts';
import { seatsIn, withWindow } from './models.ts';

/** Where pictures go. Pixels, as a page counts them. */
export interface LayoutScreen {
  width: number;
  height: number;
  /** Between pictures. Default 8. */
  gap?: number;
  /**
   * A phone held in the hand: smaller pictures are worth showing, and no more than 360 lines are asked for beside the
   * stage.
   */
  phone?: boolean;
  /** Physical pixels to one of the page's. Default 1. */
  density?: number;
}

export interface LayoutInput {
  control: ConferenceControl;
  /** termIds with a picture or a place for one, in the order they came. */
  terminals: readonly string[];
  /** termIds of those who share content; the one who began last is shown. */
  sharing: readonly string[];
  /**
   * termIds: who has the floor, then those who had it before, latest first. How long somebody keeps it is the caller's.
   */
  speakers: readonly string[];
  /** termId of who looks; null for an onlooker, as the desk's preview or the recorder. */
  me: string | null;
  screen: LayoutScreen;
  /** Key of the picture that this person wants large; followed while nobody has been put on air. */
  pinned?: string | null;
  /** From 0; clamped to those there are. */
  page?: number;
  /** This person has left the chair's layout for their own view, which counts where the chair allows it. */
  ownView?: boolean;
}

/** Lines of the layer to ask for; 0: none, because it is our own. */
export type LayerHeight = 0 | 180 | 360 | 720;

/** One picture and its place, in fractions of the screen from its top left corner. */
export interface LayoutCell extends Place {
  /** termId, or termId and `-screen`. */
  key: string;
  termId: string;
  kind: 'camera' | 'screen';
  area: 'stage' | 'strip' | 'grid' | 'seat' | 'window';
  ask: LayerHeight;
  /** The number of its seat, where the layout has seats. */
  seat?: number;
}

/** A seat with nobody to be seen in it. */
export interface EmptySeat extends Place {
  seat: number;
  /** Who is to sit there, as the chair has said; null where nobody is left for it. */
  source: string | null;
}

/**
 * A picture that is not shown yet but will be at the next turn, and should be there by then, in the place it will have.
 */
export type WarmPicture = Pick<LayoutCell, 'key' | 'termId' | 'kind' | 'ask' | keyof Place>;

export interface Layout {
  /** Who is on air to all; null while nobody is above the others. */
  onAirId: string | null;
  /** Beside or below the stage; null where there is no strip. */
  strip: 'right' | 'bottom' | null;
  /** What is shown, in reading order: the stage first. */
  cells: LayoutCell[];
  /** Keys of what is on other pages. */
  hidden: string[];
  page: number;
  pages: number;
  /** What the pictures are arranged by, for who looks. */
  model: ScreenLayout['model'];
  empty: EmptySeat[];
  warm: WarmPicture[];
}

/** Lines that a picture may be short of its place before the next layer is worth its bits. */
const ENOUGH = 1.25;

type Picture = Pick<LayoutCell, 'key' | 'termId' | 'kind'>;

/**
 * Who is on air to all: whose turn it is in polling, the lecturer or the speaker named by the chair, or who has the
 * floor while the mode is AUTO or nobody has a turn. Null while nobody is above the others. `speakers` as in a layout's
 * input; only those in `present` count.
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

/** Pictures in places, pixels from the top left corner of their part of the screen. */
interface Arranged extends Pick<Layout, 'strip' | 'hidden' | 'page' | 'pages'> {
  cells: (Place & { picture: Picture; area: LayoutCell['area']; seat?: number })[];
  empty: EmptySeat[];
  /** Where whose turn it is is seen, or will be at the next turn. */
  turn: TurnPlace | null;
}

/** A layout's input with what was found of it. */
interface Situation extends LayoutInput {
  layout: ScreenLayout;
  onAir: string | null;
  pictures: Picture[];
  space: Space;
}

/**
 * Which pictures are where, by the layout the chair has chosen for all or for this terminal. In AUTO shared content
 * takes the stage, then whoever is on air; nobody sees themselves there: the named speaker sees all the others, who has
 * the floor sees the one who had it before, the lecturer whose turn it is. Nobody on the stage makes a grid. In a
 * layout of seats those named by the chair sit where they were put, the others follow: on air first, then in the
 * chair's order. Shared content without a seat is docked beside the rest, where the chair has said or no layout holds
 * it.
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

/** The layout that counts for this viewer, and the space that docked content leaves to it. */
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

/** The content that is shown: of the terminal it is locked to, else of who began last. */
function contentOf({ control, sharing, terminals, me }: LayoutInput): Picture | null {
  const shared = sharing.filter(
    (termId) => terminals.includes(termId) && (control.contentLockId === null || control.contentLockId === termId),
  );
  const termId = shared.findLast((id) => id !== me) ?? shared.at(-1);
  return termId === undefined ? null : { key: screenKey(termId), termId, kind: 'screen' };
}

/** Where content is docked; null where it has its place among the pictures. */
function windowOf({ model, seats }: ScreenLayout, position: WindowPosition | null): WindowPosition | null {
  if (seats.some(({ source }) => source === 'CONTENT')) return null;
  return model === 'AUTO' || model === '1+N' ? position : (position ?? 'RIGHT');
}

/** Whoever is seen by the next turn, in the size it will have. */
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

/** A large picture with a strip, or a grid where nothing is large. */
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

/** Everybody in the seats of the layout; who finds none is not seen. */
function inSeats(situation: Situation): Arranged {
  const { control, speakers, me, pictures, space, layout } = situation;
  const places = seatsIn(layout, space);
  const byKey = new Map(pictures.map((picture) => [picture.key, picture]));
  const named = new Map(layout.seats.map(({ seat, source }) => [seat, source]));
  const taken = new Set<string>();
  const seated = places.map((): Picture | null => null);
  // Nobody is seen twice: whose turn it is is seen in the seat for that.
  for (const { seat, source } of layout.seats.toSorted(
    (a, b) => Number(b.source === 'POLL') - Number(a.source === 'POLL'),
  )) {
    const picture = byKey.get(sourceKey(source, situation) ?? '');
    if (picture === undefined || taken.has(picture.key)) continue;
    taken.add(picture.key);
    seated[seat - 1] = picture;
  }

  // One's own picture is the last to fill a seat by itself: what is missing in one's own view is oneself.
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

/** Who is above the others for who looks: who is on air, but the lecturer sees the round and nobody themselves. */
function leadingId({ control, onAir, me }: Pick<Situation, 'control' | 'onAir' | 'me'>): string | null {
  if (onAir === null || onAir !== me) return onAir;
  return control.mode === 'LECTURE' ? (control.polling?.turn?.termId ?? null) : null;
}

/**
 * The place among those of a layout where whose turn it is is seen; -1 for none. `open` are those that fill by
 * themselves.
 */
function turnSeat({ control, layout, onAir, me }: Situation, open: readonly number[]): number {
  const isLed =
    control.mode === 'POLLING' ? onAir === control.polling?.turn?.termId : control.mode === 'LECTURE' && onAir === me;
  const seat =
    layout.seats.find(({ source }) => source === 'POLL') ??
    (isLed ? layout.seats.find(({ source }) => source === 'SPEAKER') : undefined);
  return seat ? seat.seat - 1 : isLed ? (open[0] ?? -1) : -1;
}

/** Key of the picture that a seat's source stands for now. */
function sourceKey(source: string, situation: Situation): string | null {
  const { control, onAir, me } = situation;
  if (source === 'POLL') return control.polling?.turn?.termId ?? null;
  if (source === 'SPEAKER') return control.mode === 'LECTURE' && onAir === me ? leadingId(situation) : onAir;
  return source === 'CONTENT' ? (contentOf(situation)?.key ?? null) : source;
}

/** All there is to see: one's own first, then in the chair's order; each one's content after the camera. */
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

/** Key of the picture that is large: of `1+N` who sits in its seat, else what takes the stage. */
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

/** Key of the picture that the viewer has pinned, where people may have a view of their own. */
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
 * Brings who spoke lately onto the first page and moves nobody else: each takes a place there of somebody silent, from
 * the end. Who has a place already keeps it, so that two in a dispute do not make the pictures jump.
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

/** The lowest layer that fills the place, give or take a little. */
function layerFor(
  { termId, kind }: Picture,
  area: LayoutCell['area'],
  place: Place,
  { me, screen }: LayoutInput,
): LayerHeight {
  if (termId === me) return 0;
  // Text does not survive being made small; content has no layers anyway.
  if (kind === 'screen') return 720;
  const lines = pictureArea(place).height * (screen.density ?? 1);
  const most = screen.phone === true && area !== 'stage' && area !== 'seat' ? 360 : 720;
  const layers = [180, 360] as const;
  return layers.find((layer) => layer === most || lines <= layer * ENOUGH) ?? 720;
}
