const MAX_NONCES = 100;

/** Nonces of the last messages of a room: servers may send a message twice to be sure (SendDataRequest.nonce). */
export class Nonces {
  readonly #seen = new Set<string>();

  /** True if it was seen before; always false for messages without one. */
  isKnown(nonce: Uint8Array): boolean {
    if (nonce.length === 0) return false;
    const key = Buffer.from(nonce).toString('base64');
    if (this.#seen.has(key)) return true;
    this.#seen.add(key);
    const [oldest] = this.#seen;
    if (this.#seen.size > MAX_NONCES && oldest !== undefined) this.#seen.delete(oldest);
    return false;
  }
}
