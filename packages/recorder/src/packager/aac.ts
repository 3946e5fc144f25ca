import { EncoderLease } from './aac-pool.ts';
import { AAC_FRAME, type SoundFormat } from './sample-entries.ts';

/** A frame of silence, by the number of channels. */
const SILENCE: Record<SoundFormat['channels'], Buffer> = {
  1: Buffer.from([0x00, 0xc8, 0x00, 0x80, 0x23, 0x80]),
  2: Buffer.from([0x21, 0x00, 0x49, 0x90, 0x02, 0x19, 0x00, 0x23, 0x80]),
};
/** Samples below this count as silence: -66 dB of full scale. */
const QUIET = 0.0005;
/** After so many quiet frames everything that was heard has been encoded, and the encoder is free for others. */
const RELEASED_AFTER = 4;
const INPUT_CHANNELS = 2;

/** A frame that is given on: as soon as its data is there and those before it have been. */
interface Output {
  position: number;
  /** What encodes it; nothing while all is silent. */
  lease: EncoderLease | undefined;
  data: Uint8Array | undefined;
}

/** Encodes sound as AAC-LC. Silence is not encoded, and needs no encoder. */
export class AacEncoder {
  #format: SoundFormat;
  #take: (data: Uint8Array, position: number) => void;
  #frame: Float32Array;
  /** Samples per channel that are in the frame. */
  #filled = 0;
  #isQuiet = true;
  /** Of the frame's first sample; undefined before the first block. */
  #position: number | undefined;
  #lease: EncoderLease | undefined;
  #quietFrames = 0;
  #outputs: Output[] = [];
  #whenEmpty: (() => void) | undefined;
  #failure: unknown;

  /** `take` gets each frame with the position of its first sample. */
  constructor(format: SoundFormat, take: (data: Uint8Array, position: number) => void) {
    this.#format = format;
    this.#take = take;
    this.#frame = new Float32Array(AAC_FRAME * format.channels);
  }

  /** Why it can no longer encode; undefined if there is no error. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Adds interleaved samples of two channels, which follow the previous ones. The array may be reused. */
  add(block: Float32Array, position: number): void {
    this.#position ??= position;
    const isMono = this.#format.channels === 1;
    for (let n = 0; n < block.length; n += INPUT_CHANNELS) {
      const left = block[n]!;
      const right = block[n + 1]!;
      if (isMono) this.#frame[this.#filled] = (left + right) / 2;
      else {
        this.#frame[this.#filled * 2] = left;
        this.#frame[this.#filled * 2 + 1] = right;
      }
      this.#isQuiet &&= Math.abs(left) < QUIET && Math.abs(right) < QUIET;
      this.#filled += 1;
      if (this.#filled === AAC_FRAME) this.#endFrame();
    }
  }

  /** Adds this many samples of silence. */
  addSilence(count: number, position: number): void {
    this.#position ??= position;
    for (let left = count; left > 0;) {
      const step = Math.min(left, AAC_FRAME - this.#filled);
      this.#filled += step;
      left -= step;
      if (this.#filled === AAC_FRAME) this.#endFrame();
    }
  }

  /** Encodes what is left. */
  async finish(): Promise<void> {
    if (this.#position === undefined) return;
    if (this.#filled > 0) this.#endFrame();
    const end = this.#position;
    while (this.#lease) this.#endFrame();
    this.#outputs = this.#outputs.filter(({ position }) => position < end);
    for (const output of this.#outputs) if (!output.lease) output.data ??= this.#silence;
    this.#flush();
    if (this.#outputs.length > 0 && this.#failure === undefined)
      await new Promise<void>((resolve) => {
        this.#whenEmpty = resolve;
      });
  }

  get #silence(): Buffer {
    return SILENCE[this.#format.channels];
  }

  /** The frame is complete; what is missing in it is silence. */
  #endFrame(): void {
    this.#quietFrames = this.#isQuiet ? this.#quietFrames + 1 : 0;
    if (!this.#isQuiet && !this.#lease) this.#begin();
    const output: Output = { position: this.#position!, lease: this.#lease, data: undefined };
    this.#outputs.push(output);
    if (this.#lease) {
      this.#encode(this.#frame, output);
      this.#frame = new Float32Array(this.#frame.length);
    } else this.#frame.fill(0);
    this.#filled = 0;
    this.#isQuiet = true;
    this.#position! += AAC_FRAME;
    if (!this.#lease || this.#quietFrames >= RELEASED_AFTER) this.#end();
    this.#flush();
  }

  /** The data of the frame before the first one that is heard contains its beginning. */
  #begin(): void {
    this.#lease = EncoderLease.take(this.#format, (error) => this.#fail(error));
    const before = this.#outputs.at(-1) ?? { position: -1, lease: undefined, data: undefined };
    before.lease = this.#lease;
    this.#encode(new Float32Array(this.#frame.length), before);
  }

  #encode(frame: Float32Array, output: Output): void {
    const { lease } = output;
    lease!.encode(frame, (data) => {
      if (output.lease !== lease) return;
      output.data ??= data;
      this.#flush();
    });
  }

  /** The last frames are silent. The very last one waits: it may contain the beginning of the next. */
  #end(): void {
    this.#lease?.release();
    this.#lease = undefined;
    for (const output of this.#outputs.slice(-RELEASED_AFTER, -1)) output.data ??= this.#silence;
    const last = this.#outputs.at(-1);
    if (last) last.lease = undefined;
  }

  #flush(): void {
    while (this.#outputs[0]?.data) {
      const { data, position } = this.#outputs.shift()!;
      this.#take(data!, position);
    }
    if (this.#outputs.length === 0) this.#whenEmpty?.();
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    this.#whenEmpty?.();
  }
}
