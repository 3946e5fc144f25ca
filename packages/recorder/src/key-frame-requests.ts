/** After a request without an answer, the next one comes after this time; then after twice the time, and so on. */
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 2_000;

/** Requests key frames of one source, and never so many that its sender has no bits left for other pictures. */
export class KeyFrameRequests {
  #send: () => void;
  #at = Number.NEGATIVE_INFINITY;
  #wait = FIRST_WAIT_MS;

  constructor(send: () => void) {
    this.#send = send;
  }

  /** A key frame is needed; call it as often as you like. Ms. */
  request(now: number): void {
    if (now - this.#at < this.#wait) return;
    if (this.#at > Number.NEGATIVE_INFINITY) this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT_MS);
    this.#at = now;
    this.#send();
  }

  /** A key frame came. */
  answered(): void {
    this.#at = Number.NEGATIVE_INFINITY;
    this.#wait = FIRST_WAIT_MS;
  }
}
