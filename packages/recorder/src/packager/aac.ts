import { registerAacEncoder } from '@mediabunny/aac-encoder';
import { AudioSample, AudioSampleSource, Mp4OutputFormat, NullTarget, Output } from 'mediabunny';
import { AAC_FRAME, SOUND_BITRATE, SOUND_CHANNELS, SOUND_RATE } from './sample-entries.ts';

let isRegistered = false;

/** Encodes the mix as AAC-LC, in a thread of its own. */
export class AacEncoder {
  #output: Output;
  #source: AudioSampleSource;
  #work: Promise<void> = Promise.resolve();
  #failure: unknown;

  private constructor(output: Output, source: AudioSampleSource) {
    this.#output = output;
    this.#source = source;
  }

  /** `take` gets each frame with the position of its first sample. The first block is at `position`. */
  static async open(take: (data: Uint8Array, position: number) => void, position = 0): Promise<AacEncoder> {
    if (!isRegistered) registerAacEncoder();
    isRegistered = true;
    let frames = 0;
    const source = new AudioSampleSource({
      codec: 'aac',
      bitrate: SOUND_BITRATE,
      onEncodedPacket: ({ data }) => {
        // A decoder gives the samples of a frame with the next one. What it gives with the first one is no sound.
        if (frames > 0) take(data, position + (frames - 1) * AAC_FRAME);
        frames += 1;
      },
    });
    // The library encodes only for a file; this one is not kept.
    const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'fragmented' }), target: new NullTarget() });
    output.addAudioTrack(source);
    await output.start();
    return new AacEncoder(output, source);
  }

  /** Why it can no longer encode; undefined if there is no error. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Adds interleaved samples, which follow the previous ones. The array may be reused. */
  add(block: Float32Array, position: number): void {
    const sample = new AudioSample({
      data: block.slice(),
      format: 'f32',
      numberOfChannels: SOUND_CHANNELS,
      sampleRate: SOUND_RATE,
      timestamp: position / SOUND_RATE,
    });
    this.#then(async () => {
      await this.#source.add(sample);
      sample.close();
    });
  }

  /** Encodes what is left. */
  async finish(): Promise<void> {
    this.#then(() => this.#output.finalize());
    await this.#work;
  }

  #then(work: () => Promise<void>): void {
    this.#work = this.#work.then(work).catch((error: unknown) => {
      this.#failure ??= error;
    });
  }
}
