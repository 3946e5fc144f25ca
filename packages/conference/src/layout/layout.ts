import { controlOrder, type ConferenceControl } from '../state/control.ts';
import { AUTO_LAYOUT, type ScreenLayout, type WindowPosition } from '../state/screen.ts';
import {
  CAMERA_STAGE,
  cornerIn,
  gridIn,
  pictureArea,
  sideIn,
  stageIn,
  type Aspects,
  type Corner,
  type Place,
  type Space,
} from './geometry.ts';
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
  /** Keys of the pictures that the viewer has enlarged, at most four; used while nobody has been put on air. */
  pinned?: readonly string[];
  /** From 0; clamped to the existing pages. */
  page?: number;
  /** The viewer has left the chair's layout for the own view; it has an effect only if the chair allows it. */
  ownView?: boolean;
  /** How the viewer wants AUTO to arrange the pictures; it has an effect only if the chair allows it. */
  view?: ViewerView;
  /** termIds whose cameras this viewer does not want to see in AUTO, for example the viewer's own. */
  leftOut?: readonly string[];
  /** Where the viewer's own picture lies while there is one other. */
  corner?: Corner;
}

/**
 * AUTO: what `layoutOf` describes. GRID: all alike, but for shared content. SPEAKER: always one picture above the
 * others. SIDE: shared content, and all people in a grid beside it.
 */
export const VIEWER_VIEWS = ['AUTO', 'GRID', 'SPEAKER', 'SIDE'] as const;
export type ViewerView = (typeof VIEWER_VIEWS)[number];

/** Most pictures that a viewer can enlarge at once. */
export const MOST_PINNED = 4;

/** Lines of the layer to request; 0 for none, for the viewer's own picture. */
export type LayerHeight = 0 | 180 | 360 | 720;

/** One picture and its place, in fractions of the screen from its top left corner. */
export interface LayoutCell extends Place {
  /** termId, or termId and `-screen`. */
  key: string;
  termId: string;
  kind: 'camera' | 'screen';
  area: 'stage' | 'strip' | 'grid' | 'seat' | 'window' | 'corner';
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
  view: ViewerView;
}

/**
 * Computes which pictures go where, by the layout the chair has chosen for all or for this terminal. In AUTO, shared
 * content takes the stage, then who is on air. Viewers do not see themselves there: the named speaker sees all the
 * others, who has the floor sees who had it before, and the lecturer sees the terminal whose turn it is. With nothing
 * on the stage, the pictures form a grid. Who meets one other sees them large, and oneself in a corner. In a layout of
 * seats, terminals named by the chair sit where they were put and the others follow: on air first, then in the chair's
 * order. Shared content without a seat is docked beside the rest, if the chair has set so or the layout has no place
 * for it.
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
  const { control, terminals, speakers, screen } = input;
  const layout = layoutFor(input);
  const whole: Space = {
    width: screen.width,
    height: screen.height,
    gap: screen.gap ?? 8,
    minWidth: leastWidth(screen),
  };
  const content = contentOf(input);
  const position = content === null ? null : windowOf(layout, control.window);
  const docked = position === null || position === 'HIDDEN' ? null : withWindow(whole, position);
  const seen = { ...input, sharing: position === null ? input.sharing : [] };
  const onAir = onAirId(control, speakers, new Set(terminals));
  const situation = {
    ...seen,
    layout,
    onAir,
    pictures: layout.model === 'AUTO' ? wantedOf(seen, onAir) : picturesOf(seen),
    space: docked?.rest ?? whole,
    view: viewIn(layout, input),
  };
  return { situation, whole, docked, content };
}

/** Narrower pictures go to further pages. On a phone held upright, two beside each other fill its width. */
function leastWidth({ width, height, gap = 8, phone = false }: LayoutScreen): number {
  if (!phone) return 160;
  return height > width ? Math.min(170, Math.floor((width - gap) / 2)) : 120;
}

/** The viewer's own layout, the one the chair has set for this terminal, or that of all. */
function layoutFor({ control, me, ownView = false }: LayoutInput): ScreenLayout {
  if (ownView && control.allowOwnLayout) return AUTO_LAYOUT;
  return (me === null ? null : control.terminals[me]?.layout) ?? control.layout;
}

