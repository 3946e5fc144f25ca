import type { Vp8Frame } from '@rmeet/rtp';
import { BLANK } from './blank.ts';

/** A source of pictures. */
export interface PictureSource {
  /** It needs a key frame before anything can be shown. */
  readonly needsKey: boolean;
  requestKeyFrame(): void;
}

/** Interval at which a requested key frame is requested again. */
const KEY_REQUEST_INTERVAL_MS = 250;
/** A selected source is awaited for this time with the old picture, and then with the blank one. */
const MAX_WAIT_MS = 2_000;
/** Players can seek only to key frames, so there is one at least this often. */
const KEY_INTERVAL_MS = 10_000;
const BLANK_INTERVAL_MS = 1_000;

/**
 * Switches between sources in one video track without decoding: a new source starts with a key frame, and until then
 * the old one continues.
 */
export class Switch {
  #write: (data: Uint8Array, isKey: boolean, at: number) => void;
  /** The source that is written; null: the blank picture. */
  #shown: PictureSource | null = null;
  /** The selected source that is not shown yet. */
  #pending: { source: PictureSource; since: number } | undefined;
  #written = -1;
  #keyAt = Number.NEGATIVE_INFINITY;
  #requestedAt = Number.NEGATIVE_INFINITY;

  /** `write` gets times in ms, ascending from the first `tick` on. */
  constructor(write: (data: Uint8Array, isKey: boolean, at: number) => void) {
    this.#write = write;
  }

  get shown(): PictureSource | null {
    return this.#shown;
  }

  /** Selects the source from now (ms) on; null shows the blank picture at once. */
  select(source: PictureSource | null, now: number): void {
    if (source === (this.#pending?.source ?? this.#shown)) return;
    this.#pending = source === null || source === this.#shown ? undefined : { source, since: now };
    if (source === null) this.#blank(now);
    if (this.#pending) this.#requestKey(this.#pending.source, now);
  }

  /** A picture of any source; `at` is its capture time. */
  frame(source: PictureSource, { data, isKey }: Vp8Frame, at: number): void {
    if (source === this.#pending?.source && isKey) {
      this.#pending = undefined;
      this.#shown = source;
    }
    if (source === this.#shown) this.#put(data, isKey, at);
  }

  /** Call it every few ms. */
  tick(now: number): void {
    const pending = this.#pending;
    if (pending) {
      this.#requestKeyAgain(pending.source, now);
      if (this.#shown !== null && now - pending.since > MAX_WAIT_MS) this.#blank(now);
    } else if (this.#shown !== null && (this.#shown.needsKey || now - this.#keyAt > KEY_INTERVAL_MS))
      this.#requestKeyAgain(this.#shown, now);
    if (this.#shown === null && now - this.#keyAt >= BLANK_INTERVAL_MS) this.#put(BLANK, true, now);
  }

  #blank(now: number): void {
    this.#shown = null;
    this.#put(BLANK, true, now);
  }

  #put(data: Uint8Array, isKey: boolean, at: number): void {
    // The clocks of two sources differ by their network delays, but times in a file must ascend.
    this.#written = Math.max(at, this.#written + 1);
    if (isKey) this.#keyAt = this.#written;
    this.#write(data, isKey, this.#written);
  }

  #requestKey(source: PictureSource, now: number): void {
    this.#requestedAt = now;
    source.requestKeyFrame();
  }

  #requestKeyAgain(source: PictureSource, now: number): void {
    if (now - this.#requestedAt >= KEY_REQUEST_INTERVAL_MS) this.#requestKey(source, now);
  }
}
