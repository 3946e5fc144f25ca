import type { Segment } from './segment-folder.ts';

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
  let init: number | undefined;
  for (const segment of segments) {
    if (segment.init !== init) {
      if (init !== undefined) lines.push('#EXT-X-DISCONTINUITY');
      lines.push(`#EXT-X-MAP:URI="${urlOf(segment.initName)}"`);
      if (segment.wallClock !== undefined)
        lines.push(`#EXT-X-PROGRAM-DATE-TIME:${new Date(segment.wallClock).toISOString()}`);
      init = segment.init;
    }
    lines.push(`#EXTINF:${(segment.duration / 1_000).toFixed(5)},`, urlOf(segment.name));
  }
  return [...lines, '#EXT-X-ENDLIST', ''].join('\n');
}
