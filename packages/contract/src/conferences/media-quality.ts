import type { MediaStream, TerminalReport } from './desk.ts';

/** The values from which a warning is useful, and from which people notice it. Percent, ms. */
export const MEDIA_LIMITS = {
  loss: { warning: 3, bad: 8 },
  roundTrip: { warning: 300, bad: 600 },
  jitter: { warning: 50, bad: 120 },
} as const;

export const MEDIA_SCORES = ['good', 'fair', 'poor'] as const;
export type MediaScore = (typeof MEDIA_SCORES)[number];

/** The largest value of the streams; if both ends measured, the larger of the two. */
export function worstOf(streams: readonly MediaStream[], field: 'loss' | 'jitter'): number | null {
  const values = streams.flatMap((stream) => stream[field] ?? []);
  return values.length === 0 ? null : Math.max(...values);
}

/**
 * The largest jitter of audio, null if there is none. RFC 3550 (6.4.1) measures jitter by timestamps, which all packets
 * of a picture share: video jitter therefore shows how the sender spreads a large frame, and reaches 100 ms on a
 * perfect network.
 */
export function worstJitterOf(streams: readonly MediaStream[]): number | null {
  return worstOf(
    streams.filter(({ source }) => source === 'microphone' || source === 'screenShareAudio'),
    'jitter',
  );
}

/** The media quality people had at the time of one report: by the worst of its loss, its delay and its jitter. Pure. */
export function mediaScoreOf({
  quality,
  roundTrip,
  streams,
}: Pick<TerminalReport, 'quality' | 'roundTrip' | 'streams'>): MediaScore {
  if (quality === 'lost') return 'poor';
  const measured = { loss: worstOf(streams, 'loss'), roundTrip, jitter: worstJitterOf(streams) };
  const reaches = (level: 'warning' | 'bad'): boolean =>
    (['loss', 'roundTrip', 'jitter'] as const).some((field) => (measured[field] ?? 0) >= MEDIA_LIMITS[field][level]);
  if (reaches('bad')) return 'poor';
  return reaches('warning') ? 'fair' : 'good';
}
