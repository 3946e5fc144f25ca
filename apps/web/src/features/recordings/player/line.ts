import type { RecordingEdit, RecordingSegment, Stretch } from '@rmeet/contract';

/** Times are stored in whole ms: segments that are this close follow each other. */
const CLOSE = 1;

/**
 * The stretches that are played, in order: what is stored, without what the edit leaves out. `positionOf` and
 * `clockTimeOf` of the contract map between them and times by the clock.
 */
export function keptOf(segments: readonly RecordingSegment[], edit: RecordingEdit | null): Stretch[] {
  const windows = windowsOf(edit);
  const kept: Stretch[] = [];
  for (const { at, duration } of segments) {
    for (const { from, to } of windows) {
      const start = Math.max(at, from);
      const end = Math.min(at + duration, to);
      if (end > start) append(kept, { at: start, duration: end - start });
    }
  }
  return kept;
}

/** What lies between the cuts. */
function windowsOf(edit: RecordingEdit | null): { from: number; to: number }[] {
  if (edit === null) return [{ from: 0, to: Infinity }];
  const windows: { from: number; to: number }[] = [];
  let from = edit.start ?? 0;
  for (const cut of edit.cuts.toSorted((a, b) => a.from - b.from)) {
    if (cut.from > from) windows.push({ from, to: cut.from });
    from = Math.max(from, cut.to);
  }
  const end = edit.end ?? Infinity;
  return [...windows, { from, to: end }].map((window) => ({ from: window.from, to: Math.min(window.to, end) }));
}

function append(kept: Stretch[], stretch: Stretch): void {
  const last = kept.at(-1);
  if (last && Math.abs(last.at + last.duration - stretch.at) <= CLOSE)
    last.duration = stretch.at + stretch.duration - last.at;
  else kept.push(stretch);
}

/** How long it plays; ms. */
export function lengthOf(kept: readonly Stretch[]): number {
  return kept.reduce((sum, { duration }) => sum + duration, 0);
}

/** Times by the clock at which something between them is left out. */
export function seamsOf(kept: readonly Stretch[]): number[] {
  return kept.slice(1).map(({ at }) => at);
}

/**
 * Where to play on from a time by the clock: the same time if it is played, else the start of the next stretch; null
 * at the end. `tolerance`: players round the times they are sent to.
 */
export function nextKept(kept: readonly Stretch[], time: number, tolerance = 0): number | null {
  for (const { at, duration } of kept) {
    if (time < at - tolerance) return at;
    if (time < at + duration) return time;
  }
  return null;
}
