import { LocalVideoTrack, VideoQuality, type ReplaceTrackOptions } from 'livekit-client';

type Qualities = Parameters<LocalVideoTrack['setPublishingLayers']>[1];
type Codecs = Parameters<LocalVideoTrack['setPublishingCodecs']>[0];

/** The layers of a camera by their names in the sender, lowest first. */
const LAYERS: Record<string, VideoQuality> = { q: VideoQuality.LOW, h: VideoQuality.MEDIUM, f: VideoQuality.HIGH };

/**
 * A video track that is sent, in its backup codec too while a receiver needs that. The client sends a clone for the
 * backup codec and never stops it; a clone that runs on would keep the camera or the shared screen open, so this class
 * stops clones with the track and makes new ones.
 */
export class SentVideoTrack extends LocalVideoTrack {
  override async mute(): Promise<typeof this> {
    await super.mute();
    this.stopClones();
    return this;
  }

  override async unmute(): Promise<typeof this> {
    for (const backup of this.simulcastCodecs.values()) {
      if (backup.mediaStreamTrack.readyState === 'live') continue;
      backup.mediaStreamTrack = this.mediaStreamTrack.clone();
      await backup.sender?.replaceTrack(backup.mediaStreamTrack);
    }
    return super.unmute();
  }

  override async replaceTrack(
    track: MediaStreamTrack,
    options: ReplaceTrackOptions | boolean = {},
  ): Promise<typeof this> {
    const before = [...this.simulcastCodecs.values()].map(({ mediaStreamTrack }) => mediaStreamTrack);
    await super.replaceTrack(track, typeof options === 'boolean' ? { userProvidedTrack: options } : options);
    const sent = new Set([...this.simulcastCodecs.values()].map(({ mediaStreamTrack }) => mediaStreamTrack));
    for (const clone of before) if (!sent.has(clone)) clone.stop();
    return this;
  }

  /** Ends what is sent in the backup codec, but not the track itself. */
  stopClones(): void {
    for (const { mediaStreamTrack } of this.simulcastCodecs.values()) mediaStreamTrack.stop();
  }
}

/**
 * A camera track that sends no layer above a maximum height, whatever the engine requests. The lowest layer is always
 * sent.
 */
export class CappedVideoTrack extends SentVideoTrack {
  #maxHeight: number | null = null;
  /** The engine's last request. */
  #asked: Qualities | Codecs | null = null;

  /** @param maxHeight lines of the picture in portrait; null for no limit */
  async cap(maxHeight: number | null): Promise<void> {
    const before = this.#maxHeight;
    this.#maxHeight = maxHeight;
    if (before === maxHeight) return;
    const asked = this.#asked;
    if (asked === null) this.setPublishingQuality(VideoQuality.HIGH);
    else if (isOfCodecs(asked)) await this.setPublishingCodecs(asked);
    else await super.setPublishingLayers(false, this.#within(asked));
  }

  override async setPublishingLayers(isSvc: boolean, qualities: Qualities): Promise<void> {
    if (this.#asked === null || !isOfCodecs(this.#asked)) this.#asked = qualities;
    await super.setPublishingLayers(isSvc, this.#within(qualities));
  }

  override async setPublishingCodecs(codecs: Codecs): ReturnType<LocalVideoTrack['setPublishingCodecs']> {
    this.#asked = codecs;
    return super.setPublishingCodecs(
      codecs.map((each) => {
        const allowed = each.clone();
        allowed.qualities = this.#within(each.qualities);
        return allowed;
      }),
    );
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

const isOfCodecs = (asked: Qualities | Codecs): asked is Codecs => asked.some((each) => 'qualities' in each);
