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
const WIDEST = 16 / 9;
const NARROWEST = 3 / 4;

/** The size a camera's picture needs to cover a place. */
export function pictureArea({ width, height }: Pick<Place, 'width' | 'height'>): { width: number; height: number } {
  const lines = Math.max(height, width / CAMERA_ASPECT);
  return { width: lines * CAMERA_ASPECT, height: lines };
}

/**
 * The grid that shows `count` pictures with the largest visible area. Tries every number of columns: pictures fill
 * their cells as far as the cropping limits allow, and the area of each picture, less a share for what is cropped,
 * decides. If more pictures are given than fit at the minimum width, or more than 49, the grid is that of a full page.
 * All pages have the same grid.
 */
export function gridOf(count: number, space: Space): Grid {
  for (let perPage = Math.max(1, Math.min(count, MAX_PICTURES)); perPage > 1; perPage -= 1) {
    const grid = bestGrid(perPage, space);
    if (grid.width >= Math.min(space.minWidth, space.width)) return grid;
  }
  return bestGrid(1, space);
}

/** The places of pictures in such a grid. */
export function gridIn(count: number, space: Space): Places {
  const grid = gridOf(count, space);
  return { perPage: grid.perPage, places: (shown) => placesIn(grid, shown, space) };
}

/** One large picture with `count` others in a strip beside it; if the space is upright, two by two below it. */
export function stageIn(count: number, space: Space): Frame {
  if (count === 0)
    return {
      stage: { x: 0, y: 0, width: space.width, height: space.height },
      strip: null,
      perPage: 1,
      places: () => [],
    };
  return space.width < space.height * 1.1 ? stripBelow(space) : stripBeside(space);
}

function bestGrid(perPage: number, { width, height, gap }: Space): Grid {
  let best: Grid | undefined;
  let bestScore = -1;
  for (let columns = 1; columns <= perPage; columns += 1) {
    const rows = Math.ceil(perPage / columns);
    // Fewer columns with the same number of rows hold as many pictures, and larger ones.
    if (columns > 1 && Math.ceil(perPage / (columns - 1)) === rows) continue;
    const cell = pictureIn((width - gap * (columns - 1)) / columns, (height - gap * (rows - 1)) / rows);
    const kept = cell.width / cell.height / CAMERA_ASPECT;
    const score = cell.width * cell.height * Math.sqrt(kept);
    if (score <= bestScore) continue;
    bestScore = score;
    best = { columns, rows, ...cell, perPage };
  }
  return best ?? { columns: 1, rows: 1, width, height, perPage: 1 };
}

/** The largest picture that fits in a cell and meets the cropping limits, in whole pixels. */
export function pictureIn(width: number, height: number): { width: number; height: number } {
  const [cellWidth, cellHeight] = [Math.max(1, width), Math.max(1, height)];
  return {
    width: Math.max(1, Math.floor(Math.min(cellWidth, cellHeight * WIDEST))),
    height: Math.max(1, Math.floor(Math.min(cellHeight, cellWidth / NARROWEST))),
  };
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
    places: (count) =>
      Array.from({ length: count }, (_, at) => ({
        x: width - small,
        y: at * (lines + gap),
        width: small,
        height: lines,
      })),
  };
}

function stripBelow({ width, height, gap }: Space): Frame {
  const small = Math.floor((width - gap) / 2);
  const lines = Math.round(small / CAMERA_ASPECT);
  // High enough for 4:3 content, but one row of people always stays visible.
  const stage = Math.round(Math.min(width * 0.75, height - lines - gap));
  const rows = Math.max(1, Math.floor((height - stage) / (lines + gap)));
  return {
    stage: { x: 0, y: 0, width, height: stage },
    strip: 'bottom',
    perPage: 2 * rows,
    places: (count) =>
      Array.from({ length: count }, (_, at) => ({
        x: (at % 2) * (small + gap),
        y: stage + gap + Math.floor(at / 2) * (lines + gap),
        width: small,
        height: lines,
      })),
  };
}
