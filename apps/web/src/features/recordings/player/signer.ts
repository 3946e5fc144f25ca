import { PLAYBACK_SECONDS, type Playback } from '@rmeet/contract';

/** A signature is renewed when this much of its time is over, so that it outlasts the request. */
const RENEWED_AFTER = PLAYBACK_SECONDS * 1_000 * 0.6;

/** Puts valid signatures into the addresses of media. A player asks for each address shortly before it is fetched. */
export class Signer {
  readonly #call: () => Promise<Playback>;
  readonly #now: () => number;
  #current: { playback: Playback; since: number } | null = null;
  #renewing: Promise<Playback> | null = null;

  /** @param now ms of a monotonic clock */
  constructor(call: () => Promise<Playback>, now: () => number = () => performance.now()) {
    this.#call = call;
    this.#now = now;
  }

  /** A playback whose signature still works for a while. Throws ApiError if the viewer may not watch any more. */
  async playback(): Promise<Playback> {
    const since = this.#now();
    if (this.#current !== null && since - this.#current.since < RENEWED_AFTER) return this.#current.playback;
    this.#renewing ??= this.#renew(since);
    return this.#renewing;
  }

  /** The address with a signature that works. */
  async sign(address: string): Promise<string> {
    const { sign } = await this.playback();
    const url = new URL(address, location.href);
    url.searchParams.set('sign', sign);
    return url.href;
  }

  async #renew(since: number): Promise<Playback> {
    try {
      const playback = await this.#call();
      this.#current = { playback, since };
      return playback;
    } finally {
      this.#renewing = null;
    }
  }
}
