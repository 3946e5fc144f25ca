import { z } from 'zod';

/**
 * Times of a recording. `at` is in ms since its start by the clock, pauses and gaps included; a `position` is in ms of
 * what is played, where pauses and gaps are left out.
 */
const at = z.number().int().min(0);

/** What one track is. `programme`: the picture on air and the mix of all sound. */
export const TRACK_KINDS = ['programme', 'microphone', 'camera', 'screen', 'screenAudio'] as const;
export type TrackKind = (typeof TRACK_KINDS)[number];

/** A segment of a track; its file is `segment-<init>-<number>.m4s`, which needs `init-<init>.mp4`. */
export const recordingSegment = z.object({
  number: z.number().int(),
  init: z.number().int(),
  at,
  /** Ms; with fractions, as players count them. */
  duration: z.number(),
  bytes: z.number().int(),
});
export type RecordingSegment = z.infer<typeof recordingSegment>;

export const recordingTrack = z.object({
  /** `programme`, or the letters, digits and hyphens that name its folder. */
  id: z.string().regex(/^[0-9A-Za-z-]{1,80}$/),
  kind: z.enum(TRACK_KINDS),
  /** Of the terminal; null for the programme. */
  termId: z.string().nullable(),
  name: z.string(),
  segments: z.array(recordingSegment),
});
export type RecordingTrack = z.infer<typeof recordingTrack>;

/** Why a stretch is missing: people paused the recording, or it was interrupted. */
export const GAP_REASONS = ['paused', 'diskFull', 'quotaFull', 'recorder', 'media'] as const;

/** Why a picture that was sent is a card: nothing converts its codec, or nothing could convert it then. */
export const CARD_REASONS = ['codec', 'conversion'] as const;

/**
 * `index.json` of a recording: what its recorder wrote, and what it saw. Playlists, pages and exports are made from it
 * and from the log of commands.
 */
export const recordingIndex = z.object({
  version: z.literal(1),
  /** Unix time in ms of `at` 0. */
  startsAt: z.number(),
  /** Nothing is added any more. */
  isComplete: z.boolean(),
  tracks: z.array(recordingTrack),
  /** The picture on air from each time on; null: none. */
  onAir: z.array(
    z.object({ at, picture: z.object({ termId: z.string(), kind: z.enum(['camera', 'screen']) }).nullable() }),
  ),
  /** Who spoke when. */
  speaking: z.array(z.object({ termId: z.string(), from: at, to: at })),
  gaps: z.array(z.object({ from: at, to: at, reason: z.enum(GAP_REASONS) })),
  /** When the picture on air was sent, but shown as a name card. Not in recordings of earlier versions. */
  cards: z
    .array(
      z.object({
        from: at,
        to: at,
        termId: z.string(),
        kind: z.enum(['camera', 'screen']),
        reason: z.enum(CARD_REASONS),
      }),
    )
    .optional(),
});
export type RecordingIndex = z.infer<typeof recordingIndex>;

/** The storage keys of a recording. */
export const recordingKeys = {
  folder: (recordingId: string): string => `recordings/${recordingId}`,
  index: (recordingId: string): string => `recordings/${recordingId}/index.json`,
  init: (recordingId: string, track: string, init: number): string =>
    `recordings/${recordingId}/${track}/init-${init}.mp4`,
  segment: (recordingId: string, track: string, { init, number }: Pick<RecordingSegment, 'init' | 'number'>): string =>
    `recordings/${recordingId}/${track}/segment-${init}-${number}.m4s`,
};

/** A stretch of a recording that is played: a segment, or what is left of some. */
export type Stretch = Pick<RecordingSegment, 'at' | 'duration'>;

/** Where a time by the clock is played; within a gap, at its end. `segments` are in order. Ms. */
export function positionOf(segments: readonly Stretch[], time: number): number {
  let position = 0;
  for (const segment of segments) {
    if (time < segment.at) return position;
    if (time < segment.at + segment.duration) return position + time - segment.at;
    position += segment.duration;
  }
  return position;
}

/** The time by the clock of a position; the reverse of `positionOf`. Ms. */
export function clockTimeOf(segments: readonly Stretch[], position: number): number {
  let before = 0;
  for (const segment of segments) {
    if (position < before + segment.duration) return segment.at + position - before;
    before += segment.duration;
  }
  const last = segments.at(-1);
  return last === undefined ? 0 : last.at + last.duration;
}

/** Whether all of a segment is left out by the edits of a recording. */
function isCut(
  { at: from, duration }: RecordingSegment,
  { start, end, cuts }: { start: number | null; end: number | null; cuts: readonly { from: number; to: number }[] },
): boolean {
  const to = from + duration;
  return (
    (start !== null && to <= start) ||
    (end !== null && from >= end) ||
    cuts.some((cut) => cut.from <= from && to <= cut.to)
  );
}

/**
 * The segments that the playlist of an edited recording has: those of which something is played. Within the others,
 * the page skips what is cut, so edits are exact, and positions are those of these segments (`positionOf`).
 */
export function segmentsPlayed(
  segments: readonly RecordingSegment[],
  edit: Parameters<typeof isCut>[1] | null,
): RecordingSegment[] {
  return segments.filter((segment) => edit === null || !isCut(segment, edit));
}
