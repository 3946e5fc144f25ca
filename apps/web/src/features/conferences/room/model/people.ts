import { controlOrder, type ConferenceControl } from '@rmeet/conference';
import type { Tile } from '../../../../call/index.ts';

/**
 * The people among the tiles whose name contains `search`: those the chair pins on top, then raised hands in order,
 * then the others in the chair's order, else in order of joining.
 */
export function peopleOf(tiles: readonly Tile[], control: ConferenceControl, search: string): Tile[] {
  const wanted = search.trim().toLocaleLowerCase();
  const places = new Map(controlOrder(control).map((termId, at) => [termId, at]));
  const rank = ({ termId, handRaisedAt }: Tile, at: number): number[] => [
    control.terminals[termId]?.top === true ? 0 : 1,
    handRaisedAt === null ? Number.MAX_SAFE_INTEGER : Date.parse(handRaisedAt),
    // Terminals that the media engine knows before the conference does come last.
    places.get(termId) ?? places.size + at,
  ];
  return tiles
    .filter((tile) => tile.kind === 'camera' && tile.name.toLocaleLowerCase().includes(wanted))
    .map((tile, at) => ({ tile, rank: rank(tile, at) }))
    .sort(
      (a, b) => a.rank.map((value, index) => value - (b.rank[index] ?? 0)).find((difference) => difference !== 0) ?? 0,
    )
    .map(({ tile }) => tile);
}
