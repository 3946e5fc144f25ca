import { ReceivedStream } from '../rtp/received-stream.ts';
import { DependencyDescriptor } from './dependency-descriptor.ts';
import { PacketCache } from './packet-cache.ts';

/** A layer that sent nothing for this long counts as stopped. */
const STOPPED_AFTER_MS = 2500;
/** Less will do when another layer went on meanwhile; an idle screen share sends once a second, but all layers then. */
const BEHIND_MS = 500;

/** The format of the descriptor allows no more. */
const SPATIAL_LAYERS = 64;

/** One encoding of a published track: one SSRC. */
export class Layer {
  readonly stream: ReceivedStream;
  readonly cache = new PacketCache();
  /** What the last dependency descriptor said. */
  readonly descriptor = new DependencyDescriptor();
  /** Bytes that came in, by spatial layer; streams without descriptor count as the lowest. */
  readonly spatialBytes = new Float64Array(SPATIAL_LAYERS);
  /** Rank among the track's layers: 0 low, 1 medium, 2 high, as LiveKit's VideoQuality. */
  readonly quality: number;
  /** Payload type of sound with redundancy (RFC 2198), -1 where it was not negotiated. */
  redPayloadType = -1;
  /** The timestamp of the newest packet. */
  newestTimestamp = 0;
  keyframeAskedAt = Number.NEGATIVE_INFINITY;
  keyframeWanted = false;

  constructor(ssrc: number, clockRate: number, quality: number) {
    this.stream = new ReceivedStream(ssrc, clockRate);
    this.quality = quality;
  }

  /** `newest` is the last arrival on any layer of the track. */
  isLive(nowMs: number, newest = this.stream.lastArrival): boolean {
    const { lastArrival } = this.stream;
    return lastArrival > 0 && newest - lastArrival < BEHIND_MS && nowMs - lastArrival < STOPPED_AFTER_MS;
  }
}
