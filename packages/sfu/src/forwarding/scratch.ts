const MAX_PACKET = 2048;

/** A scratch buffer that returns views of any length without a new allocation for each. */
export class Scratch {
  readonly #buffer = Buffer.alloc(MAX_PACKET);
  readonly #views: Buffer[] = [];

  /** The first `length` bytes, at most 2048. */
  view(length: number): Buffer {
    return (this.#views[length] ??= this.#buffer.subarray(0, length));
  }
}
