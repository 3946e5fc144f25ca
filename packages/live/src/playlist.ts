import type { Listed } from './listing.ts';
import { initName, partName, segmentName } from './names.ts';

export interface PlaylistOptions {
  /** Not empty. */
  listed: readonly Listed[];
  /** Unix time in ms of the recording's time 0. */
  startsAt: number;
  /** EXT-X-TARGETDURATION and PART-TARGET, seconds. */
  target: number;
  partTarget: number;
  /** Nothing follows. */
  isOver: boolean;
  /** Added to the name of each file. */
  query: string;
}

/** How much is listed, ms. Not all, since each part brings another playlist. */
const LISTED_MS = { lowLatency: 18_000, plain: 30_000 };
/** Parts are listed of the last so many complete segments: who is farther behind does without (RFC 8216 bis, 6.2.2). */
const SEGMENTS_WITH_PARTS = 2;
/** Seconds that a missing segment seems to last: players need not wait for them. */
const HOLE = 0.01;
/** From here on, ms, a segment is as long as one should be: the next part probably begins another one. */
const USUAL_MS = 1_850;

const seconds = (ms: number): string => (ms / 1_000).toFixed(5);

/** The newest segments, of so many ms at most. */
function newest(listed: readonly Listed[], ms: number): Listed[] {
  // Sums of times are not exact.
  let rest = ms + 1;
  const tooOld = listed.findLastIndex(({ segment }) => (rest -= segment.duration) < 0);
  return listed.slice(Math.min(tooOld + 1, listed.length - 1));
}

/** What is before a segment: missing ones, discontinuities, its initialization segment, its time. */
function* headOf(
  { segment, discontinuity }: Listed,
  before: Listed | undefined,
  { startsAt, query }: PlaylistOptions,
): Generator<string> {
  if (before) {
    for (let number = before.segment.number + 1; number < segment.number; number += 1)
      yield `#EXT-X-GAP\n#EXTINF:${HOLE.toFixed(5)},\n${segmentName(segment.init, number)}?${query}`;
    // Those of segments that are not shown are counted, too.
    for (let n = before.discontinuity; n < discontinuity; n += 1) yield '#EXT-X-DISCONTINUITY';
  }
  if (before && before.discontinuity === discontinuity && before.segment.number + 1 === segment.number) return;
  yield `#EXT-X-MAP:URI="${initName(segment.init)}?${query}"`;
  yield `#EXT-X-PROGRAM-DATE-TIME:${new Date(startsAt + segment.at).toISOString()}`;
}

function hasHoles(listed: readonly Listed[]): boolean {
  return listed.some(({ segment }, n) => n > 0 && segment.number > listed[n - 1]!.segment.number + 1);
}

function headerOf(listed: readonly Listed[], target: number, control: readonly string[]): string[] {
  const [first] = listed;
  return [
    '#EXTM3U',
    `#EXT-X-VERSION:${hasHoles(listed) ? 8 : 7}`,
    `#EXT-X-TARGETDURATION:${target}`,
    ...control,
    `#EXT-X-MEDIA-SEQUENCE:${first!.segment.number}`,
    `#EXT-X-DISCONTINUITY-SEQUENCE:${first!.discontinuity}`,
    '#EXT-X-INDEPENDENT-SEGMENTS',
  ];
}

const segmentLines = ({ segment }: Listed, query: string): string[] => [
  `#EXTINF:${seconds(segment.duration)},`,
  `${segmentName(segment.init, segment.number)}?${query}`,
];

/** The playlist without parts, for players that do not know them: segments that are complete. */
export function plainPlaylist(options: PlaylistOptions): string | undefined {
  const { target, isOver, query } = options;
  const complete = options.listed.filter(({ segment }) => segment.data !== undefined);
  const listed = newest(complete, LISTED_MS.plain);
  if (listed.length === 0) return undefined;
  const lines = headerOf(listed, target, [`#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,HOLD-BACK=${3 * target}`]);
  for (const [n, one] of listed.entries())
    lines.push(...headOf(one, listed[n - 1], options), ...segmentLines(one, query));
  if (isOver) lines.push('#EXT-X-ENDLIST');
  return [...lines, ''].join('\n');
}

function partLines({ segment }: Listed, query: string): string[] {
  const { init, number, parts } = segment;
  return parts.map(({ duration }, n) => {
    const uri = `${partName(init, number, n)}?${query}`;
    return `#EXT-X-PART:DURATION=${seconds(duration)},URI="${uri}"${n === 0 ? ',INDEPENDENT=YES' : ''}`;
  });
}

/** The part that comes next, as far as it can be known. */
function hintOf({ segment }: Listed, query: string): string {
  const { init, number, parts, duration } = segment;
  const name = duration < USUAL_MS ? partName(init, number, parts.length) : partName(init, number + 1, 0);
  return `#EXT-X-PRELOAD-HINT:TYPE=PART,URI="${name}?${query}"`;
}

/** The playlist with parts (RFC 8216 bis). */
export function lowLatencyPlaylist(options: PlaylistOptions): string {
  const { target, partTarget, isOver, query } = options;
  const listed = newest(options.listed, LISTED_MS.lowLatency);
  const holdBack = (3 * partTarget).toFixed(2);
  const lines = headerOf(listed, target, [
    `#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=${holdBack},HOLD-BACK=${3 * target}`,
    `#EXT-X-PART-INF:PART-TARGET=${partTarget}`,
  ]);
  const last = listed.at(-1)!;
  const withParts = last.segment.number - SEGMENTS_WITH_PARTS + (last.segment.data ? 1 : 0);
  for (const [n, one] of listed.entries()) {
    lines.push(...headOf(one, listed[n - 1], options));
    if (one.segment.number >= withParts) lines.push(...partLines(one, query));
    if (one.segment.data) lines.push(...segmentLines(one, query));
  }
  if (last.segment.data === undefined) lines.push(hintOf(last, query));
  else if (isOver) lines.push('#EXT-X-ENDLIST');
  return [...lines, ''].join('\n');
}
