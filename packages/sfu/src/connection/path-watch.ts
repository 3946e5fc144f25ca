const FEEDBACK_TIMEOUT_MS = 5000;
/** Receivers of audio only report every 5 s, with some delay (RFC 3550 section 6.2). */
const REPORT_TIMEOUT_MS = 8000;
/** For a peer that restarts ICE, which shows that the old path is gone. */
const RESTART_TIMEOUT_MS = 4000;
/** Number of packets of which none arrived; with fewer it may be chance. */
const SENT = 50;
/** A peer that sent something this recently is connected. */
const HEARD_MS = 3000;

/**
 * Detects that a connected peer receives nothing any more. Its address has changed: its connectivity checks come from
 * the new one and are answered there, but libjuice sends everything else to the old one until consent for it expires
 * (RFC 7675, 30 s).
 */
export class PathWatch {
  readonly #out: { readonly sentPackets: number };
  /** When it last reported new arrivals; undefined before the first time. */
  #arrivedAt: number | undefined;
  #sentThen = 0;
  #heardAt = Number.NEGATIVE_INFINITY;
  #timeoutMs = REPORT_TIMEOUT_MS;
  readonly #highest = new Map<number, number>();

  /** `out` counts the media packets sent to the peer. */
  constructor(out: { readonly sentPackets: number }) {
    this.#out = out;
  }

  /** The peer sent something. */
  heard(nowMs: number): void {
    this.#heardAt = nowMs;
  }

  /** A report block: something has arrived when the highest sequence number has moved. */
  handleReport(ssrc: number, highestSequence: number, nowMs: number): void {
    if (this.#highest.get(ssrc) === highestSequence) return;
    this.#highest.set(ssrc, highestSequence);
    this.#arrived(nowMs);
  }

  /** Transport-wide feedback is sent only after arrivals, and soon. */
  handleFeedback(nowMs: number): void {
    this.#timeoutMs = FEEDBACK_TIMEOUT_MS;
    this.#arrived(nowMs);
  }

  /** Whether the peer sends, but receives nothing. */
  isDead(nowMs: number): boolean {
    return nowMs - this.#heardAt < HEARD_MS && this.#nothingArrives(nowMs, this.#timeoutMs);
  }

  /** Whether a peer that restarts ICE has lost its path; if not, media continues meanwhile. */
  isDeadAtRestart(nowMs: number): boolean {
    return this.#nothingArrives(nowMs, Math.min(this.#timeoutMs, RESTART_TIMEOUT_MS));
  }

  #nothingArrives(nowMs: number, timeoutMs: number): boolean {
    if (this.#arrivedAt === undefined || this.#out.sentPackets - this.#sentThen < SENT) return false;
    return nowMs - this.#arrivedAt > timeoutMs;
  }

  #arrived(nowMs: number): void {
    this.#arrivedAt = nowMs;
    this.#sentThen = this.#out.sentPackets;
  }
}
