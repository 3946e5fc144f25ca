import type { MediaStream as ReportedStream, TerminalReport } from '@rmeet/contract';
import type { MediaSample } from './media-types.ts';

/** The part of a report besides the streams. */
export type Condition = Pick<TerminalReport, 'quality' | 'speaking'>;

/** Maximum number of streams in a report. */
const MOST = 80;
const LIMITS = ['cpu', 'bandwidth', 'other'] as const;

/** Fields of getStats that are read here; which are present depends on the entry's type and the browser. */
interface Entry {
  id: string;
  type: string;
  timestamp: number;
  kind?: string;
  codecId?: string;
  mimeType?: string;
  localId?: string;
  mediaSourceId?: string;
  trackIdentifier?: string;
  rid?: string;
  active?: boolean;
  bytesSent?: number;
  bytesReceived?: number;
  packetsSent?: number;
  packetsReceived?: number;
  packetsLost?: number;
  frameWidth?: number;
  frameHeight?: number;
  framesPerSecond?: number;
  jitter?: number;
  roundTripTime?: number;
  currentRoundTripTime?: number;
  availableOutgoingBitrate?: number;
  availableIncomingBitrate?: number;
  nominated?: boolean;
  state?: string;
  qualityLimitationReason?: string;
}

type Counter = 'bytesSent' | 'bytesReceived' | 'packetsSent' | 'packetsReceived' | 'packetsLost';

/** Two samples of the same connection. */
class Interval {
  readonly #before: ReadonlyMap<string, Entry>;
  readonly #now: ReadonlyMap<string, Entry>;

  constructor(before: MediaSample, now: MediaSample) {
    const byId = ({ stats }: MediaSample) => new Map(stats.map((entry) => [entry.id, entry as Entry]));
    this.#before = byId(before);
    this.#now = byId(now);
  }

