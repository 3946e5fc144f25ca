import type { RecordingSegment } from '@rmeet/contract';

const targetOf = (segments: readonly RecordingSegment[]): number =>
  Math.max(1, ...segments.map(({ duration }) => Math.round(duration / 1_000)));

export interface PlaylistOptions {
  /** Those of the track that are played. */
  segments: readonly RecordingSegment[];
  /** Unix time in ms of `at` 0. */
  startsAt: number;
  /** Nothing follows. */
  isComplete: boolean;
  /** Added to the name of each file. */
  query: string;
}

/**
 * The playlist of a track (RFC 8216). Where a segment does not follow the one before, because one between them is cut
 * or missing, or another initialization segment begins, there is a discontinuity.
 */
export function playlistOf({ segments, startsAt, isComplete, query }: PlaylistOptions): string {
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${targetOf(segments)}`,
    `#EXT-X-PLAYLIST-TYPE:${isComplete ? 'VOD' : 'EVENT'}`,
    '#EXT-X-INDEPENDENT-SEGMENTS',
  ];
  let before: RecordingSegment | undefined;
  for (const segment of segments) {
    const isNewInit = segment.init !== before?.init;
    if (before && (isNewInit || segment.number !== before.number + 1)) lines.push('#EXT-X-DISCONTINUITY');
    if (isNewInit) lines.push(`#EXT-X-MAP:URI="init-${segment.init}.mp4?${query}"`);
    if (isNewInit || segment.number !== (before?.number ?? 0) + 1)
      lines.push(`#EXT-X-PROGRAM-DATE-TIME:${new Date(startsAt + segment.at).toISOString()}`);
    lines.push(
      `#EXTINF:${(segment.duration / 1_000).toFixed(5)},`,
      `segment-${segment.init}-${segment.number}.m4s?${query}`,
    );
    before = segment;
  }
  return [...lines, ...(isComplete ? ['#EXT-X-ENDLIST'] : []), ''].join('\n');
}
