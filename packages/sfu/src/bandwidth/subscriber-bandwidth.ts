import { FeedbackReader } from '@rmeet/rtp';
import type { PacketSink } from '../forwarding/forwarder.ts';
import { Allocation, type Stream } from './allocation.ts';
import { Prober } from './probe.ts';
import { SendEstimate } from './send-estimate.ts';
import { SendHistory } from './send-history.ts';
import type { LoopLag } from './loop-lag.ts';

/** The first byte of a two-byte header extension block's profile (RFC 8285 section 4.3). */
const TWO_BYTE = 0x10;
const ALLOCATE_MS = 250;
const PROBE_MS = 10;
/** If packets were sent for this long without feedback, probes would show nothing. */
const SILENCE_MS = 1000;

/** The streams that share the bandwidth of a subscriber, and the handler of the result. */
export interface BandwidthHandler<S extends Stream> {
  /** The subscriber's streams. */
  streams(): readonly S[];
  /** These streams were paused for lack of bandwidth, or resumed. */
  handlePauses(streams: readonly S[]): void;
}

interface Transport {
  readonly connected: boolean;
  send(packet: Buffer, isVideo?: boolean): boolean;
}

/**
 * The media output to one subscriber: numbers every packet, estimates the path's capacity from the feedback, and limits
 * the streams accordingly. A subscriber that sends neither transport-wide feedback nor REMB is not limited.
 */
