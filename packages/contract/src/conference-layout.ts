import { controlOrder, type ConferenceControl } from './conference-control.ts';
import { gridIn, pictureArea, stageIn, type Place, type Space } from './layout-geometry.ts';

/** Where pictures go. Pixels, as a page counts them. */
export interface LayoutScreen {
  width: number;
  height: number;
  /** Between pictures. Default 8. */
  gap?: number;
  /** A phone held in the hand: smaller pictures are worth showing, and no more than 360 lines are asked for beside the stage. */
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
  /** termIds: who has the floor, then those who had it before, latest first. How long somebody keeps it is the caller's. */
  speakers: readonly string[];
  /** termId of who looks; null for an onlooker, as the desk's preview or the recorder. */
  me: string | null;
  screen: LayoutScreen;
  /** Key of the picture that this person wants large; followed while nobody has been put on air. */
  pinned?: string | null;
  /** From 0; clamped to those there are. */
  page?: number;
}

/** Lines of the layer to ask for; 0: none, because it is our own. */
export type LayerHeight = 0 | 180 | 360 | 720;

/** One picture and its place, in fractions of the screen from its top left corner. */
export interface LayoutCell extends Place {
  /** termId, or termId and `-screen`. */
  key: string;
  termId: string;
  kind: 'camera' | 'screen';
  area: 'stage' | 'strip' | 'grid';
  ask: LayerHeight;
}

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
}

/** Lines that a picture may be short of its place before the next layer is worth its bits. */
const ENOUGH = 1.25;

type Picture = Pick<LayoutCell, 'key' | 'termId' | 'kind'>;

/**
 * Who is on air to all: the speaker named by the chair, or who has the floor while the mode is AUTO. Null while nobody
 * is above the others. `speakers` as in a layout's input; only those in `present` count.
 */
export function onAirId(control: Pick<ConferenceControl, 'mode' | 'speakerId'>, speakers: readonly string[], present: ReadonlySet<string>): string | null {
  const { mode, speakerId } = control;
  if (mode === 'SPEAKER') return speakerId !== null && present.has(speakerId) ? speakerId : null;
  return mode === 'AUTO' ? (speakers.find((termId) => present.has(termId)) ?? null) : null;
}

/**
 * Which pictures are where. Shared content takes the stage, then whoever is on air; nobody sees themselves there: the
 * named speaker sees all the others, who has the floor sees the one who had it before. Nobody on the stage makes a grid.
 * Everything else follows in the chair's order after one's own picture, and those who speak are kept on the first page.
 */
export function layoutOf(input: LayoutInput): Layout {
  const { control, terminals, speakers, me, screen, page = 0 } = input;
  const onAir = onAirId(control, speakers, new Set(terminals));
  const pictures = picturesOf(input);
  const large = pictures.find(({ key }) => key === stageKey(input, onAir, pictures)) ?? null;
  const small = pictures.filter((picture) => picture !== large);
  // While content has the stage, who is on air comes right after it.
  const first = large?.kind === 'screen' && onAir !== null ? small.filter(({ key }) => key === onAir) : [];
  const ordered = [...first, ...small.filter((picture) => !first.includes(picture))];

  const space: Space = { width: screen.width, height: screen.height, gap: screen.gap ?? 8, minWidth: screen.phone ? 120 : 160 };
  const frame = large === null ? { stage: null, strip: null, ...gridIn(ordered.length, space) } : stageIn(ordered.length, space);
  const isFixed = ({ key, termId }: Picture): boolean => key === me || key === onAir || control.terminals[termId]?.top === true;
  const seated = control.mode === 'EQUAL' ? ordered : promoteSpeakers(ordered, speakers, frame.perPage, isFixed);

  const pages = Math.max(1, Math.ceil(seated.length / frame.perPage));
  const current = Math.max(0, Math.min(page, pages - 1));
  const shown = seated.slice(current * frame.perPage, (current + 1) * frame.perPage);
  const cell = (picture: Picture, area: LayoutCell['area'], place: Place): LayoutCell => {
    const { x, y, width, height } = place;
    const inFractions = { x: x / space.width, y: y / space.height, width: width / space.width, height: height / space.height };
    return { ...picture, area, ...inFractions, ask: layerFor(picture, area, place, input) };
  };
  const places = frame.places(shown.length);
  const cells = shown.flatMap((picture, at) => (places[at] ? [cell(picture, large === null ? 'grid' : 'strip', places[at])] : []));
  return {
    onAirId: onAir,
    strip: frame.strip,
    cells: large === null || frame.stage === null ? cells : [cell(large, 'stage', frame.stage), ...cells],
    hidden: seated.filter((picture) => !shown.includes(picture)).map(({ key }) => key),
    page: current,
    pages,
  };
}

/** All there is to see: one's own first, then in the chair's order; each one's content after the camera. */
function picturesOf({ control, terminals, sharing, me }: LayoutInput): Picture[] {
  const place = new Map(controlOrder(control).map((termId, at) => [termId, at]));
  const rank = (termId: string): number => (termId === me ? -1 : (place.get(termId) ?? place.size));
  return terminals.toSorted((a, b) => rank(a) - rank(b)).flatMap((termId): Picture[] => {
    const camera: Picture = { key: termId, termId, kind: 'camera' };
    return sharing.includes(termId) ? [camera, { key: screenKey(termId), termId, kind: 'screen' }] : [camera];
  });
}

function screenKey(termId: string): string {
  return `${termId}-screen`;
}

/** Key of the picture that takes the stage. */
function stageKey({ control, speakers, terminals, sharing, me, pinned = null }: LayoutInput, onAir: string | null, pictures: readonly Picture[]): string | null {
  const isNamed = control.mode === 'SPEAKER' && onAir !== null;
  if (!isNamed && pinned !== null && pictures.some(({ key }) => key === pinned)) return pinned;
  const content = sharing.findLast((termId) => termId !== me && terminals.includes(termId));
  if (content !== undefined) return screenKey(content);
  if (onAir === null || onAir !== me) return onAir;
  if (isNamed) return null;
  return speakers.find((termId) => termId !== me && terminals.includes(termId)) ?? null;
}

/**
 * Brings who spoke lately onto the first page and moves nobody else: each takes a place there of somebody silent, from
 * the end. Who has a place already keeps it, so that two in a dispute do not make the pictures jump.
 */
function promoteSpeakers(pictures: readonly Picture[], speakers: readonly string[], perPage: number, isFixed: (picture: Picture) => boolean): Picture[] {
  const result = [...pictures];
  const seats = result.slice(0, perPage).flatMap((picture, at) => (isFixed(picture) ? [] : [at]));
  const due = new Set(speakers.filter((key) => result.some((picture) => picture.key === key && !isFixed(picture))).slice(0, seats.length));
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
function layerFor({ termId, kind }: Picture, area: LayoutCell['area'], place: Place, { me, screen }: LayoutInput): LayerHeight {
  if (termId === me) return 0;
  // Text does not survive being made small; content has no layers anyway.
  if (kind === 'screen') return 720;
  const lines = pictureArea(place).height * (screen.density ?? 1);
  const most = screen.phone === true && area !== 'stage' ? 360 : 720;
  const layers = [180, 360] as const;
  return layers.find((layer) => layer === most || lines <= layer * ENOUGH) ?? 720;
}
