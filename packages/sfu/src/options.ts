export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Receives one log line. `fields` never carry tokens, secrets or media. */
export type Log = (level: LogLevel, message: string, fields: Record<string, unknown>) => void;

/** TURN servers handed out in the join response with credentials valid for a day (coturn `use-auth-secret`). */
export interface TurnOptions {
  /** As `turn:host:3478?transport=udp`, `turns:host:443?transport=tcp`. */
  urls: string[];
  /** coturn's `static-auth-secret`. */
  secret: string;
}

/** Servers that receive LiveKit's webhooks. */
export interface WebhookOptions {
  urls: string[];
  /** The key pair that signs them; receivers check with it, as `WebhookReceiver` of livekit-server-sdk. */
  apiKey: string;
  apiSecret: string;
  /** Pauses before further attempts, ms; default 1, 2, 4 and 8 s. */
  retryMs?: readonly number[];
}

/**
 * What a process takes on at most. Newcomers beyond are refused (HTTP 503, Twirp `resource_exhausted`); who is inside
 * stays.
 */
export interface Capacity {
  rooms?: number;
  participants?: number;
  participantsPerRoom?: number;
  tracksPerParticipant?: number;
  /** Bits per second of media, in and out together. */
  bitrate?: number;
}

export interface EngineOptions {
  /** Address the HTTP port listens on, normally loopback: the server proxies `/rtc*` and `/twirp/*` here. */
  host: string;
  /** HTTP port; 0 takes any free one, see `Engine.port`. */
  port: number;
  /** LiveKit API key: the issuer of every access token. */
  apiKey: string;
  /** LiveKit API secret: the HS256 key of every access token. */
  apiSecret: string;
  /** The one UDP port of all media; 0 takes any free one, see `Engine.udpPort`. */
  udpPort: number;
  /** Address to advertise beside the local ones when a NAT forwards `udpPort` to this machine. */
  publicIp?: string;
  /**
   * Local addresses to advertise. Default: every address of every interface that is up, read anew
   * at each join. Naming exactly one also binds the UDP socket to that one only.
   */
  addresses?: string[];
  turn?: TurnOptions;
  webhooks?: WebhookOptions;
  capacity?: Capacity;
  /**
   * Mute tracks whose source is not permitted any more, and let them be heard and seen when it is again. Otherwise they
   * are withdrawn, as LiveKit does, and their client publishes them anew, which takes it and everybody a negotiation.
   */
  holdTracks?: boolean;
  /** Answer 404 to `/rtc/v1*`, as servers that only speak `/rtc` do; clients then fall back. */
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
  /** Counters and gauges as Prometheus text (also served at `/metrics`). */
  metrics(): string;
  /**
   * Takes no new rooms from now on, and closes those that nobody visible is in. Fulfilled when the last is gone, at
   * the latest after `deadlineMs`: then `close()` sends the others to another process.
   */
  drain(deadlineMs: number): Promise<void>;
  /** Tells every participant that the server goes (`leave`), closes all transports and both ports. */
  close(): Promise<void>;
}
