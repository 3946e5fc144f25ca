/** Bounds on what one client can make the engine hold or do. Breaking one is refused, never queued. */
export const limits = {
  /** Bytes of one HTTP request's head; a join request with an offer of 600 sections fits. */
  httpHeaderBytes: 64 * 1024,
  twirpBodyBytes: 256 * 1024,
  signalMessageBytes: 512 * 1024,
  /** Signalling messages per second, on average and at once. */
  signalRate: 100,
  signalBurst: 600,
  /** Bytes a socket may hold unsent before it counts as dead. */
  signalBacklogBytes: 4 * 1024 * 1024,
  joinRequestInflatedBytes: 1024 * 1024,
  sdpBytes: 480 * 1024,
  mediaSections: 640,
  /** Of a process; EngineOptions.capacity lowers these four. */
  nameBytes: 256,
  participants: 10_000,
  metadataBytes: 64 * 1024,
  attributes: 64,
  rooms: 5000,
  participantsPerRoom: 3000,
  tracksPerParticipant: 32,
  /** RTP streams (SSRCs) of one participant. */
  streamsPerParticipant: 128,
  layersPerTrack: 4,
  /** Events that wait for one webhook receiver; later ones are dropped and counted. */
  webhookQueue: 500,
  dataMessageBytes: 65_536,
  /** Data messages per second of one participant, on average and at once. */
  dataRate: 500,
  dataBurst: 2000,
  /** Bytes a data channel may hold unsent: lossy messages beyond are dropped, reliable ones end the connection. */
  lossyBacklogBytes: 256 * 1024,
  reliableBacklogBytes: 16 * 1024 * 1024,
} as const;

/** A bucket of `burst` tokens, refilled with `rate` per second. */
export class TokenBucket {
  readonly #rate: number;
  readonly #burst: number;
  #tokens: number;
  #at = performance.now();

  constructor(rate: number, burst: number) {
    this.#rate = rate;
    this.#burst = burst;
    this.#tokens = burst;
  }

  /** Takes one token; false when there is none. */
  take(): boolean {
    const now = performance.now();
    this.#tokens = Math.min(this.#burst, this.#tokens + ((now - this.#at) / 1000) * this.#rate);
    this.#at = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
