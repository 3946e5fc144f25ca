import { LocalVideoTrack, VideoQuality } from 'livekit-client';

type Qualities = Parameters<LocalVideoTrack['setPublishingLayers']>[1];

/** The layers of a camera by their names in the sender, lowest first. */
const LAYERS: Record<string, VideoQuality> = { q: VideoQuality.LOW, h: VideoQuality.MEDIUM, f: VideoQuality.HIGH };

/**
 * A camera track that sends no layer above a maximum height, whatever the engine requests. The lowest layer is always
 * sent.
 */
export class CappedVideoTrack extends LocalVideoTrack {
  #maxHeight: number | null = null;
  /** The engine's last request. */
  #asked: Qualities | null = null;

  /** @param maxHeight lines of the picture in portrait; null for no limit */
  async cap(maxHeight: number | null): Promise<void> {
    const before = this.#maxHeight;
    this.#maxHeight = maxHeight;
    if (before === maxHeight) return;
    if (this.#asked === null) this.setPublishingQuality(VideoQuality.HIGH);
    else await super.setPublishingLayers(false, this.#within(this.#asked));
  }

  override async setPublishingLayers(isSvc: boolean, qualities: Qualities): Promise<void> {
    this.#asked = qualities;
    await super.setPublishingLayers(isSvc, this.#within(qualities));
  }

  #within(qualities: Qualities): Qualities {
    const most = this.#highest();
    return qualities.map((each) => {
      const allowed = each.clone();
      const quality: number = each.quality;
      allowed.enabled = each.enabled && quality <= most;
      return allowed;
    });
  }

  /** The highest layer within the limit. */
  #highest(): number {
    if (this.#maxHeight === null) return VideoQuality.HIGH;
    const { width = 0, height = 0 } = this.mediaStreamTrack.getSettings();
    const lines = Math.min(width, height);
    const encodings = this.sender?.getParameters().encodings ?? [];
    const fitting = encodings.filter(
      ({ scaleResolutionDownBy = 1 }) => lines / scaleResolutionDownBy <= (this.#maxHeight ?? lines),
    );
    return Math.max(VideoQuality.LOW, ...fitting.map(({ rid }) => LAYERS[rid ?? ''] ?? VideoQuality.LOW));
  }
}
