import { limits } from '../../limits.ts';
import { SctpAssociation } from '../sctp/association.ts';
import type { SctpChannel } from '../sctp/options.ts';

const RELIABLE = '_reliable';
const LOSSY = '_lossy';
const CHANNELS = 8;

export interface DataHandler {
  /** A binary message on a channel of the peer's. The buffer is the handler's own. */
  message(label: string, message: Buffer): void;
  /** One SCTP packet to the peer. False: dropped. */
  write(packet: Uint8Array): boolean;
  /** The association ended. `wasConnected`: the peer has lost its channels, which cannot be opened again. */
  closed(reason: string, wasConnected: boolean): void;
}

/**
 * The data channels of one peer connection, by label: those that the peer opens, or, on the side that offers,
 * `_reliable` and `_lossy`.
 */
export class DataChannels {
  #offers = false;
  readonly #handler: DataHandler;
  readonly #channels = new Map<string, SctpChannel>();
  readonly #early: Uint8Array[] = [];
  #earlyBytes = 0;
  #association: SctpAssociation | undefined;
  #connected = false;
  #closed = false;

  constructor(handler: DataHandler) {
    this.#handler = handler;
  }

  /**
   * DTLS is connected.
   *
   * @param offers this side opens the channels, and ignores messages: LiveKit's clients send where they publish
   */
  start(isDtlsClient: boolean, offers: boolean): void {
    if (this.#closed || this.#association) return;
    this.#offers = offers;
    const association = new SctpAssociation(
      {
        isDtlsClient,
        maxMessageBytes: limits.dataMessageBytes,
        sendBufferBytes: limits.reliableBacklogBytes + limits.lossyBacklogBytes + 2 * limits.dataMessageBytes,
      },
      {
        send: (packet) => this.#handler.write(packet),
        connected: () => (this.#connected = true),
        channelOpen: (channel) => this.#opened(channel),
        channelClosed: (channel) => this.#channelClosed(channel),
        message: (channel, message, isBinary) => {
          if (!isBinary || this.#offers || this.#closed) return;
          this.#handler.message(channel.label, message);
        },
        closed: (reason) => {
          if (!this.#closed) this.#handler.closed(reason, this.#connected);
        },
      },
    );
    this.#association = association;
    association.start();
    if (!this.#offers) return;
    this.#channels.set(RELIABLE, association.openChannel(RELIABLE, { ordered: true }));
    this.#channels.set(LOSSY, association.openChannel(LOSSY, { ordered: false, maxRetransmits: 0 }));
  }

  /** One SCTP packet of the peer, valid during the call. */
  receive(packet: Buffer): void {
    this.#association?.receive(packet);
  }

  /** See Transport.sendData. */
  send(label: string, message: Uint8Array): 'sent' | 'dropped' | 'overflow' {
    if (this.#closed) return 'dropped';
    const channel = this.#channels.get(label);
    if (!channel?.isOpen) return label === RELIABLE && this.#keepEarly(message) ? 'sent' : 'dropped';
    const backlog = channel.bufferedAmount;
    if (label === RELIABLE && backlog > limits.reliableBacklogBytes) return 'overflow';
    if (label !== RELIABLE && backlog > limits.lossyBacklogBytes) return 'dropped';
    if (this.#association!.send(channel, message, true)) return 'sent';
    return label === RELIABLE ? 'overflow' : 'dropped';
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#early.length = 0;
    this.#channels.clear();
    this.#association?.close();
    this.#association = undefined;
  }

  /** Keeps a reliable message until its channel is open, if there is space. */
  #keepEarly(message: Uint8Array): boolean {
    if (this.#earlyBytes + message.length > limits.earlyDataBytes) return false;
    this.#earlyBytes += message.length;
    this.#early.push(Buffer.from(message));
    return true;
  }

  #opened(channel: SctpChannel): void {
    if (this.#closed) return;
    if (!this.#offers) {
      if (this.#channels.size >= CHANNELS && !this.#channels.has(channel.label)) {
        this.#association?.closeChannel(channel);
        return;
      }
      this.#channels.set(channel.label, channel);
    }
    if (channel.label !== RELIABLE) return;
    for (const message of this.#early.splice(0)) this.send(RELIABLE, message);
    this.#earlyBytes = 0;
  }

  #channelClosed(channel: SctpChannel): void {
    if (this.#channels.get(channel.label) === channel) this.#channels.delete(channel.label);
  }
}
