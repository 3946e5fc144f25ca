import type { Counters } from './counters.ts';

const EVERY_MS = 1000;
/** Share of the newest second in a mean. */
const NEWEST = 0.3;

/** CPU time and traffic of the process, as means over the last seconds. */
export class LoadMeter {
  /** Cores in use; more than 1 because of the native threads. */
  cores = 0;
  /** Bits per second of media, in and out together. */
  bitrate = 0;
  readonly #counters: Counters;
  #used = process.cpuUsage();
  #bytes = 0;
  #at = performance.now();
  readonly #timer = setInterval(() => this.#measure(), EVERY_MS).unref();

  constructor(counters: Counters) {
    this.#counters = counters;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #measure(): void {
    const used = process.cpuUsage();
    const bytes = this.#counters.bytesIn + this.#counters.bytesOut;
    const at = performance.now();
    const seconds = (at - this.#at) / 1000;
    const micros = used.user + used.system - this.#used.user - this.#used.system;
    this.cores += NEWEST * (micros / 1_000_000 / seconds - this.cores);
    this.bitrate += NEWEST * ((8 * (bytes - this.#bytes)) / seconds - this.bitrate);
    this.#used = used;
    this.#bytes = bytes;
    this.#at = at;
  }
}
