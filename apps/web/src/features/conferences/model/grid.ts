/** The space tiles may fill and how they may look. Pixels. */
export interface GridSpace {
  width: number;
  height: number;
  gap: number;
  /** Tiles narrower than this are not worth showing; the rest goes to further pages. */
  minTileWidth: number;
}

export interface GridLayout {
  columns: number;
  rows: number;
  tileWidth: number;
  tileHeight: number;
  /** How many tiles one page holds. */
  perPage: number;
}

export const MAX_TILES = 49;
const CAMERA_ASPECT = 16 / 9;
/** How far a tile may depart from a camera's 16:9; beyond these too much of the picture would be cut off. */
const WIDEST = 16 / 9;
const NARROWEST = 3 / 4;

/**
 * The grid in which `count` tiles show the most: for every number of columns the tiles fill their cells as far as the
 * cropping limits allow, and the area of picture left of each, less a share for what is cropped, decides. With more tiles
 * than fit at `minTileWidth`, or more than 49, the grid is that of a full page.
 */
export function gridLayout(count: number, space: GridSpace): GridLayout {
  const wanted = Math.max(1, Math.min(count, MAX_TILES));
  for (let perPage = wanted; perPage > 1; perPage -= 1) {
    const layout = bestGrid(perPage, space);
    if (layout.tileWidth >= Math.min(space.minTileWidth, space.width)) return layout;
  }
  return bestGrid(1, space);
}

function bestGrid(count: number, space: GridSpace): GridLayout {
  let best: GridLayout | undefined;
  let bestScore = -1;
  for (let columns = 1; columns <= count; columns += 1) {
    const rows = Math.ceil(count / columns);
    // The same rows with fewer columns hold as many tiles, larger.
    if (columns > 1 && Math.ceil(count / (columns - 1)) === rows) continue;
    const { tileWidth, tileHeight } = tileIn((space.width - space.gap * (columns - 1)) / columns, (space.height - space.gap * (rows - 1)) / rows);
    const kept = tileWidth / tileHeight / CAMERA_ASPECT;
    const score = tileWidth * tileHeight * Math.sqrt(kept);
    if (score > bestScore) {
      bestScore = score;
      best = { columns, rows, tileWidth, tileHeight, perPage: count };
    }
  }
  return best ?? { columns: 1, rows: 1, tileWidth: space.width, tileHeight: space.height, perPage: 1 };
}

/** The largest tile within a cell that keeps to the cropping limits, in whole pixels. */
function tileIn(width: number, height: number): { tileWidth: number; tileHeight: number } {
  const cellWidth = Math.max(1, width);
  const cellHeight = Math.max(1, height);
  return {
    tileWidth: Math.max(1, Math.floor(Math.min(cellWidth, cellHeight * WIDEST))),
    tileHeight: Math.max(1, Math.floor(Math.min(cellHeight, cellWidth / NARROWEST))),
  };
}

export interface FocusLayout {
  /** Where the strip of small tiles lies. */
  strip: 'right' | 'bottom';
  stageWidth: number;
  stageHeight: number;
  tileWidth: number;
  tileHeight: number;
  /** How many small tiles are in sight without scrolling. */
  visible: number;
}

/** One large picture with the others in a strip beside it; where the space is upright, two by two below it. */
export function focusLayout(space: GridSpace): FocusLayout {
  return space.width < space.height * 1.1 ? stripBelow(space) : stripBeside(space);
}

function stripBeside({ width, height, gap }: GridSpace): FocusLayout {
  const tileWidth = Math.round(Math.max(130, Math.min(240, width * 0.18)));
  const tileHeight = Math.round(tileWidth / CAMERA_ASPECT);
  const visible = Math.max(1, Math.floor((height + gap) / (tileHeight + gap)));
  return { strip: 'right', stageWidth: width - tileWidth - gap, stageHeight: height, tileWidth, tileHeight, visible };
}

function stripBelow({ width, height, gap }: GridSpace): FocusLayout {
  const tileWidth = Math.floor((width - gap) / 2);
  const tileHeight = Math.round(tileWidth / CAMERA_ASPECT);
  // As high as a screen of 4:3 needs, but one row of people always stays in sight.
  const stageHeight = Math.round(Math.min(width * 0.75, height - tileHeight - gap));
  const rows = Math.max(1, Math.floor((height - stageHeight) / (tileHeight + gap)));
  return { strip: 'bottom', stageWidth: width, stageHeight, tileWidth, tileHeight, visible: 2 * rows };
}

/** Pages of tiles; at least one, and `page` clamped to those there are. */
export function pageOf<T>(items: readonly T[], perPage: number, page: number): { shown: readonly T[]; page: number; pages: number } {
  const pages = Math.max(1, Math.ceil(items.length / perPage));
  const current = Math.max(0, Math.min(page, pages - 1));
  return { shown: items.slice(current * perPage, (current + 1) * perPage), page: current, pages };
}
