import { MEDIA_LIMITS, worstJitterOf, worstOf, type MediaStream, type TerminalReport } from '@rmeet/contract';

/**
 * Media problems of a terminal: no media arrives any more; packet loss on its uplink, its downlink; too little
 * bandwidth on its uplink, its downlink; its CPU is overloaded; high latency; jitter; its camera delivers no picture.
 */
export const CAUSES = [
  'lost',
  'lossUp',
  'lossDown',
  'narrowUp',
  'narrowDown',
  'processor',
  'delay',
  'jitter',
  'noPicture',
] as const;
export type Cause = (typeof CAUSES)[number];

/**
 * What a chair can do: limit the size of its video, or hold its camera; null if only the person at the terminal can
 * help.
 */
export type Remedy = { act: 'limitVideo'; maxHeight: 360 | 180 } | { act: 'cameraOff' } | null;

export interface Diagnosis {
  cause: Cause;
  severity: 'warning' | 'bad';
  /** Percent of packet loss, kbit/s of bandwidth, or ms, depending on the cause. */
  value: number | null;
  remedy: Remedy;
}

/** Below this, a camera's smallest layer does not fit, bit/s. */
const NARROW_UP = 250_000;
/** Below this, a terminal cannot receive one small picture and the audio, bit/s. */
const NARROW_DOWN = 300_000;

/** From this share of the bandwidth estimate on, the estimate limits what is sent. */
const MADE_USE_OF = 0.8;

/** The most severe problem of a terminal and its remedy; null if there is none. Pure. */
export function diagnose(report: TerminalReport): Diagnosis | null {
  const { quality, streams, roundTrip, limitedBy, estimateUp, estimateDown } = report;
  if (quality === 'lost') return { cause: 'lost', severity: 'bad', value: null, remedy: null };
  const up = streams.filter((stream) => stream.direction === 'up');
  const down = streams.filter((stream) => stream.direction === 'down');
  const smaller = smallerPicture(up);
  const jitter = worstJitterOf(streams);
  const found: (Diagnosis | null)[] = [
    measured('lossUp', worstOf(up, 'loss'), MEDIA_LIMITS.loss, smaller),
    measured('lossDown', worstOf(down, 'loss'), MEDIA_LIMITS.loss, null),
    (limitedBy === 'bandwidth' || isNarrow(estimateUp, NARROW_UP, up)) && smaller !== null
      ? { cause: 'narrowUp', severity: 'warning', value: kilobits(estimateUp), remedy: smaller }
      : null,
    isNarrow(estimateDown, NARROW_DOWN, down)
      ? { cause: 'narrowDown', severity: 'warning', value: kilobits(estimateDown), remedy: null }
      : null,
    limitedBy === 'cpu' ? { cause: 'processor', severity: 'warning', value: null, remedy: smaller } : null,
    hasNoPicture(up) ? { cause: 'noPicture', severity: 'warning', value: null, remedy: { act: 'cameraOff' } } : null,
    measured('delay', roundTrip, MEDIA_LIMITS.roundTrip, null),
    measured('jitter', jitter, MEDIA_LIMITS.jitter, null),
  ];
  const diagnoses = found.filter((one) => one !== null);
  return diagnoses.find(({ severity }) => severity === 'bad') ?? diagnoses[0] ?? null;
}

function measured(
  cause: Cause,
  value: number | null,
  { warning, bad }: { warning: number; bad: number },
  remedy: Remedy,
): Diagnosis | null {
  if (value === null || value < warning) return null;
  return { cause, severity: value >= bad ? 'bad' : 'warning', value: Math.round(value), remedy };
}

/** One layer below the one the camera sends now; camera off if it already sends the smallest. */
function smallerPicture(up: readonly MediaStream[]): Remedy {
  const cameras = up.filter((stream) => stream.source === 'camera');
  const layers = cameras.flatMap((camera) => camera.layers.filter(({ active }) => active));
  const tallest = Math.max(0, ...[...cameras, ...layers].map(({ height }) => height ?? 0));
  if (tallest === 0) return null;
  if (tallest > 360) return { act: 'limitVideo', maxHeight: 360 };
  return tallest > 180 ? { act: 'limitVideo', maxHeight: 180 } : { act: 'cameraOff' };
}

/**
 * Estimates do not grow far beyond what is sent: a low estimate that is not used up shows low demand, not low
 * bandwidth.
 */
function isNarrow(estimate: number | null, least: number, streams: readonly MediaStream[]): boolean {
  if (estimate === null || estimate <= 0 || estimate >= least) return false;
  const rate = streams.reduce((sum, { end, bitrate }) => sum + (end === 'terminal' ? (bitrate ?? 0) : 0), 0);
  return rate >= estimate * MADE_USE_OF;
}

const kilobits = (bits: number | null): number | null => (bits === null ? null : Math.round(bits / 1_000));

/** The terminal reports that it publishes the camera, but it sends no frame. */
function hasNoPicture(up: readonly MediaStream[]): boolean {
  const cameras = up.filter(({ source, end }) => source === 'camera' && end === 'terminal');
  return (
    cameras.length > 0 &&
    cameras.every(({ frames, layers }) => frames === 0 && layers.every((layer) => !layer.active || layer.frames === 0))
  );
}
