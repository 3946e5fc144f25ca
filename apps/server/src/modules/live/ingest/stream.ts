import type { LiveOutput } from '@rmeet/live';
import { EncoderStream } from '@rmeet/recorder';
import type { IngestSink } from '@rmeet/rtmp';
import type { Arrival } from './leases.ts';
import type { BroadcastIngestRow } from './tables.ts';

type Way = NonNullable<BroadcastIngestRow['way']>;

export interface StreamOptions {
  /** The stream as it was when this process took it first. */
  row: Pick<BroadcastIngestRow, 'startsAt' | 'nextSegment' | 'nextInit'>;
  /** Where its parts go; called once. */
  open: (startsAt: number) => Omit<LiveOutput, 'end'>;
  now: () => number;
  /** The first part since a connection began. */
  onArrived: () => void;
}

/**
 * Numbers that are left out after another process: it has stored its own once a second, and a segment is longer than
 * that.
 */
const LEAP = 2;
/** The bitrate is that of so many seconds. */
const RATE_SECONDS = 5;

/**
 * The outside stream of one broadcast in this process, over all of its connections: each of them begins a new stretch,
 * and numbers and times go on.
 */
export class OutsideStream {
  readonly #options: StreamOptions;
  readonly #encoder: EncoderStream;
  readonly #startsAt: number;
  #state: 'waiting' | 'arriving' | 'refused' = 'waiting';
  #reason = '';
  #since: Date | null = null;
  #way: Way | null = null;
  #size: { width: number; height: number } | null = null;
  #hasSound = false;
  #arrivedAt: Date | null = null;
  /** Bytes of each of the last seconds, the newest last. */
  #bytes: number[] = [0];

  constructor(options: StreamOptions) {
    const { row, open, now } = options;
    this.#options = options;
    this.#startsAt = row.startsAt?.getTime() ?? now();
    const output = open(this.#startsAt);
    const leap = row.startsAt === null ? 0 : LEAP;
    this.#encoder = new EncoderStream({
      startsAt: this.#startsAt,
      now,
      firstSegment: row.nextSegment + leap,
      firstInit: row.nextInit + leap,
      output: {
        takeInit: (number, data, format) => {
          this.#size = format ?? null;
          output.takeInit(number, data);
        },
        takePart: (part) => {
          output.takePart(part);
          this.#arrive();
        },
      },
      onRefused: (what) => this.refuse(what),
    });
  }

  #arrive(): void {
    const now = this.#options.now();
    this.#arrivedAt = new Date(now);
    if (this.#state === 'arriving') return;
    this.#state = 'arriving';
    this.#since = new Date(now);
    this.#options.onArrived();
  }

  /** The number of the next segment. */
  get nextSegment(): number {
    return this.#encoder.next.segment;
  }

  /** A connection begins. Returns what takes its media. */
  begin(way: Way): Pick<IngestSink, 'onConfig' | 'onFrame' | 'onUnknown'> {
    this.#way = way;
    this.#state = 'waiting';
    this.#reason = '';
    this.#hasSound = false;
    this.#bytes = [0];
    return {
      onConfig: (config) => this.#encoder.config(config),
      onFrame: (frame) => {
        this.#hasSound ||= frame.kind === 'audio';
        this.#bytes[this.#bytes.length - 1] = (this.#bytes.at(-1) ?? 0) + frame.data.length;
        this.#encoder.frame(frame);
      },
      onUnknown: (codec) => this.refuse(`codec:${codec}`),
    };
  }

  /** Its media cannot be broadcast as it is coded, unless parts of it can. */
  refuse(reason: string): void {
    if (this.#state === 'arriving') return;
    this.#state = 'refused';
    this.#reason = reason;
  }

  /** The connection ended. */
  end(): void {
    this.#encoder.close();
    this.#state = 'waiting';
    this.#since = null;
  }

  /** A second has passed. */
  tick(): void {
    this.#bytes = [...this.#bytes, 0].slice(-RATE_SECONDS - 1);
  }

  /** What is stored of it now. */
  get arrival(): Arrival {
    const { segment, init } = this.#encoder.next;
    const seconds = Math.max(1, this.#bytes.length - 1);
    const complete = this.#bytes.length > 1 ? this.#bytes.slice(0, -1) : this.#bytes;
    const isArriving = this.#state === 'arriving';
    return {
      state: this.#state,
      reason: this.#state === 'refused' ? this.#reason : '',
      since: this.#since,
      way: this.#way,
      width: isArriving ? (this.#size?.width ?? null) : null,
      height: isArriving ? (this.#size?.height ?? null) : null,
      hasSound: isArriving && this.#hasSound,
      bitrate: Math.round((complete.reduce((sum, bytes) => sum + bytes, 0) * 8) / 1_000 / seconds),
      ...this.#numbers(segment, init),
    };
  }

  #numbers(nextSegment: number, nextInit: number): Arrival {
    if (this.#arrivedAt === null) return {};
    return { startsAt: new Date(this.#startsAt), nextSegment, nextInit, arrivedAt: this.#arrivedAt };
  }
}
