import type { SctpChannel } from '../options.ts';
import type { ChannelsHost } from '../parts.ts';
import type { DcepOpen } from './dcep.ts';

/**
 * `opening`: the peer has not acknowledged it yet. `closing`: a reset of one or both streams is missing; a channel that
 * was refused is in this state from the start.
 */
type ChannelState = 'opening' | 'open' | 'closing' | 'closed';

/** What a kept message costs beyond its bytes. */
const MESSAGE_COST = 128;

/** One data channel: the two streams with the same id. */
export class Channel implements SctpChannel {
  readonly id: number;
  readonly options: DcepOpen;
  state: ChannelState;
  /** The outgoing stream is not reset, and the peer has not reset its own, while the channel closes. */
  isOutgoing = true;
  isIncoming = true;
  /** `channelClosed` is due: `channelOpen` was given, or the channel is ours. */
  isKnown = false;
  /** The peer has reset its stream once more: its next channel is closed already. */
  isNextReset = false;
  readonly #host: ChannelsHost;
  readonly #next: { ppid: number; message: Buffer }[] = [];
  #nextBytes = 0;
  #hasDropped = false;

  constructor(id: number, options: DcepOpen, state: ChannelState, host: ChannelsHost) {
    this.id = id;
    this.options = options;
    this.state = state;
    this.#host = host;
  }

  get label(): string {
    return this.options.label;
  }

  get protocol(): string {
    return this.options.protocol;
  }

  get ordered(): boolean {
    return this.options.ordered;
  }

  get isOpen(): boolean {
    return this.state === 'open';
  }

  get bufferedAmount(): number {
    return this.#host.bufferedAmount(this.id);
  }

  /**
   * The peer has reset its stream and may use it for its next channel at once, while we still wait for the answer to
   * our reset. What comes is kept until then, up to `mostBytes`.
   */
  keepForNext(ppid: number, message: Buffer, mostBytes: number): void {
    this.#nextBytes += message.length + MESSAGE_COST;
    if (this.#nextBytes <= mostBytes) this.#next.push({ ppid, message });
    else this.#next.length = 0;
    this.#hasDropped ||= this.#nextBytes > mostBytes;
  }

  /** What was kept; undefined if it was too much, so that the next channel has to be refused. */
  takeForNext(): readonly { ppid: number; message: Buffer }[] | undefined {
    return this.#hasDropped ? undefined : this.#next.splice(0);
  }
}
