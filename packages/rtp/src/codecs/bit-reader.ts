/** Reads a bit string, most significant bit first. Reading past its end gives zeros and sets `failed`. */
export class BitReader {
  failed = false;
  #buffer: Buffer = Buffer.alloc(0);
  #at = 0;
  #end = 0;

  /** Takes bytes `start` to `end` (exclusive) of a buffer. */
  start(buffer: Buffer, start: number, end: number): void {
    this.#buffer = buffer;
    this.#at = start * 8;
    this.#end = end * 8;
    this.failed = false;
  }

  /** The next `count` bits, at most 32, as an unsigned number. */
  read(count: number): number {
    if (this.#at + count > this.#end) {
      this.failed = true;
      this.#at = this.#end;
      return 0;
    }
    let value = 0;
    for (let i = 0; i < count; i += 1, this.#at += 1) {
      value = value * 2 + ((this.#buffer[this.#at >> 3]! >> (7 - (this.#at & 7))) & 1);
    }
    return value;
  }

  /** ue(v), an unsigned Exp-Golomb code: ITU-T H.264, section 9.1. */
  readExpGolomb(): number {
    let zeros = 0;
    while (zeros < 32 && !this.failed && this.read(1) === 0) zeros += 1;
    return 2 ** zeros - 1 + this.read(zeros);
  }

  /** se(v), a signed Exp-Golomb code: ITU-T H.264, section 9.1.1. */
  readSignedExpGolomb(): number {
    const code = this.readExpGolomb();
    return code % 2 === 0 ? -code / 2 : (code + 1) / 2;
  }

  /** A number below `values` in the shortest code for that range: ns(n) of the AV1 bitstream, section 4.10.7. */
  readNonSymmetric(values: number): number {
    const width = 32 - Math.clz32(values);
    const short = 2 ** width - values;
    const value = this.read(width - 1);
    return value < short ? value : value * 2 - short + this.read(1);
  }
}
