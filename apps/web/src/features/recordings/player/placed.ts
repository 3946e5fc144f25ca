import type { RecordingSegment } from '@rmeet/contract';

/** A segment on the media element's own time line. Ms. */
export interface Placed {
  start: number;
  duration: number;
  /** By the clock since the start of the recording. */
  at: number;
}

/** The segment that an address is of. */
function keyIn(address: string): string | undefined {
  return /segment-(\d+-\d+)\.m4s/.exec(address)?.[1];
}

/** Where the segments of a playlist lie; `listed` are its addresses in order, with their durations in seconds. */
export function placedOf(
  segments: readonly RecordingSegment[],
  listed: readonly { address: string; start: number; duration: number }[],
): Placed[] {
  const times = new Map(segments.map(({ init, number, at }) => [`${init}-${number}`, at]));
  return listed.flatMap(({ address, start, duration }) => {
    const at = times.get(keyIn(address) ?? '');
    return at === undefined ? [] : [{ start: start * 1_000, duration: duration * 1_000, at }];
  });
}

/** The segments of a playlist's text (RFC 8216). */
export function listedIn(playlist: string): { address: string; start: number; duration: number }[] {
  const listed: { address: string; start: number; duration: number }[] = [];
  let start = 0;
  let duration = 0;
  for (const line of playlist.split(/\r?\n/)) {
    if (line.startsWith('#EXTINF:')) duration = Number.parseFloat(line.slice('#EXTINF:'.length));
    else if (line !== '' && !line.startsWith('#')) {
      listed.push({ address: line, start, duration });
      start += duration;
    }
  }
  return listed;
}

/** The media element's time of a time by the clock; where there is nothing, that of the next segment, or the end. */
export function mediaTimeOf(placed: readonly Placed[], time: number): number {
  for (const { start, duration, at } of placed) {
    if (time < at) return start;
    if (time < at + duration) return start + time - at;
  }
  const last = placed.at(-1);
  return last === undefined ? 0 : last.start + last.duration;
}

/** The reverse. */
export function clockOf(placed: readonly Placed[], mediaTime: number): number {
  for (const { start, duration, at } of placed)
    if (mediaTime < start + duration) return at + Math.max(0, mediaTime - start);
  const last = placed.at(-1);
  return last === undefined ? 0 : last.at + last.duration;
}

/** Times are stored in whole ms: between segments that follow each other, this much may seem to be missing. */
const ROUNDED = 1;

/** Whether there is something at a time by the clock. */
export function isCovered(segments: readonly { at: number; duration: number }[], time: number): boolean {
  return segments.some(({ at, duration }) => time >= at && time < at + duration + ROUNDED);
}
