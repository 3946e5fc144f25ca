import { TokenBucket } from '../limits.ts';

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
 * So many ticks of 50 ms after packets were sent, feedback is missing: browsers send it every 50 to 250 ms. Ticks are
 * counted instead of time, because after a pause of this process all feedback is late.
 */
const SILENT_TICKS = 8;
const SILENT_PACKETS = 8;
/**
 * A path that is bad again and again is not restarted again and again: the interval doubles up to the maximum, and is
 * the minimum again after twice the maximum. So a few peers that withhold feedback do not use up the process' restarts.
 */
const RESTART_INTERVAL_MS = { min: 2000, max: 60_000 };
/** Of this process, so many a second: if many paths fall silent together, no address has changed. */
const RESTARTS = 20;
const processRestarts = new TokenBucket(RESTARTS, RESTARTS);

/**
 * Detects that a connected peer receives nothing any more, because its address has changed.
 *
 * With libjuice for good (`isDead`): the peer's connectivity checks come from the new address and are answered there,
 * but everything else is sent to the old one until consent for it expires (RFC 7675, 30 s). The native transport
 * follows the first packet from the new address. From a peer that only receives this is a report after up to 1.5 s, so
 * it is asked to restart ICE, which sends checks (`fallsSilent`).
 */
export class PathWatch {
  readonly #out: { readonly sentPackets: number };
  readonly #restarts: TokenBucket;
  /** When it last reported new arrivals; undefined before the first time. */
  #arrivedAt: number | undefined;
  #sentThen = 0;
  #heardAt = Number.NEGATIVE_INFINITY;
  #timeoutMs = REPORT_TIMEOUT_MS;
  readonly #highest = new Map<number, number>();
  /** Ticks since the last feedback. */
  #ticks = 0;
  #sentAtFeedback = 0;
  /** Feedback has come at all. */
  #isWatching = false;
  #isSilent = false;
  #restartedAt = Number.NEGATIVE_INFINITY;
  #restartIntervalMs = RESTART_INTERVAL_MS.min;

  /** `out` counts the media packets sent to the peer, `restarts` limits those of all paths together. */
  constructor(out: { readonly sentPackets: number }, restarts = processRestarts) {
    this.#out = out;
    this.#restarts = restarts;
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

  /** Transport-wide feedback is sent only after arrivals, and soon. Returns true for the first after a silence. */
  handleFeedback(nowMs: number): boolean {
    this.#timeoutMs = FEEDBACK_TIMEOUT_MS;
    this.#arrived(nowMs);
    this.#ticks = 0;
    this.#sentAtFeedback = this.#out.sentPackets;
    const wasSilent = this.#isSilent;
    this.#isSilent = false;
    this.#isWatching = true;
    return wasSilent;
  }

  /** Every 50 ms. Returns true once when feedback stops although packets are sent. */
  fallsSilent(nowMs: number): boolean {
    if (!this.#isWatching || this.#isSilent) return false;
    this.#ticks += 1;
    if (this.#ticks < SILENT_TICKS || this.#out.sentPackets - this.#sentAtFeedback < SILENT_PACKETS) return false;
    const sinceRestart = nowMs - this.#restartedAt;
    if (sinceRestart < this.#restartIntervalMs || !this.#restarts.take(1, nowMs)) return false;
    const { min, max } = RESTART_INTERVAL_MS;
    this.#restartIntervalMs = sinceRestart > 2 * max ? min : Math.min(2 * this.#restartIntervalMs, max);
    this.#restartedAt = nowMs;
    this.#isSilent = true;
    return true;
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
