import type { SctpChannel } from '../options.ts';
import type { ChannelsHost } from '../parts.ts';
import type { DcepOpen } from './dcep.ts';

/**
 * `opening`: the peer has not acknowledged it yet. `closing`: a reset of one or both streams is missing; a channel that
 * was refused is in this state from the start.
 */
export type ChannelState = 'opening' | 'open' | 'closing' | 'closed';

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
  readonly #host: ChannelsHost;

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
}
