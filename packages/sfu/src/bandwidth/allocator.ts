/** A better layer than before must fit with this margin, so that streams do not alternate. */
const UPGRADE_ROOM = 1.1;

/** One level of a stream: a layer and its bitrate. */
export interface Level {
  /** Rank of the layer, 0 to 2. */
  quality: number;
  /** Bits per second. */
  bitrate: number;
}

/** The demand of one video stream of a subscriber. */
export interface Demand {
  /** From the lowest level to the wanted one; never empty. */
  levels: readonly Level[];
  /** Allocated first: the picture on air, and screens. */
  first: boolean;
  /** The index in `levels` that is sent now, -1 while paused. */
  granted: number;
}

/**
 * Allocates bits per second to video streams, given in order of importance: first all with `first`, then the rest; in
 * both groups each stream gets its lowest level before any gets a better one, then the best that fits, in order. Writes
 * `granted`; returns the remaining bitrate.
 *
 * @param guessed the budget is only a guess: the very first stream gets its lowest level even if that exceeds it. A
 * picture that needs more than an initial estimate, such as a screen in one layer, would otherwise stay paused until
 * probes have found enough bandwidth for it.
 */
export function allocate(demands: readonly Demand[], budget: number, guessed = false): number {
  const before = demands.map((demand) => demand.granted);
  for (const demand of demands) demand.granted = -1;
  let left = budget;
  const foremost = guessed ? (demands.find(({ first }) => first) ?? demands[0]) : undefined;
  if (foremost) {
    foremost.granted = 0;
    left -= foremost.levels[0]!.bitrate;
  }
  for (const first of [true, false]) {
    for (const [index, demand] of demands.entries()) {
      if (demand.first === first) left -= raise(demand, 0, before[index]!, left);
    }
    for (const [index, demand] of demands.entries()) {
      if (demand.first !== first || demand.granted < 0) continue;
      for (let level = demand.levels.length - 1; level > 0 && demand.granted < level; level -= 1) {
        left -= raise(demand, level, before[index]!, left);
      }
    }
  }
  return left;
}

/** Grants a level if it fits; returns the additional bitrate. */
function raise(demand: Demand, level: number, before: number, left: number): number {
  const had = demand.granted < 0 ? 0 : demand.levels[demand.granted]!.bitrate;
  const more = demand.levels[level]!.bitrate - had;
  const room = level > before ? more + demand.levels[level]!.bitrate * (UPGRADE_ROOM - 1) : more;
  if (room > left) return 0;
  demand.granted = level;
  return more;
}
