import type { RoundTrip } from './round-trip.ts';

const INITIAL_PACKETS = 10;
const FEWEST_PACKETS = 4;
const MOST_BYTES = 2 ** 24;
/** What is left of the window when loss is heavy without a queue, and the range when the queue decides. */
const LOSS_REDUCTION = 0.7;
const DEEPEST_REDUCTION = 0.5;
const SLIGHTEST_REDUCTION = 0.85;
/** What counts of the past when a round trip ends. */
const FADING = 0.9;
/** More recent loss than this means congestion, whatever the delay says: a policer or a tiny buffer. */
const MOST_LOSS = 0.15;
/** A longer queue than this makes way for the media on the same path, even without loss. */
const LONGEST_QUEUE_MS = 50;

/**
 * The congestion window. A lost packet alone says little in wireless networks, and a window that shrinks with each
 * would stall at 5 % loss. So loss reduces the window only together with a growing round-trip time (a queue at the
 * bottleneck), or if it is heavy. Decisions are made once per round trip. See docs/decisions/sctp.md.
 */
export class Congestion {
  /** Bytes that may be in flight. */
  window: number;
  readonly #mtu: number;
  readonly #roundTrip: RoundTrip;
  #isSlowStart = true;
  /** Of the current round trip. */
  #acked = 0;
  #lost = 0;
  #shortest = Infinity;
  #wasLimited = false;
  /** Of the last round trips, the older the less. */
  #recentlyAcked = 0;
  #recentlyLost = 0;
  /** The samples of this round trip are from before the last reduction. */
  #isSettling = false;

  constructor(mtu: number, roundTrip: RoundTrip) {
    this.#mtu = mtu;
    this.#roundTrip = roundTrip;
    this.window = INITIAL_PACKETS * mtu;
  }

  /** The window was what kept more data from being sent. */
  limited(): void {
    this.#wasLimited = true;
  }

  sample(ms: number): void {
    this.#shortest = Math.min(this.#shortest, ms);
  }

  lost(bytes: number): void {
    this.#lost += bytes;
  }

  /** What counted as lost was only late. */
  notLost(bytes: number): void {
    this.#lost = Math.max(0, this.#lost - bytes);
  }

  acked(bytes: number): void {
    this.#acked += bytes;
    if (this.#isSlowStart && this.#wasLimited) this.#grow(Math.min(bytes, 4 * this.#mtu));
  }

  /** All packets that were in flight when the round trip began have been acknowledged or lost. */
  endRound(): void {
    const { shortest } = this.#roundTrip;
    const queue = this.#shortest === Infinity ? 0 : this.#shortest - shortest;
    this.#recentlyAcked = FADING * this.#recentlyAcked + this.#acked;
    this.#recentlyLost = FADING * this.#recentlyLost + this.#lost;
    if (this.#isSettling) this.#isSettling = false;
    else this.#decide(queue);
    this.#acked = 0;
    this.#lost = 0;
    this.#shortest = Infinity;
    this.#wasLimited = false;
  }

  /** The retransmission timer expired; `isRepeated`: not for the first time since the last acknowledgement. */
  timeout(isRepeated: boolean): void {
    this.#isSlowStart = isRepeated;
    this.window = Math.max(isRepeated ? 0 : Math.floor(this.window / 2), FEWEST_PACKETS * this.#mtu);
  }

  #grow(bytes: number): void {
    this.window = Math.min(this.window + Math.max(Math.floor(bytes), this.#mtu), MOST_BYTES);
  }

  #decide(queue: number): void {
    const { shortest } = this.#roundTrip;
    const hasQueue = queue > Math.max(5, shortest / 6);
    const hasLost = this.#lost > 0;
    const isHeavy = this.#lost > Math.max(this.#acked / 2, 10 * this.#mtu);
    // The window that would just fill the path, without the queue.
    const fitting = shortest / (shortest + queue);
    if (isHeavy) this.#reduce(this.#acked / this.window);
    else if (hasQueue && (hasLost || this.#isSlowStart)) this.#reduce(fitting);
    else if (hasLost && this.#isLossHigh) this.#reduce(LOSS_REDUCTION);
    else if (this.#wasLimited && queue > LONGEST_QUEUE_MS) this.#makeWay(fitting);
    else if (this.#wasLimited && !this.#isSlowStart) this.#grow(queue < 5 ? this.window / (hasLost ? 32 : 8) : 0);
  }

  /** Judged from at least a hundred packets: of fewer, many can be lost by chance. */
  get #isLossHigh(): boolean {
    const sum = this.#recentlyAcked + this.#recentlyLost;
    return sum > 100 * this.#mtu && this.#recentlyLost > MOST_LOSS * sum;
  }

  #reduce(share: number): void {
    const factor = Math.min(Math.max(share, DEEPEST_REDUCTION), SLIGHTEST_REDUCTION);
    this.#isSlowStart = false;
    this.#isSettling = true;
    // Earlier loss says nothing of the smaller window.
    this.#recentlyAcked = 0;
    this.#recentlyLost = 0;
    this.window = Math.max(Math.floor(this.window * factor), FEWEST_PACKETS * this.#mtu);
  }

  /** If so few packets do not shorten the delay, it is not this association's queue: the path has become longer. */
  #makeWay(share: number): void {
    if (this.window <= INITIAL_PACKETS * this.#mtu) this.#roundTrip.shortest = this.#shortest;
    else this.#reduce(share);
  }
}
