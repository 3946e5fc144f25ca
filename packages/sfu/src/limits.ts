/** Bounds on what one client can make the engine store or do. A request that exceeds one is rejected, never queued. */
export const limits = {
  /** Bytes of one HTTP request's head; a join request with an offer of 600 sections fits. */
  httpHeaderBytes: 64 * 1024,
  twirpBodyBytes: 256 * 1024,
  signalMessageBytes: 512 * 1024,
  /** Unsent bytes of a socket above which it counts as dead. */
  signalBacklogBytes: 4 * 1024 * 1024,
  joinRequestInflatedBytes: 1024 * 1024,
  sdpBytes: 480 * 1024,
  mediaSections: 640,
  nameBytes: 256,
  metadataBytes: 64 * 1024,
  attributes: 64,
  /** Per process; EngineOptions.capacity lowers these four. */
  rooms: 5000,
  participants: 10_000,
  participantsPerRoom: 3000,
  tracksPerParticipant: 32,
  /** RTP streams (SSRCs) of one participant. */
  streamsPerParticipant: 128,
  layersPerTrack: 4,
  /** Queued events of one webhook receiver; later ones are dropped and counted. */
  webhookQueue: 500,
  dataMessageBytes: 65_536,
  /** Unsent bytes of a data channel: above, lossy messages are dropped, and reliable ones end the connection. */
  lossyBacklogBytes: 256 * 1024,
  reliableBacklogBytes: 16 * 1024 * 1024,
  /** Bytes of reliable messages kept for a participant whose data channel is not open yet; later ones are dropped. */
  earlyDataBytes: 256 * 1024,
} as const;

/**
 * What one participant may make the engine do, per second on average and in a burst. All rates are far above those of
 * the busiest regular client. A participant that exceeds one is disconnected (`leave` with PARTICIPANT_REMOVED),
 * because others would be affected.
 */
export const rates = {
  /** Signalling messages; a long one counts once more for every 16 kB. */
  messages: { perSecond: 100, atOnce: 600 },
  /** Bytes of offers and answers: half a megabyte takes the processor 50 to 100 ms. */
  descriptionBytes: { perSecond: 600_000, atOnce: 8_000_000 },
  /** Requests that are broadcast to the room, or that update the subscriptions of all participants. */
  changes: { perSecond: 10, atOnce: 150 },
  /** Tracks subscribed to or unsubscribed from. */
  subscriptions: { perSecond: 100, atOnce: 3000 },
  /** Tracks whose settings are changed. */
  settings: { perSecond: 300, atOnce: 5000 },
  /** Messages that cannot be read or worked with. */
  faults: { perSecond: 1, atOnce: 50 },
  dataMessages: { perSecond: 500, atOnce: 2000 },
  /** The burst is half of what a receiver may be behind, so that a flood disconnects only its sender. */
  dataBytes: { perSecond: 2_000_000, atOnce: 8_000_000 },
  /** RTP and RTCP received. */
  mediaPackets: { perSecond: 10_000, atOnce: 20_000 },
  mediaBytes: { perSecond: 7_500_000, atOnce: 15_000_000 },
} as const;

export type RateName = keyof typeof rates;

/** A bucket of `burst` tokens, refilled with `rate` per second. */
export class TokenBucket {
  readonly #rate: number;
  readonly #burst: number;
  #tokens: number;
  #at: number;

  constructor(rate: number, burst: number, nowMs = performance.now()) {
    this.#rate = rate;
    this.#burst = burst;
    this.#tokens = burst;
    this.#at = nowMs;
  }

  /** Takes tokens; returns false, and takes none, if there are too few. */
  take(cost = 1, nowMs = performance.now()): boolean {
    this.#tokens = Math.min(this.#burst, this.#tokens + (Math.max(0, nowMs - this.#at) / 1000) * this.#rate);
    this.#at = nowMs;
    if (this.#tokens < cost) return false;
    this.#tokens -= cost;
    return true;
  }
}
