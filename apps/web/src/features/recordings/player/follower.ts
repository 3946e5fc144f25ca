import type { RecordingTrack } from '@rmeet/contract';
import { isCovered, mediaTimeOf, type Placed } from './placed.ts';
import type { Player } from './player.ts';
import { openStream } from './stream.ts';

/** Seconds that a picture may be away from the programme before it is sent there, and before its speed is corrected. */
const FAR = 0.4;
const NEAR = 0.03;
/** While it stands still, a picture is put to the very frame. */
const FRAME = 0.04;
/** Seconds of a track that are loaded ahead. */
const AHEAD = 8;

/** Where a picture must go, and how fast it plays, to be where the programme is. `off`: seconds that it is behind. */
export function correctionOf(off: number, rate: number, isPlaying: boolean): { seek: boolean; rate: number } {
  const distance = Math.abs(off);
  if (distance > (isPlaying ? FAR : FRAME)) return { seek: true, rate };
  return { seek: false, rate: distance > NEAR ? rate * (1 + Math.max(-0.15, Math.min(off, 0.15))) : rate };
}

/** Keeps the picture of one track where the programme is. */
export class Follower {
  readonly #player: Player;
  readonly #track: RecordingTrack;
  readonly #video: HTMLVideoElement;
  #placed: readonly Placed[] = [];

  constructor(player: Player, track: RecordingTrack, video: HTMLVideoElement) {
    this.#player = player;
    this.#track = track;
    this.#video = video;
  }

  /** Follows until the returned function is called. */
  start(onFailure: () => void): () => void {
    const { recording, signer, whole } = this.#player.played;
    const close = openStream(this.#video, {
      recordingId: recording.id,
      track: this.#track,
      whole,
      signer,
      ahead: AHEAD,
      startAt: () => mediaTimeOf(this.#placed, this.#player.clockNow),
      onPlaced: (placed) => (this.#placed = placed),
      onFailure,
    });
    const unsubscribe = this.#player.subscribe(() => this.#follow());
    return () => {
      unsubscribe();
      close();
    };
  }

  #follow(): void {
    const video = this.#video;
    if (this.#placed.length === 0 || video.readyState === 0 || video.seeking) return;
    const { isPlaying, isWaiting, rate } = this.#player.get();
    const clock = this.#player.clockNow;
    const isMoving = isPlaying && !isWaiting && isCovered(this.#track.segments, clock);
    const target = mediaTimeOf(this.#placed, clock) / 1_000;
    const correction = correctionOf(target - video.currentTime, rate, isMoving);
    if (correction.seek) video.currentTime = target;
    if (video.playbackRate !== correction.rate) video.playbackRate = correction.rate;
    if (isMoving && video.paused) video.play().catch(() => undefined);
    else if (!isMoving && !video.paused) video.pause();
  }
}
