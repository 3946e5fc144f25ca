import type { TerminalReport } from '@rmeet/contract';

type Stream = TerminalReport['streams'][number];

/** Milliseconds and percent from which a connection is fair, and poor. */
const FAIR = { roundTrip: 150, loss: 2 };
const POOR = { roundTrip: 400, loss: 8 };

export interface Connection {
  verdict: 'good' | 'fair' | 'poor';
  /** Milliseconds; null while not measured. */
  roundTrip: number | null;
  /** Percent. */
  lossUp: number | null;
  lossDown: number | null;
  sent: Flow;
  received: Flow;
  limitedBy: 'cpu' | 'bandwidth' | null;
}

/** What flows in one direction. */
export interface Flow {
  /** kbit/s. */
  rate: number;
  /** The largest picture; null without one. */
  picture: { width: number; height: number; frames: number } | null;
}

/** What a report says about the own connection. */
export function connectionOf({ quality, roundTrip, limitedBy, streams }: TerminalReport): Connection {
  const lossUp = worst(streams.filter(({ direction, end }) => direction === 'up' && end === 'engine'));
  const lossDown = worst(streams.filter(({ direction, end }) => direction === 'down' && end === 'terminal'));
  const loss = Math.max(lossUp ?? 0, lossDown ?? 0);
  const exceeds = (limit: typeof FAIR) => (roundTrip ?? 0) >= limit.roundTrip || loss >= limit.loss;
  const isPoor = quality === 'poor' || quality === 'lost' || exceeds(POOR);
  return {
    verdict: isPoor ? 'poor' : exceeds(FAIR) ? 'fair' : 'good',
    roundTrip: roundTrip === null ? null : Math.round(roundTrip),
    lossUp,
    lossDown,
    sent: flowOf(streams, 'up'),
    received: flowOf(streams, 'down'),
    limitedBy: limitedBy === 'cpu' || limitedBy === 'bandwidth' ? limitedBy : null,
  };
}

function worst(streams: readonly Stream[]): number | null {
  const known = streams.flatMap(({ loss }) => (loss === null ? [] : [loss]));
  return known.length === 0 ? null : Math.max(...known);
}

function flowOf(streams: readonly Stream[], direction: Stream['direction']): Flow {
  const own = streams.filter((stream) => stream.direction === direction && stream.end === 'terminal');
  const bits = own.reduce((total, { bitrate }) => total + (bitrate ?? 0), 0);
  const largest = own.toSorted((a, b) => (b.height ?? 0) - (a.height ?? 0))[0];
  const { width = null, height = null, frames = null } = largest ?? {};
  return {
    rate: Math.round(bits / 1_000),
    picture: width === null || height === null ? null : { width, height, frames: Math.round(frames ?? 0) },
  };
}
