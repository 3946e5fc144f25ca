import type { TransportParameters } from '@rmeet/rtp/sdp';
import type { Log } from '../options.ts';

/**
 * Events of a transport. Handlers run on the event loop; their exceptions are logged, and the packet is dropped.
 * Packets and messages are valid during the call only: a handler copies what it keeps.
 */
export interface TransportHandler {
  handleConnected(): void;
  /** The peer has a new address; what was sent to the old one lately is lost. */
  handleMoved?(): void;
  /** The peer closed or is unreachable; called at most once, and not after `close()`. */
  handleClosed(): void;
  handleRtp(packet: Buffer): void;
  handleRtcp(packet: Buffer): void;
  handleData(label: string, message: Buffer): void;
}

/**
 * ICE, DTLS, SRTP and SCTP of one peer connection, as a pipe: all RTP and RTCP packets pass through it, whatever the
 * SDP of the peer says.
 *
 * Use either `accept` (the peer offered), or `offer` and then `complete` (this side offered).
 */
export interface Transport {
  /** True while packets can be sent. */
  readonly connected: boolean;
  /** Accepts the peer's offer and starts connecting. Returns the parameters for the answer. */
  accept(peer: TransportParameters): TransportParameters;
  /** Starts as offerer, with the channels `_reliable` and `_lossy`. Returns the parameters for the offer. */
  offer(): TransportParameters;
  /** Accepts the peer's answer to `offer` and connects. */
  complete(peer: TransportParameters): void;
  /**
   * Restarts ICE with new local credentials, and keeps DTLS and media (RFC 8445 section 9). `peer`: the new
   * parameters of a peer that restarted; without it this side begins. Absent where it is not possible.
   */
  restart?(peer?: TransportParameters): TransportParameters;
  /**
   * Sends one RTP or RTCP packet. The bytes are copied: the caller may reuse the buffer at once.
   *
   * @param isVideo the packet may be held for up to 2 ms, to leave together with others
   */
  send(packet: Buffer, isVideo?: boolean): boolean;
  /** Sends on the data channel with this label. */
  sendData(label: string, message: Uint8Array): 'sent' | 'dropped' | 'overflow';
  close(): void;
}

export interface TransportOptions {
  udpPort: number;
  /** Bind to this address only; otherwise to all. */
  bindAddress?: string;
  log: Log;
}

/** The UDP port of an engine, and the transports on it. */
export interface MediaPort {
  readonly kind: 'native' | 'datachannel';
  readonly udpPort: number;
  create(name: string, handler: TransportHandler): Transport;
  /** Closes the port. All its transports must be closed before. */
  release(): void;
}
