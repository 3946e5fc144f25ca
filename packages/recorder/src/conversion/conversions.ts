import { Ffmpeg, tryFfmpeg, type FfmpegEvents } from './ffmpeg.ts';

/** The conversions from VP8 to H.264 of a recorder process, which are few: each takes much of a core. */
export class Conversions {
  #program: string;
  #most: number;
  #count = 0;

  /** `most`: how many there may be at once. */
  constructor(program: string, most: number) {
    this.#program = program;
    this.#most = most;
  }

  /**
   * Those of the ffmpeg on the PATH; undefined if there is none that can convert, or `most` is 0. What was found is
   * logged.
   */
  static async find(most: number, log: (line: string) => void, program = 'ffmpeg'): Promise<Conversions | undefined> {
    if (most === 0) return undefined;
    const problem = await tryFfmpeg(program);
    if (problem !== undefined) {
      log(`Cameras that send VP8 are shown as name cards: ${problem}`);
      return undefined;
    }
    log(`Cameras that send VP8 are converted to H.264 by ffmpeg while they are on air, ${most} at once`);
    return new Conversions(program, most);
  }

  /** How many there are. */
  get count(): number {
    return this.#count;
  }

  /** Takes a place, which `release` gives back; false if all are taken. */
  take(): boolean {
    if (this.#count >= this.#most) return false;
    this.#count += 1;
    return true;
  }

  release(): void {
    this.#count -= 1;
  }

  /** Starts an ffmpeg, for a place that is taken. */
  start(events: FfmpegEvents): Ffmpeg {
    return new Ffmpeg(this.#program, events);
  }
}
