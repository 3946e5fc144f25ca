const MAX_PACKET = 2048;

/** A scratch buffer that hands out views of any length without making one each time. */
export class Scratch {
  readonly #buffer = Buffer.alloc(MAX_PACKET);
  readonly #views: Buffer[] = [];

  /** The first `length` bytes, at most 2048. */
  view(length: number): Buffer {
    return (this.#views[length] ??= this.#buffer.subarray(0, length));
  }
}