  of(type: string): Entry[] {
    return [...this.#now.values()].filter((entry) => entry.type === type);
  }

  get(id: string | undefined): Entry | undefined {
    return id === undefined ? undefined : this.#now.get(id);
  }

  /** Growth of a counter; null if it is missing in either sample. */
  grown(entry: Entry | undefined, counter: Counter): number | null {
    const [before, now] = [entry && this.#before.get(entry.id)?.[counter], entry?.[counter]];
    return before === undefined || now === undefined ? null : Math.max(0, now - before);
  }

  isSent(entry: Entry): boolean {
    return (this.grown(entry, 'packetsSent') ?? 0) > 0;
  }

  /** bit/s. */
  bitrate(entry: Entry | undefined, counter: 'bytesSent' | 'bytesReceived'): number | null {
    const bytes = this.grown(entry, counter);
    const since = entry && this.#before.get(entry.id)?.timestamp;
    if (bytes === null || entry === undefined || since === undefined || entry.timestamp <= since) return null;
    return Math.round((bytes * 8_000) / (entry.timestamp - since));
  }
}

/**
 * A terminal's report of its media between two getStats samples. Sent streams have the terminal's own values and the
 * engine's (receiver reports); received streams have its own values and the engine's (sender reports). Only flowing
 * streams are included.
 */
export function reportOf(before: MediaSample, now: MediaSample, condition: Condition): TerminalReport {
  const interval = new Interval(before, now);
  const pair = pairInUse(interval);
  const outbound = interval.of('outbound-rtp');
  const streams = [...upStreams(interval, outbound, now.tracks), ...downStreams(interval, now.tracks)];
  const reasons = new Set(
    outbound.filter((layer) => interval.isSent(layer)).map(({ qualityLimitationReason }) => qualityLimitationReason),
  );
  return {
    ...condition,
    estimateUp: rounded(pair?.availableOutgoingBitrate),
    estimateDown: rounded(pair?.availableIncomingBitrate),
    roundTrip: milliseconds(pair?.currentRoundTripTime),
    limitedBy: LIMITS.find((reason) => reasons.has(reason)) ?? 'none',
    streams: streams.slice(0, MOST),
  };
}

/** Several pairs may have been selected in turn; the one in use carries the bytes. */
function pairInUse(interval: Interval): Entry | undefined {
  const carried = (pair: Entry): number =>
    (interval.grown(pair, 'bytesSent') ?? 0) + (interval.grown(pair, 'bytesReceived') ?? 0);
  const pairs = interval
    .of('candidate-pair')
    .filter(({ nominated, state }) => nominated === true && state === 'succeeded');
  return pairs.toSorted((a, b) => carried(b) - carried(a))[0];
}

function upStreams(interval: Interval, outbound: readonly Entry[], tracks: MediaSample['tracks']): ReportedStream[] {
  const bySource = new Map<string, Entry[]>();
  for (const layer of outbound) {
    const source = layer.mediaSourceId ?? layer.id;
    bySource.set(source, [...(bySource.get(source) ?? []), layer]);
  }
  return [...bySource].flatMap(([mediaSourceId, layers]) => {
    const track = tracks.get(interval.get(mediaSourceId)?.trackIdentifier ?? '');
    if (track === undefined || !layers.some((layer) => interval.isSent(layer))) return [];
    const sent = layers.toSorted((a, b) => (a.frameHeight ?? 0) - (b.frameHeight ?? 0));
    const top = sent.findLast((layer) => interval.isSent(layer));
    const common = { direction: 'up', source: track.source, peer: null, codec: codecOf(interval, top) } as const;
    // The engine's last report on a paused layer is outdated.
    const flowing = layers.filter((layer) => interval.isSent(layer));
    const remote = interval.of('remote-inbound-rtp').filter(({ localId }) => flowing.some(({ id }) => id === localId));
    const own: ReportedStream = {
      ...common,
      ...pictureOf(top),
      end: 'terminal',
      bitrate: sum(layers.map((layer) => interval.bitrate(layer, 'bytesSent'))),
      loss: null,
      jitter: null,
      roundTrip: null,
      layers: sent.flatMap((layer) => layerOf(interval, layer)),
    };
    return remote.length === 0 ? [own] : [own, receivedByEngine(interval, common, layers, remote)];
  });
}

type Common = Pick<ReportedStream, 'direction' | 'source' | 'peer' | 'codec'>;
const NO_PICTURE = { width: null, height: null, frames: null };

function receivedByEngine(
  interval: Interval,
  common: Common,
  layers: readonly Entry[],
  remote: readonly Entry[],
): ReportedStream {
  const lost = sum(remote.map((entry) => interval.grown(entry, 'packetsLost')));
  const sent = sum(layers.map((layer) => interval.grown(layer, 'packetsSent')));
  return {
    ...common,
    ...NO_PICTURE,
    end: 'engine',
    bitrate: null,
    loss: percent(lost, sent),
    jitter: milliseconds(most(remote.map(({ jitter }) => jitter))),
    roundTrip: milliseconds(most(remote.map(({ roundTripTime }) => roundTripTime))),
    layers: [],
  };
}

function downStreams(interval: Interval, tracks: MediaSample['tracks']): ReportedStream[] {
  const senderReports = new Map(interval.of('remote-outbound-rtp').map((entry) => [entry.localId, entry]));
  return interval.of('inbound-rtp').flatMap((inbound): ReportedStream[] => {
    const received = interval.grown(inbound, 'packetsReceived') ?? 0;
    const lost = interval.grown(inbound, 'packetsLost') ?? 0;
    if (received + lost === 0) return [];
    const track = tracks.get(inbound.trackIdentifier ?? '') ?? { source: 'unknown', peer: null };
    const common = { direction: 'down', ...track, codec: codecOf(interval, inbound), layers: [] } as const;
    const own: ReportedStream = {
      ...common,
      ...pictureOf(inbound),
      layers: [],
      end: 'terminal',
      bitrate: interval.bitrate(inbound, 'bytesReceived'),
      loss: percent(lost, received + lost),
      jitter: milliseconds(inbound.jitter),
      roundTrip: null,
    };
    const engine = senderReports.get(inbound.id);
    if (engine === undefined) return [own];
    const bitrate = interval.bitrate(engine, 'bytesSent');
    return [
      own,
      {
        ...common,
        ...NO_PICTURE,
        layers: [],
        end: 'engine',
        bitrate,
        loss: null,
        jitter: null,
        roundTrip: milliseconds(engine.roundTripTime),
      },
    ];
  });
}

/** A simulcast layer; a stream without a rid is not simulcast. */
function layerOf(interval: Interval, layer: Entry): ReportedStream['layers'] {
  const { rid, frameWidth: width = 0, frameHeight: height = 0, framesPerSecond: frames = 0 } = layer;
  if (rid === undefined) return [];
  const isSent = interval.isSent(layer);
  return [
    {
      rid,
      width,
      height,
      frames: isSent ? frames : 0,
      bitrate: interval.bitrate(layer, 'bytesSent') ?? 0,
      active: layer.active ?? isSent,
    },
  ];
}

function pictureOf(entry: Entry | undefined): Pick<ReportedStream, 'width' | 'height' | 'frames'> {
  if (entry?.kind !== 'video') return NO_PICTURE;
  return { width: entry.frameWidth ?? null, height: entry.frameHeight ?? null, frames: entry.framesPerSecond ?? 0 };
}

function codecOf(interval: Interval, entry: Entry | undefined): string | null {
  return interval.get(entry?.codecId)?.mimeType?.split('/')[1] ?? null;
}

/** The sum of known values; null if none is known. */
function sum(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((total, value) => total + value, 0);
}

function most(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}

/** One digit after the point. */
function percent(part: number | null, whole: number | null): number | null {
  return part === null || whole === null || whole === 0 ? null : Math.round(Math.min(1, part / whole) * 1_000) / 10;
}

function milliseconds(seconds: number | undefined): number | null {
  return seconds === undefined ? null : Math.round(seconds * 10_000) / 10;
}

function rounded(value: number | undefined): number | null {
  return value === undefined ? null : Math.round(value);
}
