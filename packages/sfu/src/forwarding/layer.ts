import { DependencyDescriptor, ReceivedStream } from '@rmeet/rtp';
import { PacketCache } from './packet-cache.ts';

/** A layer that sent nothing for this long counts as stopped. */
const STOPPED_AFTER_MS = 2500;
/** A shorter time if another layer continued meanwhile: this many of its frames, and at least this long. */
const BEHIND_FRAMES = 4;
const BEHIND_MS = 350;

/** Longer intervals are pauses. */
const LONGEST_INTERVAL_MS = 1000;

/** The format of the descriptor allows no more. */
const SPATIAL_LAYERS = 64;

/** One encoding of a published track: one SSRC. */
export class Layer {
  readonly stream: ReceivedStream;
  readonly cache = new PacketCache();
  /** What the last dependency descriptor said. */
  readonly descriptor = new DependencyDescriptor();
  /** Received bytes, by spatial layer; streams without a descriptor count as the lowest. */
  readonly spatialBytes = new Float64Array(SPATIAL_LAYERS);
  /** Rank among the track's layers: 0 low, 1 medium, 2 high, as LiveKit's VideoQuality. */
  readonly quality: number;
  /** Payload type of RED audio (RFC 2198); -1 if not negotiated. */
  redPayloadType = -1;
  /** The timestamp of the newest packet. */
  newestTimestamp = 0;
  /** Interval between frames, ms, smoothed. An idle screen sends one per second. */
  frameIntervalMs = 0;
  #frameAt = 0;
  keyframeAskedAt = Number.NEGATIVE_INFINITY;
  keyframeWanted = false;

  constructor(ssrc: number, clockRate: number, quality: number) {
    this.stream = new ReceivedStream(ssrc, clockRate);
    this.quality = quality;
  }

  /** Records the timestamp of a packet that is in order. */
  advance(timestamp: number, nowMs: number): void {
    if (timestamp === this.newestTimestamp) return;
    if (this.#frameAt > 0)
      this.frameIntervalMs += (Math.min(nowMs - this.#frameAt, LONGEST_INTERVAL_MS) - this.frameIntervalMs) / 4;
    this.#frameAt = nowMs;
    this.newestTimestamp = timestamp;
  }

  /** `newest` is the last arrival on any layer of the track. */
  isLive(nowMs: number, newest = this.stream.lastArrival): boolean {
    const { lastArrival } = this.stream;
    if (lastArrival === 0 || nowMs - lastArrival >= STOPPED_AFTER_MS) return false;
    return newest - lastArrival < Math.max(BEHIND_MS, BEHIND_FRAMES * this.frameIntervalMs);
  }
}