function viewIn({ model }: ScreenLayout, { control, view = 'AUTO' }: LayoutInput): ViewerView {
  return model === 'AUTO' && control.allowOwnLayout ? view : 'AUTO';
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

/** Large pictures with the others in a strip or beside them, or a grid if nothing is large. */
function onStage(situation: Situation): Arranged {
  const { control, speakers, me, onAir, pictures, layout, page = 0 } = situation;
  const pair = pairIn(situation);
  if (pair !== null) return pair;
  const large = largeKeys(situation).flatMap((key) => pictures.filter((picture) => picture.key === key));
  const small = pictures.filter((picture) => !large.includes(picture));
  // While content has the stage, the terminal on air comes right after it.
  const leading = leadingId(situation);
  const hasContent = large.some(({ kind }) => kind === 'screen');
  const first = hasContent && leading !== null ? small.filter(({ key }) => key === leading) : [];
  const ordered = [...first, ...small.filter((picture) => !first.includes(picture))];

  const frame = frameFor(large, ordered.length, situation);
  const isFixed = ({ key, termId }: Picture): boolean =>
    key === me || key === onAir || key === leading || control.terminals[termId]?.top === true;
  const seated = control.mode === 'EQUAL' ? ordered : promoteSpeakers(ordered, speakers, frame.perPage, isFixed);

  const pages = Math.max(1, Math.ceil(seated.length / frame.perPage));
  const current = Math.max(0, Math.min(page, pages - 1));
  const shown = seated.slice(current * frame.perPage, (current + 1) * frame.perPage);
  const places = frame.places(shown.length);
  const cells = shown.flatMap((picture, at) => (places[at] ? [{ picture, area: frame.area, ...places[at] }] : []));
  const stage = large.flatMap((picture, at) =>
    frame.large[at]
      ? [{ picture, area: 'stage' as const, ...frame.large[at], ...(layout.model === '1+N' ? { seat: 1 } : {}) }]
      : [],
  );
  return {
    strip: frame.strip,
    cells: [...stage, ...cells],
    hidden: seated.filter((picture) => !shown.includes(picture)).map(({ key }) => key),
    page: current,
    pages,
    empty: [],
    turn: turnOnStage(situation, hasContent, cells, [...stage, ...(first.length > 0 ? cells.slice(0, 1) : [])]),
  };
}

/** Two people who meet: the other one large, and the viewer's own picture in a corner. Null if it is not that. */
function pairIn(situation: Situation): Arranged | null {
  const { control, me, pictures, space, layout, view, corner = 'bottom-right' } = situation;
  const [own, other] = pictures;
  const isPair = pictures.length === 2 && own?.key === me && other?.kind === 'camera' && layout.model === 'AUTO';
  const isAlike = view === 'GRID' || (control.mode === 'EQUAL' && view !== 'SPEAKER');
  if (!isPair || isAlike || pinnedKeys(situation).length > 0) return null;
  const { width, height } = space;
  const [place = { x: 0, y: 0, width, height }] = placesOn(space, [other], space);
  const stage = [{ picture: other, area: 'stage' as const, ...place }];
  const cells = [...stage, { picture: own, area: 'corner' as const, ...cornerIn(space, corner) }];
  return {
    strip: null,
    cells,
    hidden: [],
    page: 0,
    pages: 1,
    empty: [],
    // In either turn, the next one that is seen is the other.
    turn: control.polling?.turn ? { ...place, area: 'stage' } : null,
  };
}

const CONTENT_STAGE: Aspects = { widest: 4 / 3, narrowest: 4 / 3 };
const SEVERAL_STAGE: Aspects = { widest: 5 / 6, narrowest: 5 / 6 };

/** The places of large pictures, and of the others. */
function frameFor(large: readonly Picture[], count: number, { space, view }: Situation) {
  if (large.length === 0) return { large: [], strip: null, area: 'grid' as const, ...gridIn(count, space) };
  const isContent = large.every(({ kind }) => kind === 'screen');
  const isSide = view === 'SIDE' && isContent && count > 0;
  const aspects = isContent ? CONTENT_STAGE : large.length > 1 ? SEVERAL_STAGE : CAMERA_STAGE;
  const { stage, ...frame } = isSide ? sideIn(count, space) : stageIn(count, space, aspects);
  return { ...frame, area: isSide ? ('grid' as const) : ('strip' as const), large: placesOn(stage, large, space) };
}

/**
 * Where large pictures are on a stage in the top left corner: content fills it, cameras are whole. On an upright screen
 * one camera fills it too.
 */
function placesOn(stage: Pick<Place, 'width' | 'height'>, large: readonly Picture[], space: Space): Place[] {
  const { width, height } = stage;
  const isUpright = space.height > space.width;
  if (large.length === 1 && (isUpright || large[0]?.kind === 'screen')) return [{ x: 0, y: 0, width, height }];
  return gridIn(large.length, { ...space, width, height, minWidth: 1 }).places(large.length);
}

/**
 * Where the terminal whose turn it is is seen, or will be at the next turn; null for nowhere.
 *
 * @param leading cells of the stage and of the terminal on air
 */
function turnOnStage(
  situation: Situation,
  hasContent: boolean,
  cells: Arranged['cells'],
  leading: Arranged['cells'],
): TurnPlace | null {
  const { control, me, onAir, pictures, layout } = situation;
  const turnId = control.polling?.turn?.termId;
  const seen = turnId === undefined ? undefined : leading.find(({ picture }) => picture.key === turnId);
  if (seen) return seen;
  // The terminal on air does not see itself there, but will see the next one.
  const isOwnTurn = turnId === me && turnId === onAir && layout.seats.length === 0;
  if (!isOwnTurn) return null;
  if (hasContent) return cells[0] ?? null;
  const next = pictures.find(({ key, kind }) => key !== me && kind === 'camera');
  const place = next && frameFor([next], pictures.length - 1, situation).large[0];
  return place ? { ...place, area: 'stage' } : null;
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

/** Keys of the large pictures: in `1+N` who sits in its seat, else what the viewer pinned, or who has the stage. */
function largeKeys(situation: Situation): string[] {
  const { layout, pictures, me, view } = situation;
  const source = layout.model === '1+N' ? layout.seats.find(({ seat }) => seat === 1)?.source : undefined;
  const seated = source === undefined ? null : sourceKey(source, situation);
  if (pictures.some(({ key }) => key === seated)) return seated === null ? [] : [seated];
  const pinned = pinnedKeys(situation);
  if (pinned.length > 0) return pinned;
  const hasStage = layout.model === '1+N' || view === 'SPEAKER';
  const key = stageKey(situation) ?? (hasStage ? pictures.find(({ termId }) => termId !== me)?.key : undefined);
  return key === undefined ? [] : [key];
}

/** Whether the chair has put somebody on air, by name or by turn. */
function isNamed({ control, onAir }: Pick<Situation, 'control' | 'onAir'>): boolean {
  return control.mode !== 'AUTO' && control.mode !== 'EQUAL' && onAir !== null;
}

/** Keys of the pictures that the viewer has pinned, if that has an effect. */
function pinnedKeys(situation: Situation): string[] {
  const { control, pinned = [], pictures } = situation;
  if (!control.allowOwnLayout || isNamed(situation)) return [];
  return pinned.filter((key) => pictures.some((picture) => picture.key === key)).slice(0, MOST_PINNED);
}

/** Key of the picture that takes the stage. */
function stageKey(situation: Situation): string | null {
  const { control, speakers, me, onAir, pictures, view } = situation;
  const content = pictures.some(({ kind }) => kind === 'screen') ? contentOf(situation) : null;
  if (content !== null && content.termId !== me) return content.key;
  if (control.mode === 'LECTURE' && onAir === me) return leadingId(situation);
  if (isNamed(situation)) return onAir === me ? null : onAir;
  if (view === 'GRID' || (onAir === null && view !== 'SPEAKER')) return null;
  return speakers.find((termId) => termId !== me && pictures.some(({ key }) => key === termId)) ?? null;
}

/** The pictures without the cameras that the viewer does not want to see, if that leaves any. */
function wantedOf(input: LayoutInput, onAir: string | null): Picture[] {
  const { control, me, leftOut = [] } = input;
  const pictures = picturesOf(input);
  const mayLeaveOut = (termId: string): boolean =>
    termId === me || (control.allowOwnLayout && !(termId === onAir && isNamed({ control, onAir })));
  const wanted = pictures.filter(
    ({ kind, termId }) => kind === 'screen' || !leftOut.includes(termId) || !mayLeaveOut(termId),
  );
  return wanted.length === 0 ? pictures : wanted;
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
