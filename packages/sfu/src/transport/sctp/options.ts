/** What an association is given, and the defaults. */

/** A timer that can be stopped. */
export interface Timer {
  cancel(): void;
}

export interface SctpOptions {
  /** The DTLS client uses even stream ids for its channels, the server odd ones (RFC 8832, section 6). */
  isDtlsClient: boolean;
  maxMessageBytes: number;
  /** Bytes of one SCTP packet, 1,191 unless given: fits 1,280 bytes with IPv6, UDP, DTLS and TURN around it. */
  mtu?: number;
  receiveWindowBytes?: number;
  sendBufferBytes?: number;
  /** Milliseconds of a clock that never goes back. */
  now?: () => number;
  setTimer?: (fn: () => void, ms: number) => Timer;
}

export interface SctpHandler {
  /** One SCTP packet to the peer; the buffer is reused after the call. False: the lower layer dropped it (as lost). */
  send(packet: Uint8Array): boolean;
  connected(): void;
  /** A channel is usable: opened by the peer (DCEP) or by us. */
  channelOpen(channel: SctpChannel): void;
  channelClosed(channel: SctpChannel): void;
  message(channel: SctpChannel, message: Buffer, isBinary: boolean): void;
  /** At most once; nothing follows it. */
  closed(reason: string): void;
}

export interface SctpChannel {
  readonly id: number;
  readonly label: string;
  readonly protocol: string;
  readonly ordered: boolean;
  readonly isOpen: boolean;
  /** Bytes queued or not acknowledged. */
  readonly bufferedAmount: number;
}

export interface ChannelOptions {
  ordered: boolean;
  maxRetransmits?: number;
  maxLifetimeMs?: number;
  protocol?: string;
}

/** Class of channels/channels.ts; the association owns one. */
export interface ChannelsHandler {
  channelOpen(channel: SctpChannel): void;
  channelClosed(channel: SctpChannel): void;
  message(channel: SctpChannel, message: Buffer, isBinary: boolean): void;
}
