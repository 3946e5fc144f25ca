const FEEDBACK_PATIENCE_MS = 5000;
/** Receivers of sound alone report every 5 s, and some time later (RFC 3550 section 6.2). */
const REPORT_PATIENCE_MS = 8000;
/** For a peer that builds its way anew, and so knows that the old one is gone. */
const RESTART_PATIENCE_MS = 4000;
/** Packets nothing of which arrived; fewer may be chance. */
const SENT = 50;
/** Who was heard this lately is there. */
const HEARD_MS = 3000;

/**
 * Notices that a peer gets nothing any more although it is there. Its address has changed: its checks already come
 * from the new one and are answered there, but libjuice sends everything else to the old one until the consent for it
 * runs out (RFC 7675, 30 s).
 */
export class PathWatch {
  readonly #out: { readonly sentPackets: number };
  /** When it said last that something new had come; undefined before the first time. */
  #arrivedAt: number | undefined;
  #sentThen = 0;
  #heardAt = Number.NEGATIVE_INFINITY;
  #patienceMs = REPORT_PATIENCE_MS;
  readonly #highest = new Map<number, number>();

  /** `out` counts the media packets sent to the peer. */
  constructor(out: { readonly sentPackets: number }) {
    this.#out = out;
  }

  /** Something came of the peer, whatever it was. */
  heard(nowMs: number): void {
    this.#heardAt = nowMs;
  }

  /** A report block: something has arrived when the highest sequence number has moved. */
  handleReport(ssrc: number, highestSequence: number, nowMs: number): void {
    if (this.#highest.get(ssrc) === highestSequence) return;
    this.#highest.set(ssrc, highestSequence);
    this.#arrived(nowMs);
  }

  /** Transport-wide feedback comes only when something has arrived, and soon. */
  handleFeedback(nowMs: number): void {
    this.#patienceMs = FEEDBACK_PATIENCE_MS;
    this.#arrived(nowMs);
  }

  /** The peer is heard, and nothing reaches it. */
  isDead(nowMs: number): boolean {
    return nowMs - this.#heardAt < HEARD_MS && this.#nothingArrives(nowMs, this.#patienceMs);
  }

  /** Whether a peer that restarts ICE has lost its way here; if not, media goes on while it does. */
  isDeadAtRestart(nowMs: number): boolean {
    return this.#nothingArrives(nowMs, Math.min(this.#patienceMs, RESTART_PATIENCE_MS));
  }

  #nothingArrives(nowMs: number, patienceMs: number): boolean {
    if (this.#arrivedAt === undefined || this.#out.sentPackets - this.#sentThen < SENT) return false;
    return nowMs - this.#arrivedAt > patienceMs;
  }

  #arrived(nowMs: number): void {
    this.#arrivedAt = nowMs;
    this.#sentThen = this.#out.sentPackets;
  }
}
