import type { Tile } from '../../../call/index.ts';

/** The people among the tiles whose name contains `search`: raised hands first, in the order they went up. */
export function peopleOf(tiles: readonly Tile[], search: string): Tile[] {
  const wanted = search.trim().toLocaleLowerCase();
  return tiles
    .filter((tile) => tile.kind === 'camera' && tile.name.toLocaleLowerCase().includes(wanted))
    .map((tile, at) => ({ tile, at }))
    .sort((a, b) => raisedAt(a.tile) - raisedAt(b.tile) || a.at - b.at)
    .map(({ tile }) => tile);
}

/** Milliseconds; a hand that is down comes after all that are up. */
function raisedAt({ handRaisedAt }: Tile): number {
  return handRaisedAt === null ? Number.MAX_SAFE_INTEGER : Date.parse(handRaisedAt);
}
