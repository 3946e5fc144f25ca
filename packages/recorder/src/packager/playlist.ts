import type { Segment } from './segments.ts';

/** Segments whose times differ by more do not follow each other, ms. */
const GAP_MS = 100;

/** Whether something is missing between two segments. */
function isGap(before: Segment, { wallClock }: Segment): boolean {
  if (before.wallClock === undefined || wallClock === undefined) return false;
  return Math.abs(wallClock - before.wallClock - before.duration) > GAP_MS;
}

/**
 * The playlist of a finished recording (RFC 8216 and its draft successor). `urlOf` gives the address of a file by its
 * name.
 */
export function vodPlaylist(segments: readonly Segment[], urlOf: (name: string) => string = (name) => name): string {
  const longest = Math.max(1, ...segments.map(({ duration }) => Math.round(duration / 1_000)));
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${longest}`,
    '#EXT-X-PLAYLIST-TYPE:VOD',
    '#EXT-X-INDEPENDENT-SEGMENTS',
  ];
  for (const [n, segment] of segments.entries()) {
    const before = segments[n - 1];
    const isNew = segment.init !== before?.init;
    if (isNew || isGap(before, segment)) {
      if (before) lines.push('#EXT-X-DISCONTINUITY');
      if (isNew) lines.push(`#EXT-X-MAP:URI="${urlOf(segment.initName)}"`);
      if (segment.wallClock !== undefined)
        lines.push(`#EXT-X-PROGRAM-DATE-TIME:${new Date(segment.wallClock).toISOString()}`);
    }
    lines.push(`#EXTINF:${(segment.duration / 1_000).toFixed(5)},`, urlOf(segment.name));
  }
  return [...lines, '#EXT-X-ENDLIST', ''].join('\n');
}
