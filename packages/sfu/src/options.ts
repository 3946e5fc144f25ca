import type { Socket } from 'node:net';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Receives one log line. `fields` never contain tokens, secrets or media. */
export type Log = (level: LogLevel, message: string, fields: Record<string, unknown>) => void;

/** TURN servers sent in the join response, with credentials valid for a day (coturn `use-auth-secret`). */
export interface TurnOptions {
  /** Such as `turn:host:3478?transport=udp`, `turns:host:443?transport=tcp`. */
  urls: string[];
  /** coturn's `static-auth-secret`. */
  secret: string;
}

/** Servers that receive LiveKit's webhooks. */
export interface WebhookOptions {
  urls: string[];
  /** The key pair that signs them; receivers use it for verification, like `WebhookReceiver` of livekit-server-sdk. */
  apiKey: string;
  apiSecret: string;
  /** Delays before further attempts, ms; default 1, 2, 4 and 8 s. */
  retryMs?: readonly number[];
}

/**
 * Limits of a process. Above them, new joins are rejected (HTTP 503, Twirp `resource_exhausted`); present participants
 * stay.
 */
export interface Capacity {
  rooms?: number;
  participants?: number;
  participantsPerRoom?: number;
  tracksPerParticipant?: number;
  /** Bits per second of media, in and out together. */
  bitrate?: number;
}

/** See EngineOptions. */
export type TransportChoice = 'auto' | 'native' | 'datachannel';

export interface EngineOptions {
  /** Address the HTTP port listens on, normally loopback: the server proxies `/rtc*` and `/twirp/*` to it. */
  host: string;
  /** HTTP port; 0 for any free one, see `Engine.port`. */
  port: number;
  /** LiveKit API key: the issuer of every access token. */
  apiKey: string;
  /** LiveKit API secret: the HS256 key of every access token. */
  apiSecret: string;
  /** The only UDP port, for all media; 0 for any free one, see `Engine.udpPort`. */
  udpPort: number;
  /** The TCP port for media, where the transport is native; 0 for the number of the UDP port. Default: none. */
  tcpPort?: number;
  /** A TCP port of another process that passes media connections to `Engine.acceptMedia`. */
  webPort?: { port: number; address?: string };
  /**
   * What the ICE user name of every connection begins with, so that another process can tell which engine it is for.
   */
  ufragPrefix?: string;
  /** Address to advertise in addition to the local ones if a NAT forwards `udpPort` to this machine. */
  publicIp?: string;
  /**
   * Local addresses to advertise. Default: every address of every active interface, read again at each join. A list of
   * exactly one also binds the UDP socket to that one only.
   */
  addresses?: string[];
  /**
   * How media reaches the wire: `native` by the engine itself, `datachannel` by libdatachannel. Default `auto`: native
   * where this process has all that it needs.
   */
  transport?: TransportChoice;
  turn?: TurnOptions;
  webhooks?: WebhookOptions;
  capacity?: Capacity;
  /**
   * Mute tracks whose source is no longer permitted, and forward them again when it is. Otherwise they are withdrawn,
   * as in LiveKit, and their client publishes them again, which requires a negotiation with it and with all others.
   */
  holdTracks?: boolean;
  /** Answer 404 to `/rtc/v1*`, like servers that only support `/rtc`; clients then fall back. */
  disableV1?: boolean;
  /** Seconds that an empty room is kept before the first join (default 300) and after the last leave (20). */
  emptyTimeout?: number;
  departureTimeout?: number;
  log?: Log;
}

/** A running engine. */
export interface Engine {
  /** The HTTP port it listens on. */
  readonly port: number;
  /** The UDP port it listens on. */
  readonly udpPort: number;
  /**
   * Takes over a TCP connection for media (RFC 6544, RFC 4571), of which `head` has been read. It is closed if the
   * transport has no TCP.
   */
  acceptMedia(socket: Socket, head: Buffer): void;
  /** Counters and gauges as Prometheus text (also served at `/metrics`). */
  metrics(): string;
  /**
   * Accepts no new rooms from now on, and closes those without a visible participant. Fulfilled when the last one is
   * gone, at the latest after `deadlineMs`: then `close()` sends the remaining participants to another process.
   */
  drain(deadlineMs: number): Promise<void>;
  /** Notifies every participant of the shutdown (`leave`), closes all transports and both ports. */
  close(): Promise<void>;
}
