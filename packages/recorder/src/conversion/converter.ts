import type { Vp8Frame } from '@rmeet/rtp';
import type { Conversions } from './conversions.ts';
import type { Ffmpeg, FfmpegEvents } from './ffmpeg.ts';

/** Converts the VP8 frames of one source while it is on air. */
export class Converter {
  #conversions: Conversions;
  #events: FfmpegEvents;
  #ffmpeg: Ffmpeg;
  /** Of the frames that are converted; undefined before the first key frame. */
  #size: Pick<Vp8Frame, 'width' | 'height'> | undefined;
  #isClosed = false;

  private constructor(conversions: Conversions, events: FfmpegEvents) {
    this.#conversions = conversions;
    this.#events = {
      ...events,
      onFailed: (reason) => {
        this.close();
        events.onFailed(reason);
      },
    };
    this.#ffmpeg = conversions.start(this.#events);
  }

  /** Starts one; undefined if there are as many as there may be. */
  static start(conversions: Conversions, events: FfmpegEvents): Converter | undefined {
    return conversions.take() ? new Converter(conversions, events) : undefined;
  }

  /** Adds a frame; those before the first key frame are left out. */
  add(frame: Vp8Frame, at: number, now: number): void {
    if (this.#isClosed) return;
    if (frame.isKey) this.#follow(frame);
    if (this.#size) this.#ffmpeg.add(frame, at, now);
  }

  /** An encoder has one size: another one needs another ffmpeg. */
  #follow({ width, height }: Vp8Frame): void {
    if (this.#size && (this.#size.width !== width || this.#size.height !== height)) {
      this.#ffmpeg.close();
      this.#ffmpeg = this.#conversions.start(this.#events);
    }
    this.#size = { width, height };
  }

  /** Call it every few ms. */
  tick(now: number): void {
    this.#ffmpeg.tick(now);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#ffmpeg.close();
    this.#conversions.release();
  }
}
