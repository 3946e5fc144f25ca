import { registerAacEncoder } from '@mediabunny/aac-encoder';
import { AudioSample, AudioSampleSource, Mp4OutputFormat, NullTarget, Output } from 'mediabunny';
import { AAC_FRAME, SOUND_RATE, type SoundFormat } from './sample-entries.ts';

/** Gets the data of a frame. */
type Taker = (data: Uint8Array) => void;

/** An encoder that nothing uses for this long ends with its thread. */
const IDLE_MS = 10_000;
let isRegistered = false;
/** Encoders that wait for their next use, by format. */
const idle = new Map<string, PooledEncoder[]>();

/** An encoder of the library, in a thread of its own, which takes 15 MB: so it serves one stream after the other. */
class PooledEncoder {
  readonly format: SoundFormat;
  #source: AudioSampleSource;
  #output: Output;
  #work: Promise<void>;
  #frames = 0;
  /** Of the frames whose data has not come yet, in order. */
  #takers: Taker[] = [];
  #packets = 0;
  #onFailure: (error: unknown) => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(format: SoundFormat) {
    if (!isRegistered) registerAacEncoder();
    isRegistered = true;
    this.format = format;
    this.#source = new AudioSampleSource({
      codec: 'aac',
      bitrate: format.bitrate,
      onEncodedPacket: ({ data }) => {
        this.#packets += 1;
        // A decoder gives the samples of a frame with the next one. What it gives with the first one is no sound.
        if (this.#packets > 1) this.#takers.shift()?.(data);
      },
    });
    // The library encodes only for a file; this one is not kept.
    this.#output = new Output({ format: new Mp4OutputFormat({ fastStart: 'fragmented' }), target: new NullTarget() });
    this.#output.addAudioTrack(this.#source);
    this.#work = this.#output.start();
  }

  use(onFailure: (error: unknown) => void): void {
    clearTimeout(this.#timer);
    this.#onFailure = onFailure;
  }

  encode(data: Float32Array, take: Taker): void {
    this.#takers.push(take);
    const sample = new AudioSample({
      data: data as Float32Array<ArrayBuffer>,
      format: 'f32',
      numberOfChannels: this.format.channels,
      sampleRate: SOUND_RATE,
      timestamp: (this.#frames * AAC_FRAME) / SOUND_RATE,
    });
    this.#frames += 1;
    this.#work = this.#add(sample, this.#work).catch((error: unknown) => this.#onFailure(error));
  }

  async #add(sample: AudioSample, before: Promise<void>): Promise<void> {
    await before;
    await this.#source.add(sample);
    sample.close();
  }

  /** Nothing uses it for now. `end` is called once it has ended. */
  rest(end: () => void): void {
    this.#onFailure = () => undefined;
    this.#timer = setTimeout(() => {
      end();
      void this.#work.then(() => this.#output.cancel()).catch(() => undefined);
    }, IDLE_MS).unref();
  }
}

/** The use of an encoder for a while: from silence, to silence. */
export class EncoderLease {
  #encoder: PooledEncoder;

  private constructor(encoder: PooledEncoder) {
    this.#encoder = encoder;
  }

  static take(format: SoundFormat, onFailure: (error: unknown) => void): EncoderLease {
    const encoder = idle.get(JSON.stringify(format))?.pop() ?? new PooledEncoder(format);
    encoder.use(onFailure);
    return new EncoderLease(encoder);
  }

  /** `take` gets the data of this frame, which contains the beginning of the next one. */
  encode(frame: Float32Array, take: Taker): void {
    this.#encoder.encode(frame, take);
  }

  /** The last frames were silent: another stream may continue with the encoder. */
  release(): void {
    const encoder = this.#encoder;
    const key = JSON.stringify(encoder.format);
    const resting = idle.get(key) ?? [];
    idle.set(key, resting);
    resting.push(encoder);
    encoder.rest(() => resting.splice(resting.indexOf(encoder), 1));
  }
}
