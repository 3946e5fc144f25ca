import type { Tile } from '../../../call/index.ts';

/** The people among the tiles whose name contains `search`: raised hands first, in the order they went up. */
export function peopleOf(tiles: readonly Tile[], search: string): Tile[] {
  const wanted = search.trim().toLocaleLowerCase();
  return tiles
    .filter((tile) => tile.kind === 'camera' && tile.name.toLocaleLowerCase().includes(wanted))
    .map((tile, at) => ({ tile, at }))
    .sort((a, b) => (a.tile.handRaisedAt ?? '~').localeCompare(b.tile.handRaisedAt ?? '~', 'en') || a.at - b.at)
    .map(({ tile }) => tile);
}
