import type { UpdateTrackSettings } from '@livekit/protocol';
import type { ReportBlock } from '@rmeet/rtp';
import type { SubscribedStream } from '../bandwidth/subscribed-stream.ts';
import type { PacketSink } from '../forwarding/forwarder.ts';
import type { Counters } from '../counters.ts';
import type { Publication } from './publication.ts';
import { Subscription } from './subscription.ts';

const MAX_SETTINGS = 1000;

/** All subscriptions of a participant. */
export class Subscriptions {
  readonly #sink: PacketSink;
  readonly #counters: Counters;
  readonly #byTrack = new Map<string, Subscription>();
  readonly #bySsrc = new Map<number, Subscription>();
  /** Settings that arrived before the subscription; clients send them as soon as they know the track. */
  readonly #settings = new Map<string, UpdateTrackSettings>();

  constructor(sink: PacketSink, counters: Counters) {
    this.#sink = sink;
    this.#counters = counters;
  }

  get all(): Subscription[] {
    return [...this.#byTrack.values()];
  }

  get streams(): SubscribedStream[] {
    return Array.from(this.#byTrack.values(), ({ stream }) => stream);
  }

  find(trackSid: string): Subscription | undefined {
    return this.#byTrack.get(trackSid);
  }

  /** Returns false if it is already subscribed, or has no media yet. */
  add(publication: Publication): boolean {
    if (this.#byTrack.has(publication.sid) || !publication.track) return false;
    const subscription = new Subscription(publication, this.#sink, this.#counters);
    this.#byTrack.set(publication.sid, subscription);
    this.#bySsrc.set(subscription.forwarder.ssrc, subscription);
    const settings = this.#settings.get(publication.sid);
    if (settings) subscription.applySettings(settings);
    return true;
  }

  /** Returns false if it is not subscribed. */
  remove(trackSid: string): boolean {
    const subscription = this.#byTrack.get(trackSid);
    if (!subscription) return false;
    this.#byTrack.delete(trackSid);
    this.#bySsrc.delete(subscription.forwarder.ssrc);
    this.#settings.delete(trackSid);
    subscription.end();
    return true;
  }

  /** Applies settings of tracks. Returns the changed subscriptions. */
  applySettings(settings: UpdateTrackSettings): Subscription[] {
    const changed: Subscription[] = [];
    for (const sid of settings.trackSids) {
      const subscription = this.#byTrack.get(sid);
      subscription?.applySettings(settings);
      if (subscription) changed.push(subscription);
      if (subscription || this.#settings.size < MAX_SETTINGS) this.#settings.set(sid, settings);
    }
    return changed;
  }

  /** The transport has connected: packets sent before are lost, so all streams start at key frames. */
  restart(): void {
    for (const subscription of this.#byTrack.values()) subscription.forwarder.restart();
  }

  /** Pictures were lost on the way to the subscriber: has all publishers send key frames. */
  requestKeyframes(nowMs: number): void {
    for (const { forwarder } of this.#byTrack.values()) forwarder.requestKeyframe(nowMs);
  }

  handleNack(ssrc: number, sequenceNumbers: readonly number[]): void {
    this.#bySsrc.get(ssrc)?.forwarder.handleNack(sequenceNumbers, performance.now());
  }

  handleKeyframeRequest(ssrc: number): void {
    this.#bySsrc.get(ssrc)?.forwarder.handleKeyframeRequest(performance.now());
  }

  handleReportBlock(block: ReportBlock): void {
    this.#bySsrc.get(block.ssrc)?.forwarder.handleReportBlock(block, performance.now());
  }

  clear(): void {
    for (const sid of this.#byTrack.keys()) this.remove(sid);
  }
}
