/** Duration of a cluster, and the minimum number of packets for a result. */
const CLUSTER_MS = 100;
const MIN_PACKETS = 5;
/** After this without an answer a cluster counts as lost. */
const TIMEOUT_MS = 1500;
/** Each cluster tests the estimate times this; less after one that found the link full. */
const STEP = 2;
const CAREFUL_STEP = 1.5;
/** Delays: after a successful cluster, after a failed one (doubled each time up to the maximum), after a full link. */
const NEXT_MS = 150;
const RETRY_MS = 1000;
const LONGEST_RETRY_MS = 4000;
const RECOVERY_MS = 1500;
/** A cluster that arrives at less than this share of its sending rate has filled the link. */
const CAME_THROUGH = 0.9;
const MAX_LOSS = 0.2;

/**
 * Tests whether the path can carry more than the estimate: for a tenth of a second packets are sent faster, with
 * padding in addition to the media, and their arrival rate shows the capacity of the link.
 */
export class Prober {
  /** The cluster that packets sent now belong to, 1 to 255; 0 while none is being sent. */
  cluster = 0;
  #lastCluster = 0;
  #target = 0;
  #startedAt = 0;
  #sentBytes = 0;
  #sentPackets = 0;
  #firstSent = 0;
  #lastSent = 0;
  #lastSize = 0;
  #arrived = 0;
  #arrivedBytes = 0;
  #firstArrival = 0;
  #lastArrival = 0;
  #firstSize = 0;
  #statuses = 0;
  /** The cluster whose feedback is awaited. */
  #awaited = 0;
  #nextAt = Number.NEGATIVE_INFINITY;
  #retryMs = RETRY_MS;
  #failed = false;

  /** True while packets of a cluster are to be sent or await feedback. */
  get busy(): boolean {
    return this.#awaited !== 0;
  }

  /** Starts a cluster if one is due: `bitrate` is the estimate, `wanted` what would be used if available. */
  start(bitrate: number, wanted: number, congestedAt: number, nowMs: number): boolean {
    if (this.#awaited !== 0 || nowMs < this.#nextAt || nowMs - congestedAt < RECOVERY_MS) return false;
    this.#lastCluster = (this.#lastCluster % 255) + 1;
    this.cluster = this.#lastCluster;
    this.#awaited = this.#lastCluster;
    this.#target = Math.min(bitrate * (this.#failed ? CAREFUL_STEP : STEP), Math.max(wanted * 1.2, bitrate * 1.2));
    this.#startedAt = nowMs;
    this.#sentBytes = 0;
    this.#sentPackets = 0;
    this.#arrived = 0;
    this.#arrivedBytes = 0;
    this.#statuses = 0;
    return true;
  }

  /** Nothing could be sent: retries later. */
  cancel(nowMs: number): void {
    this.cluster = 0;
    this.#awaited = 0;
    this.#nextAt = nowMs + RETRY_MS;
  }

  /** Bytes of padding to send now; ends the sending of the cluster when its time is over. */
  due(nowMs: number): number {
    if (this.cluster === 0) return 0;
    const elapsed = nowMs - this.#startedAt;
    if (elapsed > CLUSTER_MS) {
      this.cluster = 0;
      return 0;
    }
    return Math.max(0, (this.#target * (elapsed + 10)) / 8000 - this.#sentBytes);
  }

  /** A packet of the cluster is sent. */
  packetSent(bytes: number, nowMs: number): void {
    if (this.#sentPackets === 0) this.#firstSent = nowMs;
    this.#sentPackets += 1;
    this.#sentBytes += bytes;
    this.#lastSent = nowMs;
    this.#lastSize = bytes;
  }

  /** The feedback on a packet of a cluster. */
  packetStatus(cluster: number, arrivalMs: number, bytes: number): void {
    if (cluster !== this.#awaited) return;
    this.#statuses += 1;
    if (Number.isNaN(arrivalMs)) return;
    if (this.#arrived === 0) {
      this.#firstArrival = arrivalMs;
      this.#firstSize = bytes;
    }
    this.#lastArrival = Math.max(arrivalMs, this.#arrived === 0 ? arrivalMs : this.#lastArrival);
    this.#arrived += 1;
    this.#arrivedBytes += bytes;
  }

  /**
   * Call after feedback, and periodically: the delivered bits per second when a cluster's feedback is complete;
   * otherwise 0.
   */
  result(nowMs: number): number {
    if (this.#awaited === 0 || this.cluster !== 0) return 0;
    const answered = this.#statuses >= this.#sentPackets;
    if (!answered && nowMs - this.#startedAt < TIMEOUT_MS) return 0;
    this.#awaited = 0;
    const bitrate = this.#measured();
    if (bitrate >= this.#target * CAME_THROUGH) {
      this.#failed = false;
      this.#retryMs = RETRY_MS;
      this.#nextAt = nowMs + NEXT_MS;
    } else {
      this.#failed = true;
      this.#nextAt = nowMs + this.#retryMs;
      this.#retryMs = Math.min(LONGEST_RETRY_MS, this.#retryMs * 2);
    }
    return bitrate;
  }

  #measured(): number {
    if (this.#arrived < MIN_PACKETS || this.#arrived < this.#sentPackets * (1 - MAX_LOSS)) return 0;
    const sentMs = Math.max(1, this.#lastSent - this.#firstSent);
    const arrivedMs = Math.max(1, this.#lastArrival - this.#firstArrival);
    const sentRate = ((this.#sentBytes - this.#lastSize) * 8000) / sentMs;
    const arrivedRate = ((this.#arrivedBytes - this.#firstSize) * 8000) / arrivedMs;
    const lossless = (arrivedRate * this.#sentPackets) / this.#arrived;
    return Math.min(
      this.#target,
      sentRate,
      lossless < this.#target * CAME_THROUGH ? lossless * CAME_THROUGH : lossless,
    );
  }
}
