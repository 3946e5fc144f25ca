import type { Vp8Frame } from '@rmeet/rtp';
import { BLANK } from './blank.ts';

/** Somebody's pictures as they come. */
export interface PictureSource {
  /** Nothing can be shown of it before a key frame. */
  readonly needsKey: boolean;
  requestKeyFrame(): void;
}

/** A key frame that was asked for and did not come is asked for again. */
const ASK_AGAIN_MS = 250;
/** A picture that is to come is waited for with the one before still there, and then with none. */
const PATIENCE_MS = 2_000;
/** Players can go to key frames alone, so there is one at least as often. */
const KEY_EVERY_MS = 10_000;
const BLANK_EVERY_MS = 1_000;

/**
 * Leads one source after the other into one video track, without decoding any: the new one comes in with a key frame,
 * and until then the old one stays.
 */
export class Switch {
  #write: (data: Uint8Array, isKey: boolean, at: number) => void;
  /** Whose pictures are written; null: the blank one. */
  #shown: PictureSource | null = null;
  /** Whose are to be; undefined while they are. */
  #awaited: { source: PictureSource; since: number } | undefined;
  #written = -1;
  #keyAt = Number.NEGATIVE_INFINITY;
  #askedAt = Number.NEGATIVE_INFINITY;

  /** `write` gets times in ms, ascending from the first `tick` on. */
  constructor(write: (data: Uint8Array, isKey: boolean, at: number) => void) {
    this.#write = write;
  }

  get shown(): PictureSource | null {
    return this.#shown;
  }

  /** Who is to be seen from now (ms) on; null for nobody, and then no picture of the one before is left standing. */
  aim(source: PictureSource | null, now: number): void {
    if (source === (this.#awaited?.source ?? this.#shown)) return;
    this.#awaited = source === null || source === this.#shown ? undefined : { source, since: now };
    if (source === null) this.#blank(now);
    if (this.#awaited) this.#ask(this.#awaited.source, now);
  }

  /** A picture of any source; `at` is when it was captured. */
  frame(source: PictureSource, { data, isKey }: Vp8Frame, at: number): void {
    if (source === this.#awaited?.source && isKey) {
      this.#awaited = undefined;
      this.#shown = source;
    }
    if (source === this.#shown) this.#put(data, isKey, at);
  }

  /** To be called every few ms. */
  tick(now: number): void {
    const awaited = this.#awaited;
    if (awaited) {
      this.#askAgain(awaited.source, now);
      if (this.#shown !== null && now - awaited.since > PATIENCE_MS) this.#blank(now);
    } else if (this.#shown !== null && (this.#shown.needsKey || now - this.#keyAt > KEY_EVERY_MS))
      this.#askAgain(this.#shown, now);
    if (this.#shown === null && now - this.#keyAt >= BLANK_EVERY_MS) this.#put(BLANK, true, now);
  }

  #blank(now: number): void {
    this.#shown = null;
    this.#put(BLANK, true, now);
  }

  #put(data: Uint8Array, isKey: boolean, at: number): void {
    // Two sources' clocks agree but for their ways here; a file's times go one way.
    this.#written = Math.max(at, this.#written + 1);
    if (isKey) this.#keyAt = this.#written;
    this.#write(data, isKey, this.#written);
  }

  #ask(source: PictureSource, now: number): void {
    this.#askedAt = now;
    source.requestKeyFrame();
  }

  #askAgain(source: PictureSource, now: number): void {
    if (now - this.#askedAt >= ASK_AGAIN_MS) this.#ask(source, now);
  }
}
