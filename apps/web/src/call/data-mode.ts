import type { LayerHeight } from '@rmeet/conference';
import type { Pictures } from './pictures.ts';

/** How much data a call may use: all, few small pictures, or sound only. */
export const DATA_MODES = ['full', 'low', 'audio'] as const;
export type DataMode = (typeof DATA_MODES)[number];

/** Lines of every picture in low-data mode: the lowest layer of a camera. */
export const LOW_HEIGHT: LayerHeight = 180;
/** Cameras received in low-data mode. One in the lowest layer takes about 130 kbit/s. */
const LOW_CAMERAS = 1;
/** Bits per second of the own microphone. */
export const AUDIO_BITRATE: Record<DataMode, number | null> = { full: null, low: 24_000, audio: 20_000 };

/** Whether a shared screen is meant. */
const isScreen = (key: string): boolean => key.endsWith('-screen');

/**
 * What is requested of the pictures that the views want. In low-data mode: shared screens, which have one layer only,
 * and one camera, small: of those shown largest, the last speaker.
 * @param speakers termIds, latest first
 */
export function picturesIn(mode: DataMode, wanted: Pictures, speakers: readonly string[] = []): Pictures {
  if (mode === 'full') return wanted;
  if (mode === 'audio') return new Map();
  const screens = [...wanted].filter(([key]) => isScreen(key));
  const cameras = [...wanted]
    .filter(([key]) => !isScreen(key))
    .toSorted(([a, high], [b, low]) => low - high || rank(speakers, a) - rank(speakers, b))
    .slice(0, LOW_CAMERAS);
  return new Map([...screens, ...cameras.map(([key]) => [key, LOW_HEIGHT] as const)]);
}

function rank(speakers: readonly string[], termId: string): number {
  const at = speakers.indexOf(termId);
  return at === -1 ? speakers.length : at;
}

/** The lines that the own camera sends at most; null for no limit. */
export function sentHeight(mode: DataMode, chairs: number | null): number | null {
  if (mode === 'full') return chairs;
  return Math.min(chairs ?? LOW_HEIGHT, LOW_HEIGHT);
}
