/** Writes a bit string, most significant bit first. */
export class BitWriter {
  #bytes: number[] = [];
  #current = 0;
  #free = 8;

  /** Adds the lowest `count` bits of a value. */
  write(value: number, count: number): void {
    for (let bit = count - 1; bit >= 0; bit -= 1) {
      this.#current = (this.#current << 1) | ((value >>> bit) & 1);
      this.#free -= 1;
      if (this.#free > 0) continue;
      this.#bytes.push(this.#current);
      this.#current = 0;
      this.#free = 8;
    }
  }

  /** Ue(v), an unsigned Exp-Golomb code: ITU-T H.264, section 9.1. */
  writeExpGolomb(value: number): void {
    const length = 32 - Math.clz32(value + 1);
    this.write(0, length - 1);
    this.write(value + 1, length);
  }

  /** Adds zeros up to the end of the byte. */
  align(): void {
    if (this.#free < 8) this.write(0, this.#free);
  }

  /** Ends the string with a one and zeros (ITU-T H.264, 7.3.2.11), and returns its bytes. */
  finish(): Buffer {
    this.write(1, 1);
    this.align();
    return Buffer.from(this.#bytes);
  }
}
