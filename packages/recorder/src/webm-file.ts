import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import {
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  FilePathTarget,
  Output,
  WebMOutputFormat,
} from 'mediabunny';
import { CHANNELS, SAMPLE_RATE } from './voice.ts';

/** Bytes per write: at most this much is lost if the machine crashes. */
const CHUNK = 65_536;
/** Samples that the audio encoder needs at the beginning. */
const PRE_SKIP = 312;
/** The size for which players reserve space before the first picture. */
const SIZE = { codedWidth: 1_280, codedHeight: 720 };

/** The path is in use: by a file, or by a recording that is running or was interrupted. */
export class FileTaken extends Error {
  constructor(path: string) {
    super(`${path} is there already. Choose another name.`);
    this.name = 'FileTaken';
  }
}

/** Identification header (RFC 7845, section 5.1), which players read from the track's CodecPrivate. */
function opusHead(): Uint8Array {
  const head = Buffer.alloc(19);
  head.write('OpusHead', 0, 'latin1');
  head[8] = 1;
  head[9] = CHANNELS;
  head.writeUInt16LE(PRE_SKIP, 10);
  head.writeUInt32LE(SAMPLE_RATE, 12);
  return head;
}

/** A WebM file with one VP8 and one Opus track, written as `<path>.part`; it gets its name when it is complete. */
export class WebmFile {
  readonly path: string;
  #output: Output;
  #video = new EncodedVideoPacketSource('vp8');
  #audio = new EncodedAudioPacketSource('opus');
  #writes: Promise<void> = Promise.resolve();
  #failure: unknown;

  private constructor(path: string) {
    this.path = path;
    this.#output = new Output({
      format: new WebMOutputFormat(),
      target: new FilePathTarget(`${path}.part`, { chunkSize: CHUNK }),
    });
    this.#output.addVideoTrack(this.#video);
    this.#output.addAudioTrack(this.#audio);
  }

  /** @throws FileTaken, and the file system's error for a folder that is missing or not accessible. */
  static async create(path: string): Promise<WebmFile> {
    if (existsSync(path)) throw new FileTaken(path);
    const part = await open(`${path}.part`, 'wx').catch((error: unknown) => {
      throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? new FileTaken(`${path}.part`) : error;
    });
    await part.close();
    const file = new WebmFile(path);
    await file.#output.start();
    return file;
  }

  /** Why it can no longer be written to; undefined if there is no error. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Times in ms since the file's beginning, ascending per track; the first picture is a key frame. */
  addVideo(data: Uint8Array, isKey: boolean, at: number): void {
    const packet = new EncodedPacket(data, isKey ? 'key' : 'delta', at / 1_000, 0);
    this.#write(() => this.#video.add(packet, { decoderConfig: { codec: 'vp8', ...SIZE } }));
  }

  addAudio(data: Uint8Array, at: number, duration: number): void {
    const packet = new EncodedPacket(data, 'key', at / 1_000, duration / 1_000);
    const decoderConfig = {
      codec: 'opus',
      sampleRate: SAMPLE_RATE,
      numberOfChannels: CHANNELS,
      description: opusHead(),
    };
    this.#write(() => this.#audio.add(packet, { decoderConfig }));
  }

  #write(work: () => Promise<void>): void {
    this.#writes = this.#writes.then(work).catch((error: unknown) => {
      this.#failure ??= error;
    });
  }

  /**
   * Writes the seek index for players, and gives the file its name. @throws the error that prevented writing it; the
   * `.part` file stays then.
   */
  async finish(): Promise<void> {
    await this.#writes;
    if (this.#failure !== undefined) {
      await this.#output.cancel().catch(() => undefined);
      throw this.#failure;
    }
    await this.#output.finalize();
    if (existsSync(this.path)) throw new FileTaken(this.path);
    await rename(`${this.path}.part`, this.path);
  }

  /** Ends it and deletes the file. */
  async discard(): Promise<void> {
    await this.#writes;
    await this.#output.cancel();
    await rm(`${this.path}.part`);
  }
}
