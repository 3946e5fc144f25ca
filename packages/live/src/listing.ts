import type { LiveSegment, LiveWindow } from './window.ts';

/** A time on air, Unix ms; null: it lasts. */
export interface Span {
  from: number;
  until: number | null;
}

/** A segment that is shown. */
export interface Listed {
  segment: LiveSegment;
  /**
   * Its discontinuity sequence number. It follows from the numbers of initialization segment and span, so that all
   * servers agree on it, also those that began later.
   */
  discontinuity: number;
}

/** Holes of more segments are not filled: the playlist begins behind them, as if it had moved on. */
export const LONGEST_HOLE = 3;

/** The span that a segment begins in; -1: it is not shown. */
export function spanOf(spans: readonly Span[], { startsAt }: LiveWindow, { at }: LiveSegment): number {
  const time = startsAt + at;
  return spans.findIndex(({ from, until }) => time >= from && (until === null || time < until));
}

/** The segments that may be shown, the newest without a long hole between them. */
export function listedIn(window: LiveWindow, spans: readonly Span[]): Listed[] {
  const listed: Listed[] = [];
  for (const segment of window.segments.toReversed()) {
    const span = spanOf(spans, window, segment);
    const next = listed[0]?.segment.number ?? segment.number + 1;
    if (next - segment.number - 1 > LONGEST_HOLE) break;
    if (span >= 0) listed.unshift({ segment, discontinuity: segment.init + segment.gaps + span });
  }
  return listed;
}
