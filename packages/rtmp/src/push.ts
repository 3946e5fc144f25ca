import { parseRtmpAddress, type RtmpAddress } from './address.ts';
import type { AmfObject } from './amf0.ts';
import type { MediaConfig, MediaFrame } from './flv.ts';
import { publish, PublishRefused, type PublisherOptions, type RtmpPublisher } from './publisher.ts';

export type PushState = 'connecting' | 'live' | 'refused' | 'lost' | 'stopped';

export interface PushOptions extends Pick<PublisherOptions, 'ca' | 'lookup'> {
  /** Where to push, asked before each connection, because signed addresses expire. Throws TypeError if it is none. */
  address: () => string;
  /** What the stream contains (`onMetaData`). */
  metadata?: AmfObject;
  /** `reason` is the server's or the network's, and may contain the address: it is for the people who know that. */
  onState: (state: PushState, reason: string) => void;
}

/** Pauses before the next try, ms; the last one repeats. Providers close streams that reconnect faster. */
const PAUSES = [500, 1_000, 2_000, 5_000, 10_000];
/** After a refusal: the other pusher with this key may end, or the key be corrected. */
const REFUSED_PAUSE = 15_000;
/** A connection that lasts this long, ms, begins the pauses again. */
const LASTING = 30_000;

/**
 * Pushes a stream to a server for as long as it runs: connects again after each failure, and begins with the latest
 * configurations and the next key frame. Takes everything at once and never waits.
 */
export class RtmpPush {
  readonly #options: PushOptions;
  readonly #configs = new Map<'video' | 'audio', MediaConfig>();
  #publisher: RtmpPublisher | null = null;
  #timer: NodeJS.Timeout | null = null;
  #failures = 0;
  #isStopped = false;

  constructor(options: PushOptions) {
    this.#options = options;
    void this.#connect();
  }

  /** Sets the decoder configuration from the next frame on. */
  config(config: MediaConfig): void {
    this.#configs.set(config.kind, config);
    this.#publisher?.config(config);
  }

  /** A frame that cannot be sent now is lost. */
  send(frame: MediaFrame): void {
    this.#publisher?.send(frame);
  }

  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#publisher?.close();
    this.#publisher = null;
    this.#options.onState('stopped', '');
  }

  async #connect(): Promise<void> {
    const { ca, lookup, onState } = this.#options;
    onState('connecting', '');
    const started = Date.now();
    try {
      const publisher = await publish(this.#parse(), {
        ...(ca !== undefined && { ca }),
        ...(lookup && { lookup }),
        onClosed: (reason) => {
          if (Date.now() - started > LASTING) this.#failures = 0;
          this.#lost('lost', reason?.message ?? 'the server closed the connection');
        },
      });
      if (this.#isStopped) publisher.close();
      else this.#begin(publisher);
    } catch (error) {
      this.#lost(error instanceof PublishRefused ? 'refused' : 'lost', (error as Error).message);
    }
  }

  #parse(): RtmpAddress {
    const address = parseRtmpAddress(this.#options.address());
    if (address === null) throw new TypeError('RTMP: not an address of a stream');
    return address;
  }

  #begin(publisher: RtmpPublisher): void {
    this.#publisher = publisher;
    if (this.#options.metadata !== undefined) publisher.describe(this.#options.metadata);
    for (const config of this.#configs.values()) publisher.config(config);
    this.#options.onState('live', '');
  }

  #lost(state: 'refused' | 'lost', reason: string): void {
    this.#publisher = null;
    if (this.#isStopped) return;
    this.#options.onState(state, reason);
    // A callback may have stopped the push.
    if (this.#isStopped) return;
    const pause = state === 'refused' ? REFUSED_PAUSE : (PAUSES[this.#failures] ?? PAUSES.at(-1)!);
    this.#failures += 1;
    this.#timer = setTimeout(() => void this.#connect(), pause);
  }
}
