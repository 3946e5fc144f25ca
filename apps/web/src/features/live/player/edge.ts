import type { LevelDetails } from 'hls.js';

/** Where a playlist ends, as far as it is needed here. */
type Listed = Pick<LevelDetails, 'fragments' | 'partList' | 'age' | 'targetduration'>;

/** The time of day at which the last thing of a playlist ends; null without a program date time. Ms. */
function edgeOf({ fragments, partList }: Pick<Listed, 'fragments' | 'partList'>): number | null {
  const ends = [
    ...fragments.slice(-1).map(({ programDateTime, duration }) => ({ from: programDateTime, after: duration })),
    ...(partList ?? [])
      .slice(-1)
      .map(({ fragment, fragOffset, duration }) => ({ from: fragment.programDateTime, after: fragOffset + duration })),
  ].flatMap(({ from, after }) => (typeof from === 'number' ? [from + after * 1_000] : []));
  return ends.length === 0 ? null : Math.max(...ends);
}

/**
 * How far the picture is behind the broadcast: from what is shown to the end of the playlist, and the age of that.
 * Both times are the server's, so that the viewer's clock does not matter. Seconds; null if it is not known.
 */
export function behindOf(details: Listed, playing: Date | null): number | null {
  const edge = edgeOf(details);
  if (edge === null || playing === null) return null;
  const age = Math.min(details.age, details.targetduration);
  return Math.max(0, (edge - playing.getTime()) / 1_000 + age);
}
