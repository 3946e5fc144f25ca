import { spawn, type ChildProcess } from 'node:child_process';
import type { Vp8Frame } from '@rmeet/rtp';
import type { CodedPicture } from '../switch.ts';
import { FlvReader } from './flv-reader.ts';

export interface FfmpegEvents {
  /** A picture; `at` is that of its VP8 frame. */
  onPicture: (picture: CodedPicture, at: number) => void;
  /** It can no longer be used; the reason as a sentence without a full stop. */
  onFailed: (reason: string) => void;
}

/** Pictures that come later than this are too late for the sound. Ms. */
const BEHIND_MS = 400;
/** How long it may be behind: since it began, and later. Ms. */
const STARTS_WITHIN_MS = 3_000;
const BEHIND_AT_MOST_MS = 1_000;

const ARGUMENTS = [
  '-hide_banner -loglevel error',
  // One thread decodes without delay. Nothing is found out by reading ahead.
  '-threads 1 -probesize 32 -analyzeduration 0 -f ivf -c:v vp8 -i pipe:0 -an',
  '-copyts -fps_mode passthrough -enc_time_base 1:1000',
  // No B frames and no frames ahead.
  '-c:v libx264 -preset ultrafast -tune zerolatency -profile:v baseline -pix_fmt yuv420p -threads 1',
  '-crf 23 -maxrate 2500k -bufsize 2500k',
  // A key frame for each key frame of the source, and no others.
  '-g 1000000 -sc_threshold 0 -forced-idr 1 -force_key_frames source',
  '-f flv -flvflags no_duration_filesize -flush_packets 1 pipe:1',
].flatMap((some) => some.split(' '));

/** The header of an IVF file with times in ms. The frames say how large they are. */
function ivfHeader(): Buffer {
  const header = Buffer.alloc(32);
  header.write('DKIF');
  header.writeUInt16LE(header.length, 6);
  header.write('VP80', 8);
  header.writeUInt32LE(1_000, 16);
  header.writeUInt32LE(1, 20);
  return header;
}

function ivfFrame(data: Uint8Array, time: number): Buffer {
  const header = Buffer.alloc(12);
  header.writeUInt32LE(data.length);
  header.writeBigUInt64LE(BigInt(time), 4);
  return Buffer.concat([header, data]);
}

/** Hidden frames have no picture (RFC 6386, 9.1). */
function isShown({ data }: Vp8Frame): boolean {
  return ((data[0]! >> 4) & 1) === 1;
}

/** An ffmpeg that converts VP8 frames of one size to H.264, each at once. */
export class Ffmpeg {
  #events: FfmpegEvents;
  #child: ChildProcess;
  /** Times of frames without an answer. `time`: of the stream; `since`: when it was sent. */
  #waiting: { time: number; at: number; since: number }[] = [];
  #time = 0;
  #began: number | undefined;
  #hasAnswered = false;
  #behindSince: number | undefined;
  #complaint = '';
  #isOver = false;

  /** Starts it. `program`: its name or path. */
  constructor(program: string, events: FfmpegEvents) {
    this.#events = events;
    // It reads what participants send, so it knows none of the secrets in the environment.
    const env = { PATH: process.env['PATH'] };
    this.#child = spawn(program, ARGUMENTS, { stdio: ['pipe', 'pipe', 'pipe'], env });
    const { stdin, stdout, stderr } = this.#child;
    const reader = new FlvReader((picture, timestamp) => this.#take(picture, timestamp));
    // Without file descriptors it has no streams, and `error` follows.
    stdout?.on('data', (chunk: Buffer) => {
      try {
        if (!this.#isOver) reader.push(chunk);
      } catch (error) {
        this.#fail(`sent something else than pictures: ${(error as Error).message}`);
      }
    });
    stderr?.on('data', (chunk: Buffer) => {
      this.#complaint = (this.#complaint + chunk.toString()).slice(-300);
    });
    // How it ended is told by `close`.
    for (const stream of [stdin, stdout, stderr]) stream?.on('error', () => undefined);
    this.#child.on('error', (error) => this.#fail(`cannot be started: ${error.message}`));
    this.#child.on('close', (code, signal) =>
      this.#fail(`ended (${signal ?? code}) ${this.#complaint.trim().split('\n').at(-1)}`.trim()),
    );
    stdin?.write(ivfHeader());
  }

  /** Adds a frame, the first of which is a key frame. `at` and `now`: ms of `performance.now()`. */
  add(frame: Vp8Frame, at: number, now: number): void {
    if (this.#isOver) return;
    if (this.#began === undefined) {
      this.#began = at;
      // It keeps the first frame back until there is another one, and of a still screen no other may come.
      this.#child.stdin?.write(ivfFrame(frame.data, 0));
    }
    this.#time = Math.max(this.#time + 1, Math.round(at - this.#began));
    if (isShown(frame)) this.#waiting.push({ time: this.#time, at, since: now });
    this.#child.stdin?.write(ivfFrame(frame.data, this.#time));
  }

  /** Frames without a picture are skipped. */
  #take(picture: CodedPicture, timestamp: number): void {
    const at = this.#waiting.findIndex(({ time }) => time === timestamp);
    if (at < 0) return;
    const frame = this.#waiting[at]!;
    this.#waiting.splice(0, at + 1);
    this.#hasAnswered = true;
    if (performance.now() - frame.since <= BEHIND_MS) this.#behindSince = undefined;
    this.#events.onPicture(picture, frame.at);
  }

  /** Call it every few ms. */
  tick(now: number): void {
    const [oldest] = this.#waiting;
    if (oldest && now - oldest.since > BEHIND_MS) this.#behindSince ??= now;
    if (this.#behindSince === undefined) return;
    const limit = this.#hasAnswered ? BEHIND_AT_MOST_MS : STARTS_WITHIN_MS;
    if (now - this.#behindSince > limit) this.#fail('is too slow');
  }

  #fail(reason: string): void {
    if (this.#isOver) return;
    this.close();
    this.#events.onFailed(`ffmpeg ${reason}`);
  }

  /** Ends it at once. */
  close(): void {
    this.#isOver = true;
    this.#waiting = [];
    this.#child.kill('SIGKILL');
  }
}

/** A key frame of 16 x 16 black pixels. */
const BLACK: Vp8Frame = {
  data: Buffer.from('EAIAnQEqEAAQAABHCIWFiJmEiAICAAwNYAD+/6tQgA==', 'base64'),
  timestamp: 0,
  isKey: true,
  width: 16,
  height: 16,
};

/** Whether a program converts VP8 to H.264 as the recorder needs it; if it does not, the reason. */
export function tryFfmpeg(program: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const end = (reason?: string): void => {
      clearInterval(timer);
      ffmpeg.close();
      resolve(reason);
    };
    const ffmpeg = new Ffmpeg(program, {
      onPicture: ({ isKey }) => end(isKey ? undefined : 'ffmpeg makes no key frames'),
      onFailed: (reason) => end(reason),
    });
    const timer = setInterval(() => ffmpeg.tick(performance.now()), 100);
    ffmpeg.add(BLACK, 0, performance.now());
  });
}
