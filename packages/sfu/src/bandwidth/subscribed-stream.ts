import { TrackSource, type VideoQuality } from '@livekit/protocol';
import type { Forwarder } from '../forwarding/forwarder.ts';
import type { Publication } from '../tracks/publication.ts';
import type { Stream } from './allocation.ts';
import type { Level } from './allocator.ts';
import { levelsOf } from './layer-rates.ts';

/** Shares of the full size at LiveKit's qualities low, medium and high: half the width each step. */
const SIZE_OF_QUALITY = [1 / 16, 1 / 4, 1];

/** One subscription as the bandwidth allocation of its subscriber sees it. */
export class SubscribedStream implements Stream {
  paused = false;
  missing = 0;
  /** As in UpdateTrackSettings: 1 is the highest, 0 unset. */
  priority = 0;
  readonly isVideo: boolean;
  readonly isScreen: boolean;
  readonly #publication: Publication;
  readonly #forwarder: Forwarder;
  #viewPixels = 0;

  constructor(publication: Publication, forwarder: Forwarder) {
    this.#publication = publication;
    this.#forwarder = forwarder;
    this.isVideo = publication.isVideo;
    this.isScreen = publication.info.source === TrackSource.SCREEN_SHARE;
  }

  get publisherSid(): string {
    return this.#publication.publisher.sid;
  }

  get trackSid(): string {
    return this.#publication.sid;
  }

  /** The size in which the subscriber shows it; if unknown, the size of the wanted quality. */
  get pixels(): number {
    if (this.#viewPixels > 0) return this.#viewPixels;
    const { width, height } = this.#publication.info;
    return width * height * (SIZE_OF_QUALITY[this.#forwarder.wantedQuality] ?? 0);
  }

  /** Sets the size in which the subscriber shows it; 0 if unknown. */
  view(width: number, height: number, priority: number): void {
    this.#viewPixels = width * height;
    this.priority = priority;
  }

  levels(nowMs: number): Level[] {
    const { info } = this.#publication;
    const { track, wantedQuality: wanted } = this.#forwarder;
    if (info.muted || wanted < 0) return [];
    return levelsOf(
      track,
      wanted,
      (quality: VideoQuality) => info.layers.find((layer) => layer.quality === quality)?.bitrate ?? 0,
      nowMs,
    );
  }

  setCeiling(quality: number, atOnce: boolean, nowMs: number): void {
    this.#forwarder.setCeiling(quality, atOnce, nowMs);
  }

  sendProbe(bytes: number): number {
    return this.#forwarder.sendProbe(bytes);
  }
}
