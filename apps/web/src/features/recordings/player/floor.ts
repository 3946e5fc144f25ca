import { SILENCE, tickSpeakers, updateSpeakers } from '@rmeet/conference';
import type { RecordingTimeline } from '@rmeet/contract';

/** After these times without a change, who has the floor may have changed; ms. */
const LATER = [0, 700, 1_200];

/** Who had the floor when, and who before: found from who spoke, by the rule that the meeting itself followed. */
export interface Floor {
  at: number;
  speakers: readonly string[];
}

/** The floor of a whole recording, in order of time. */
export function floorOf(speaking: RecordingTimeline['speaking']): Floor[] {
  const spans = speaking
    .flatMap(({ termId, spans: of }) => of.map((span) => ({ ...span, termId })))
    .toSorted((a, b) => a.from - b.from);
  const times = [...new Set(spans.flatMap(({ from, to }) => LATER.flatMap((ms) => [from + ms, to + ms])))];
  const floor: Floor[] = [];
  let state = SILENCE;
  let begun = 0;
  let active: typeof spans = [];
  for (const at of times.toSorted((a, b) => a - b)) {
    for (; (spans[begun]?.from ?? Infinity) <= at; begun += 1) active.push(...spans.slice(begun, begun + 1));
    active = active.filter(({ to }) => to > at);
    const ids = [...new Set(active.map(({ termId }) => termId))];
    state = tickSpeakers(updateSpeakers(state, ids, at), at);
    if (state.recent !== floor.at(-1)?.speakers) floor.push({ at, speakers: state.recent });
  }
  return floor;
}

/** The entry that applies at a time: the last one that is not later. `entries` are in order. */
export function lastAt<T extends { at: number }>(entries: readonly T[], time: number): T | undefined {
  return entries.findLast(({ at }) => at <= time);
}
