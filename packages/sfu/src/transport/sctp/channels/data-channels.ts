import type { ChannelOptions, SctpChannel } from '../options.ts';
import type { Channels, ChannelsOptions } from '../parts.ts';
import { PayloadProtocol } from '../wire/constants.ts';
import { Channel } from './channel.ts';
import { DcepType, readOpen, writeOpen } from './dcep.ts';

/** Stream ids that are offered in INIT; until the handshake is over, ours are below it too. */
const MOST_STREAMS = 1024;
const reliable = { ordered: true } as const;
const ack = Buffer.from([DcepType.ack]);
const empty = Buffer.alloc(0);
/** An empty message is sent as one byte under a protocol identifier of its own (RFC 8831 section 6.6). */
const placeholder = Buffer.alloc(1);

/** The data channels of an association (RFC 8831, RFC 8832). A wrong message of the peer closes its channel only. */
export class DataChannels implements Channels {
  readonly #options: ChannelsOptions;
  readonly #channels = new Map<number, Channel>();
  #streams = MOST_STREAMS;

  constructor(options: ChannelsOptions) {
    this.#options = options;
  }

  /** @throws {RangeError} for a label or protocol of more than 256 bytes, two limits, or no free stream */
  open(label: string, options: ChannelOptions): SctpChannel {
    const { host, isDtlsClient } = this.#options;
    let id = isDtlsClient ? 0 : 1;
    while (this.#channels.has(id)) id += 2;
    if (id >= this.#streams) throw new RangeError('no stream is free for a further channel');
    const open = { ...options, label, protocol: options.protocol ?? '' };
    const request = writeOpen(open);
    const channel = new Channel(id, open, 'opening', host);
    channel.isKnown = true;
    this.#channels.set(id, channel);
    if (!host.send(id, PayloadProtocol.control, request, reliable)) this.#closed(channel);
    return channel;
  }

  close(channel: SctpChannel): void {
    const own = this.#channels.get(channel.id);
    if (own !== undefined && own === channel && own.state !== 'closing') this.#reset(own);
  }

  send(channel: SctpChannel, message: Uint8Array, isBinary: boolean): boolean {
    const own = this.#channels.get(channel.id);
    const { host, maxMessageBytes } = this.#options;
    if (own === undefined || own !== channel || own.state === 'closing' || message.length > maxMessageBytes)
      return false;
    // Until the peer knows the channel, no message may overtake the request (RFC 8832 section 6).
    const delivery = own.state === 'open' ? own.options : { ...own.options, ordered: true };
    if (message.length === 0) {
      const protocol = isBinary ? PayloadProtocol.binaryEmpty : PayloadProtocol.textEmpty;
      return host.send(own.id, protocol, placeholder, delivery);
    }
    return host.send(own.id, isBinary ? PayloadProtocol.binary : PayloadProtocol.text, message, delivery);
  }

  message(streamId: number, ppid: number, message: Buffer): void {
    const channel = this.#channels.get(streamId);
    if (channel?.state === 'closing' && !channel.isIncoming) {
      channel.keepForNext(ppid, message, this.#options.maxMessageBytes);
      return;
    }
    if (ppid === PayloadProtocol.control) {
      this.#control(streamId, channel, message);
      return;
    }
    if (channel === undefined) return;
    // Data shows, as an acknowledgement does, that the peer knows the channel (RFC 8832 section 6).
    if (channel.state === 'opening') this.#opened(channel);
    if (channel.state !== 'open') return;
    const { handler } = this.#options;
    if (ppid === PayloadProtocol.binary) handler.message(channel, message, true);
    else if (ppid === PayloadProtocol.text) handler.message(channel, message, false);
    else if (ppid === PayloadProtocol.binaryEmpty) handler.message(channel, empty, true);
    else if (ppid === PayloadProtocol.textEmpty) handler.message(channel, empty, false);
  }

  connected(outgoingStreams: number, incomingStreams: number): void {
    this.#streams = Math.min(outgoingStreams, incomingStreams, MOST_STREAMS);
    for (const channel of this.#channels.values()) {
      if (channel.id >= this.#streams) this.#closed(channel);
    }
  }

  outgoingReset(streamId: number): void {
    const channel = this.#channels.get(streamId);
    if (channel?.state !== 'closing') return;
    channel.isOutgoing = false;
    this.#announce(channel);
    if (channel.isIncoming) return;
    this.#closed(channel);
    const next = channel.takeForNext();
    if (next === undefined) this.#refuse(streamId, !channel.isNextReset);
    for (const { ppid, message } of next ?? []) this.message(streamId, ppid, message);
    if (next !== undefined && channel.isNextReset) this.incomingReset([streamId]);
  }

  incomingReset(streamIds: readonly number[]): void {
    for (const id of streamIds.length === 0 ? [...this.#channels.keys()] : streamIds) {
      const channel = this.#channels.get(id);
      if (channel === undefined) continue;
      channel.isNextReset = !channel.isIncoming;
      channel.isIncoming = false;
      if (channel.state !== 'closing') this.#reset(channel);
      this.#announce(channel);
      if (!channel.isOutgoing) this.#closed(channel);
    }
  }

  closeAll(): void {
    for (const channel of this.#channels.values()) this.#closed(channel);
  }

  #control(streamId: number, channel: Channel | undefined, message: Buffer): void {
    if (message[0] === DcepType.ack) {
      if (channel?.state === 'opening') this.#opened(channel);
      return;
    }
    if (message[0] !== DcepType.open) return;
    // The stream already has a channel: the two sides do not agree what it is.
    if (channel !== undefined) {
      if (channel.state !== 'closing') this.#reset(channel);
      return;
    }
    const options = readOpen(message);
    const { host } = this.#options;
    if (options === undefined || streamId >= this.#streams) {
      this.#refuse(streamId);
      return;
    }
    const opened = new Channel(streamId, options, 'opening', host);
    this.#channels.set(streamId, opened);
    if (host.send(streamId, PayloadProtocol.control, ack, reliable)) this.#opened(opened);
    else this.#reset(opened);
  }

  #opened(channel: Channel): void {
    channel.state = 'open';
    channel.isKnown = true;
    this.#options.handler.channelOpen(channel);
  }

  /** The peer may not have this channel: its stream is reset, and what still comes on it is dropped. */
  #refuse(streamId: number, isIncoming = true): void {
    if (streamId >= MOST_STREAMS) return;
    const channel = new Channel(streamId, { label: '', protocol: '', ordered: true }, 'closing', this.#options.host);
    channel.isIncoming = isIncoming;
    this.#channels.set(streamId, channel);
    if (streamId < this.#streams) this.#options.host.resetStream(streamId);
    else channel.isOutgoing = false;
  }

  /** Closing resets our outgoing stream; the peer answers with a reset of its own (RFC 8831 section 6.7). */
  #reset(channel: Channel): void {
    channel.state = 'closing';
    this.#options.host.resetStream(channel.id);
  }

  #announce(channel: Channel): void {
    if (!channel.isKnown) return;
    channel.isKnown = false;
    this.#options.handler.channelClosed(channel);
  }

  #closed(channel: Channel): void {
    channel.state = 'closed';
    this.#channels.delete(channel.id);
    this.#announce(channel);
  }
}
