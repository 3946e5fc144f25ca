import { ReceivedStream } from '../rtp/received-stream.ts';
import { PacketCache } from './packet-cache.ts';

/** A layer that sent nothing for this long counts as stopped; an idle screen share sends once a second. */
const STOPPED_AFTER_MS = 2500;

/** One encoding of a published track: one SSRC. */
export class Layer {
  readonly stream: ReceivedStream;
  readonly cache = new PacketCache();
  /** Rank among the track's layers: 0 low, 1 medium, 2 high, as LiveKit's VideoQuality. */
  readonly quality: number;
  keyframeAskedAt = Number.NEGATIVE_INFINITY;
  keyframeWanted = false;

  constructor(ssrc: number, clockRate: number, quality: number) {
    this.stream = new ReceivedStream(ssrc, clockRate);
    this.quality = quality;
  }

  isLive(nowMs: number): boolean {
    return this.stream.lastArrival > 0 && nowMs - this.stream.lastArrival < STOPPED_AFTER_MS;
  }
}