export class SubscriberBandwidth<S extends Stream = Stream> implements PacketSink {
  readonly estimate = new SendEstimate();
  readonly allocation = new Allocation<S>();
  /** Media packets sent so far. */
  sentPackets = 0;
  readonly #transport: Transport;
  readonly #lag: LoopLag;
  readonly #handler: BandwidthHandler<S>;
  readonly #history = new SendHistory();
  readonly #prober = new Prober();
  readonly #reader = new FeedbackReader({
    handlePacketStatus: (sequence, arrivalMs) => this.#handleStatus(sequence, arrivalMs),
  });
  /** Bits per second that a client requested to be simulated; 0 for none. */
  #simulated = 0;
  /** The last packet that feedback covered. */
  #reported = 0;
  #limited = false;
  #numbered = false;
  #nowMs = 0;
  #feedbackAt = Number.NEGATIVE_INFINITY;
  #sentAt = Number.NEGATIVE_INFINITY;
  #allocatedAt = Number.NEGATIVE_INFINITY;
  #probing: NodeJS.Timeout | undefined;

  constructor(transport: Transport, lag: LoopLag, handler: BandwidthHandler<S>) {
    this.#transport = transport;
    this.#lag = lag;
    this.#handler = handler;
  }

  get connected(): boolean {
    return this.#transport.connected;
  }

  /** Bits per second the path to the subscriber can carry; Infinity if unknown. */
  get bitrate(): number {
    return this.#limited ? this.estimate.bitrate : Number.POSITIVE_INFINITY;
  }

  /** RTCP. */
  send(packet: Buffer): boolean {
    return this.#transport.send(packet);
  }

  sendMedia(packet: Buffer, transportId: number, isVideo = false): boolean {
    let first = 0;
    let second = 0;
    let third = 0;
    let fourth = 0;
    if (transportId !== 0) {
      const nowMs = performance.now();
      this.#sentAt = nowMs;
      const { cluster } = this.#prober;
      const sequence = this.#history.add(packet.length, cluster, nowMs);
      this.estimate.packetSent(packet.length, nowMs);
      if (cluster !== 0) this.#prober.packetSent(packet.length, nowMs);
      if (packet[12] === TWO_BYTE) {
        first = transportId;
        second = 2;
        third = sequence >> 8;
        fourth = sequence & 0xff;
      } else {
        first = (transportId << 4) | 1;
        second = sequence >> 8;
        third = sequence & 0xff;
      }
    }
    this.sentPackets += 1;
    packet[16] = first;
    packet[17] = second;
    packet[18] = third;
    packet[19] = fourth;
    return this.#transport.send(packet, isVideo);
  }

  /** The subscriber agreed to numbered packets and to feedback: from now on its streams are limited. */
  negotiated(): void {
    this.#limited = true;
    this.#numbered = true;
    this.allocate(performance.now());
  }

  /** The receiver's own estimate (REMB), bits per second; used if it sends no feedback per packet. */
  handleReceiverEstimate(bitrate: number): void {
    if (this.#numbered) return;
    this.#limited = true;
    this.estimate.told(bitrate);
  }

  /** A transport-wide feedback message of the subscriber, from `start` to `end` of an RTCP packet. */
  handleFeedback(buffer: Buffer, start: number, end: number): void {
    if (!this.#numbered) return;
    const nowMs = performance.now();
    this.#nowMs = nowMs;
    this.#feedbackAt = nowMs;
    const before = this.estimate.bitrate;
    this.#reader.read(buffer, start, end);
    this.estimate.update(nowMs);
    this.#endProbe(nowMs);
    if (this.estimate.bitrate < before * 0.98) this.#share(nowMs);
  }

  /** Every 50 ms: allocates the bandwidth and probes for more. */
  tick(nowMs: number): void {
    if (!this.#limited || !this.connected) return;
    if (nowMs - this.#allocatedAt >= ALLOCATE_MS) this.allocate(nowMs);
    if (!this.#numbered) return;
    this.#endProbe(nowMs);
    // without sent packets, for example while the only picture is paused, there is no feedback
    const waiting = nowMs - this.#feedbackAt > SILENCE_MS && nowMs - this.#sentAt < SILENCE_MS;
    if (this.allocation.lacking && !waiting && !this.#probing) this.#startProbe(nowMs);
  }

  /** Allocates the estimate to the current streams. */
  allocate(nowMs: number): void {
    if (!this.#limited) return;
    this.allocation.measure(this.#handler.streams(), nowMs);
    this.#allocatedAt = nowMs;
    this.#share(nowMs);
  }

  /** The subscriber's address has changed: what was sent to the old one says nothing about the new path. */
  moved(): void {
    this.#reported = this.#history.next - 1;
  }

  /**
   * Allocates this many bits per second regardless of the estimate, until set to 0
   * (livekit.SimulateScenario.subscriber_bandwidth).
   */
  simulate(bitrate: number): void {
    this.#simulated = bitrate;
    this.allocate(performance.now());
  }

  #share(nowMs: number): void {
    const { bitrate, loss, congestedAt } = this.estimate;
    const simulated = this.#simulated > 0;
    const usable = simulated ? this.#simulated : bitrate * (1 - Math.min(0.2, loss));
    const known = {
      congested: simulated || nowMs - congestedAt < 1000,
      guessed: !simulated && congestedAt === Number.NEGATIVE_INFINITY,
    };
    const changed = this.allocation.share(usable, known, nowMs);
    if (changed.length > 0) this.#handler.handlePauses(changed);
  }

  close(): void {
    clearInterval(this.#probing);
  }

  #startProbe(nowMs: number): void {
    const { bitrate, congestedAt } = this.estimate;
    if (!this.#prober.start(bitrate, this.allocation.wanted, congestedAt, nowMs)) return;
    if (this.allocation.sendProbe(this.#prober.due(nowMs)) > 0)
      this.#probing = setInterval(() => this.#sendProbe(), PROBE_MS);
    else {
      this.#prober.cancel(nowMs);
      this.estimate.hope();
    }
  }

  #sendProbe(): void {
    const bytes = this.#prober.due(performance.now());
    if (bytes > 0) this.allocation.sendProbe(bytes);
    if (this.#prober.cluster !== 0) return;
    clearInterval(this.#probing);
    this.#probing = undefined;
  }

  #endProbe(nowMs: number): void {
    const bitrate = this.#prober.result(nowMs);
    if (bitrate === 0) return;
    this.estimate.proven(bitrate);
    this.#share(nowMs);
  }

  #handleStatus(sequence: number, arrivalMs: number): void {
    const history = this.#history;
    const number = history.find(sequence);
    if (number < 0) return;
    const { sentAt, size, cluster } = history;
    const arrived = !Number.isNaN(arrivalMs);
    // covered again: a packet reported as lost may have arrived late; everything else is known
    if (number <= this.#reported && !arrived) return;
    if (arrived) history.forget(number);
    this.#reported = Math.max(this.#reported, number);
    this.estimate.packetStatus(sentAt, arrivalMs, size, cluster === 0 && !this.#lag.touches(sentAt), this.#nowMs);
    if (cluster !== 0) this.#prober.packetStatus(cluster, arrivalMs, size);
  }
}
