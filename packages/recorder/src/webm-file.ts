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

/** Bytes written at once: as much is lost when the machine dies. */
const CHUNK = 65_536;
/** Samples that the coder of the sound needs to begin with. */
const PRE_SKIP = 312;
/** What players make room for before the first picture. */
const SIZE = { codedWidth: 1_280, codedHeight: 720 };

/** The path is taken: of a file, or of a recording that runs or did not come to its end. */
export class FileTaken extends Error {
  constructor(path: string) {
    super(`${path} is there already. Choose another name.`);
    this.name = 'FileTaken';
  }
}

/** Identification header (RFC 7845, section 5.1), which players find in the track's CodecPrivate. */
function opusHead(): Uint8Array {
  const head = Buffer.alloc(19);
  head.write('OpusHead', 0, 'latin1');
  head[8] = 1;
  head[9] = CHANNELS;
  head.writeUInt16LE(PRE_SKIP, 10);
  head.writeUInt32LE(SAMPLE_RATE, 12);
  return head;
}

/** A WebM file of one VP8 and one Opus track being written as `<path>.part`; it has its name once it is whole. */
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

  /** @throws FileTaken, and what the file system says of a folder that is not there or not ours. */
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

  /** Why it cannot be written to any more; undefined while all is well. */
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
   * Writes what players need to seek, and gives the file its name. @throws what kept it from being written; the `.part`
   * stays then.
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

  /** Ends it and leaves nothing behind. */
  async discard(): Promise<void> {
    await this.#writes;
    await this.#output.cancel();
    await rm(`${this.path}.part`);
  }
}
