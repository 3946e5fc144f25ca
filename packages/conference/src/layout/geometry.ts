/** A rectangle from the top left corner. */
export interface Place {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The space available for pictures. Pixels. */
export interface Space {
  width: number;
  height: number;
  gap: number;
  /** Narrower pictures are not worth showing; the rest go to further pages. */
  minWidth: number;
}

/** The places of small pictures: how many fit on a page, and the positions for `count` of them, at most one page. */
interface Places {
  perPage: number;
  places(count: number): Place[];
}

interface Frame extends Places {
  stage: Place;
  strip: 'right' | 'bottom' | null;
}

type Size = Pick<Place, 'width' | 'height'>;

/** How a picture fills the cell of a grid, and how good a grid of such pictures is. */
interface Shape {
  pictureIn: (width: number, height: number) => Size;
  worth: (picture: Size) => number;
}

/** A grid of pictures of one size; a page holds `perPage` of them. */
export interface Grid {
  columns: number;
  rows: number;
  width: number;
  height: number;
  perPage: number;
}

const MAX_PICTURES = 49;
const CAMERA_ASPECT = 16 / 9;
/**
 * Limits for the aspect ratio of a place, compared with a camera's 16:9; beyond them too much of the picture would be
 * cropped.
 */
const WIDEST = CAMERA_ASPECT;
const NARROWEST = 3 / 4;

const sizeIn = (width: number, height: number, narrowest: number): Size => {
  const [cellWidth, cellHeight] = [Math.max(1, width), Math.max(1, height)];
  return {
    width: Math.max(1, Math.floor(Math.min(cellWidth, cellHeight * WIDEST))),
    height: Math.max(1, Math.floor(Math.min(cellHeight, cellWidth / narrowest))),
  };
};
const areaOf = ({ width, height }: Size): number => width * height;

/** Tiles between the cropping limits; the area counts, less a share for what is cropped. */
const COMPACT: Shape = {
  pictureIn: (width, height) => pictureIn(width, height),
  worth: (tile) => areaOf(tile) * Math.sqrt(tile.width / tile.height / CAMERA_ASPECT),
};
/** Whole pictures of cameras. */
const WIDE: Shape = { pictureIn: (width, height) => sizeIn(width, height, CAMERA_ASPECT), worth: areaOf };
/**
 * For upright screens, where rows of 16:9 would leave half of the screen empty: pictures lose their sides, where no
 * face is, and the height counts more, because it decides how large faces are.
 */
const UPRIGHT: Shape = { pictureIn: COMPACT.pictureIn, worth: (tile) => Math.sqrt(areaOf(tile)) * tile.height };
/** One picture has an upright space for itself, for phones held upright send such pictures. */
const UPRIGHT_ALONE: Shape = { ...UPRIGHT, pictureIn: (width, height) => sizeIn(width, height, 0) };

/** The size a camera's picture needs to cover a place. */
export function pictureArea({ width, height }: Pick<Place, 'width' | 'height'>): { width: number; height: number } {
  const lines = Math.max(height, width / CAMERA_ASPECT);
  return { width: lines * CAMERA_ASPECT, height: lines };
}

/**
 * The grid of `count` tiles with the largest visible area. Tries every number of columns: tiles fill their cells as
 * far as the cropping limits allow. If more tiles are given than fit at the minimum width, or more than 49, the grid is
 * that of a full page. All pages have the same grid.
 */
export function gridOf(count: number, space: Space, shape: Shape = COMPACT): Grid {
  for (let perPage = Math.max(1, Math.min(count, MAX_PICTURES)); perPage > 1; perPage -= 1) {
    const grid = bestGrid(perPage, space, shape);
    if (grid.width >= Math.min(space.minWidth, space.width)) return grid;
  }
  return bestGrid(1, space, shape);
}

/**
 * The places of cameras in a grid: whole, in 16:9, or from 3:4 to 16:9 if the space is upright.
 */
export function gridIn(count: number, space: Space): Places {
  const isUpright = space.height > space.width;
  const grid = gridOf(count, space, !isUpright ? WIDE : count === 1 ? UPRIGHT_ALONE : UPRIGHT);
  return { perPage: grid.perPage, places: (shown) => placesIn(grid, shown, space) };
}

/** Limits of the aspect ratio of a large place with a strip below it. */
export interface Aspects {
  widest: number;
  narrowest: number;
}

/** For one camera: as high as the others leave it, as far as its sides may be cropped. */
export const CAMERA_STAGE: Aspects = { widest: WIDEST, narrowest: NARROWEST };

/**
 * One large place with `count` pictures in a strip beside it; if the space is upright, two by two below it.
 *
 * @param aspects of the large place, if the strip is below it; default: of one camera
 */
export function stageIn(count: number, space: Space, aspects = CAMERA_STAGE): Frame {
  if (count === 0)
    return {
      stage: { x: 0, y: 0, width: space.width, height: space.height },
      strip: null,
      perPage: 1,
      places: () => [],
    };
  return space.width < space.height * 1.1 ? stripBelow(count, space, aspects) : stripBeside(space);
}

/** A large place, with a grid of `count` pictures on its right; if the space is upright, below it. */
export function sideIn(count: number, space: Space): Frame {
  const { width, height, gap } = space;
  const isUpright = height > width;
  const [wide, high] = isUpright
    ? [width, Math.round(Math.min(width * 0.75, height * 0.45))]
    : [Math.round(width * 0.6), height];
  const rest = isUpright ? { ...space, height: height - high - gap } : { ...space, width: width - wide - gap };
  const [left, top] = isUpright ? [0, high + gap] : [wide + gap, 0];
  const grid = gridIn(count, rest);
  return {
    stage: { x: 0, y: 0, width: wide, height: high },
    strip: null,
    perPage: grid.perPage,
    places: (shown) =>
      grid.places(shown).map((place) => ({
        x: place.x + left,
        y: place.y + top,
        width: place.width,
        height: place.height,
      })),
  };
}

/** Corners in which the viewer's own picture can lie over another one. */
export const CORNERS = ['top-left', 'top-right', 'bottom-left', 'bottom-right'] as const;
export type Corner = (typeof CORNERS)[number];

/** Room for the name of the picture below, for the buttons of its tile, and to its edges. */
const NAME_LINE = 40;
const BUTTON_LINE = 48;
const EDGE = 14;

/** A small picture in a corner of the space, clear of the name and the buttons of the picture below it. */
export function cornerIn({ width, height }: Space, corner: Corner): Place {
  const isUpright = height > width;
  const wide = Math.round(isUpright ? Math.max(84, width * 0.28) : Math.max(110, Math.min(260, width * 0.18)));
  const high = Math.round(isUpright ? wide / NARROWEST : wide / CAMERA_ASPECT);
  return {
    x: corner.endsWith('left') ? EDGE : width - wide - EDGE,
    y: corner.startsWith('top') ? BUTTON_LINE : height - high - (corner === 'bottom-left' ? NAME_LINE : EDGE),
    width: wide,
    height: high,
  };
}

function bestGrid(perPage: number, { width, height, gap, minWidth }: Space, shape: Shape): Grid {
  let best: Grid | undefined;
  let most = -1;
  for (let columns = 1; columns <= perPage; columns += 1) {
    const rows = Math.ceil(perPage / columns);
    // Fewer columns with the same number of rows hold as many pictures, and larger ones.
    if (columns > 1 && Math.ceil(perPage / (columns - 1)) === rows) continue;
    const cell = shape.pictureIn((width - gap * (columns - 1)) / columns, (height - gap * (rows - 1)) / rows);
    // Wide enough goes before large.
    const worth = cell.width >= Math.min(minWidth, width) ? shape.worth(cell) : 0;
    if (worth <= most) continue;
    most = worth;
    best = { columns, rows, ...cell, perPage };
  }
  return best ?? { columns: 1, rows: 1, width, height, perPage: 1 };
}

/** The largest picture that fits in a cell and meets the cropping limits, in whole pixels. */
export function pictureIn(width: number, height: number): Size {
  return sizeIn(width, height, NARROWEST);
}

/** Rows from the top, each centred. */
function placesIn({ columns, width, height }: Grid, shown: number, space: Space): Place[] {
  const rows = Math.ceil(shown / columns);
  const top = (space.height - rows * (height + space.gap) + space.gap) / 2;
  return Array.from({ length: shown }, (_, at) => {
    const row = Math.floor(at / columns);
    const inRow = row === rows - 1 ? shown - row * columns : columns;
    const left = (space.width - inRow * (width + space.gap) + space.gap) / 2;
    return { x: left + (at % columns) * (width + space.gap), y: top + row * (height + space.gap), width, height };
  });
}

function stripBeside({ width, height, gap }: Space): Frame {
  const small = Math.round(Math.max(130, Math.min(240, width * 0.18)));
  const lines = Math.round(small / CAMERA_ASPECT);
  return {
    stage: { x: 0, y: 0, width: width - small - gap, height },
    strip: 'right',
    perPage: Math.max(1, Math.floor((height + gap) / (lines + gap))),
    places: (count) => {
      // In the middle, beside the large picture.
      const top = Math.round((height - count * (lines + gap) + gap) / 2);
      return Array.from({ length: count }, (_, at) => ({
        x: width - small,
        y: top + at * (lines + gap),
        width: small,
        height: lines,
      }));
    },
  };
}

/** The large place, then the small ones, take the height that rows of 16:9 would leave empty. */
function stripBelow(count: number, { width, height, gap }: Space, { widest, narrowest }: Aspects): Frame {
  const small = Math.floor((width - gap) / 2);
  const least = Math.round(small / CAMERA_ASPECT);
  // One row of people always stays visible.
  const low = Math.min(width / widest, height - least - gap);
  const fitting = Math.max(1, Math.floor((height - low) / (least + gap)));
  const rows = Math.min(fitting, Math.ceil(count / 2));
  const stage = Math.round(Math.max(low, Math.min(width / narrowest, height - rows * (least + gap))));
  const lines = Math.max(least, Math.min(Math.floor((height - stage) / rows - gap), Math.floor(small / NARROWEST)));
  return {
    stage: { x: 0, y: 0, width, height: stage },
    strip: 'bottom',
    perPage: 2 * fitting,
    places: (shown) =>
      Array.from({ length: shown }, (_, at) => ({
        x: (at % 2) * (small + gap),
        y: stage + gap + Math.floor(at / 2) * (lines + gap),
        width: small,
        height: lines,
      })),
  };
}
