import { vi } from 'vitest';
import { ArrivalLog } from '@rmeet/rtp';
import type { Stream } from '../../src/bandwidth/allocation.ts';
import type { Level } from '../../src/bandwidth/allocator.ts';
import { LoopLag } from '../../src/bandwidth/loop-lag.ts';
import { SubscriberBandwidth } from '../../src/bandwidth/subscriber-bandwidth.ts';

const TRANSPORT_ID = 3;
const PACKET = 1100;

/** The effects of a link on packets; may be changed while it runs. */
export interface LinkSettings {
  /** Bits per second. */
  capacity: number;
  /** Milliseconds of packets in its queue before it drops. */
  queueMs: number;
  /** Share lost at random, 0 to 1. */
  loss: number;
  /** One way, ms. */
  delayMs: number;
  /** Up to this much additional delay for each packet, ms; order is kept. */
  jitterMs: number;
  /** At random, this many times a second on average, nothing is delivered for this many ms, as on radio. */
  stalls: number;
  stallMs: number;
}

/** A stream of synthetic packets: audio in small ones, video in 30 bursts a second. */
export class FakeStream implements Stream {
  pixels: number;
  priority: number;
  readonly isScreen = false;
  ceiling = 2;
  paused = false;
  missing = 0;
  wanted: Level[];
  #begun = false;
  /** Bytes due since the last packet. */
  #owed = 0;
  readonly isVideo: boolean;
  readonly #send: (bytes: number) => void;

  constructor(
    send: (bytes: number) => void,
    options: { video: boolean; levels: Level[]; pixels?: number; priority?: number },
  ) {
    this.#send = send;
    this.isVideo = options.video;
    this.wanted = options.levels;
    this.pixels = options.pixels ?? 0;
    this.priority = options.priority ?? 0;
  }

  /** Current bits per second. */
  get bitrate(): number {
    return this.wanted.findLast(({ quality }) => quality <= this.ceiling)?.bitrate ?? 0;
  }

  levels(): readonly Level[] {
    return this.wanted;
  }

  setCeiling(quality: number): void {
    this.ceiling = quality;
  }

  sendProbe(bytes: number): number {
    if (!this.isVideo || !this.#begun) return 0;
    for (let left = bytes; left > 0; left -= PACKET) this.#send(Math.max(100, Math.min(PACKET, left)));
    return bytes;
  }

  /** Adds one ms of media. */
  owe(): void {
    this.#owed += this.bitrate / 8000;
  }

  tick(nowMs: number): void {
    const interval = this.isVideo ? 33 : 20;
    this.owe();
    if (Math.floor(nowMs) % interval === 0) this.flush();
  }

  flush(): void {
    while (this.#owed > 0) {
      const size = Math.max(60, Math.min(PACKET, Math.floor(this.#owed)));
      this.#begun = true;
      this.#send(size);
      this.#owed -= size;
    }
  }
}

/** One subscriber behind a simulated link, in virtual time: call `vi.useFakeTimers()` first. */
export class Scene {
  readonly link: LinkSettings;
  readonly streams: FakeStream[] = [];
  readonly lag = new LoopLag();
  readonly bandwidth: SubscriberBandwidth<FakeStream>;
  /** Streams paused and resumed so far. */
  readonly pauses: Array<[stream: FakeStream, paused: boolean]> = [];
  /** One-way delay of each packet that arrived since the last `clear`, ms. */
  delays: number[] = [];
  lost = 0;
  readonly #log = new ArrivalLog();
  readonly #buffer = Buffer.alloc(1500);
  readonly #travelling: Array<{ at: number; sequence: number; sentAt: number }> = [];
  readonly #feedbacks: Array<{ at: number; message: Buffer }> = [];
  #freeAt = 0;
  #lastArrival = 0;
  #random = 1;
  #ticks = 0;

  /** `numbered`: the subscriber agreed to numbered packets and to feedback. */
  constructor(link: Partial<LinkSettings> = {}, { numbered = true } = {}) {
    this.link = {
      capacity: 100_000_000,
      queueMs: 300,
      loss: 0,
      delayMs: 20,
      jitterMs: 1,
      stalls: 0,
      stallMs: 0,
      ...link,
    };
    this.bandwidth = new SubscriberBandwidth({ connected: true, send: (packet) => this.#pass(packet) }, this.lag, {
      streams: () => this.streams,
      handlePauses: (changed) =>
        this.pauses.push(...changed.map((stream) => [stream, stream.paused] as [FakeStream, boolean])),
    });
    if (numbered) this.bandwidth.negotiated();
  }

  get estimate(): number {
    return this.bandwidth.estimate.bitrate;
  }

  addAudio(bitrate = 40_000): FakeStream {
    return this.#add(new FakeStream((bytes) => this.#send(bytes), { video: false, levels: [{ quality: 2, bitrate }] }));
  }

  addVideo(bitrates: number[], options: { pixels?: number; priority?: number } = {}): FakeStream {
    const levels = bitrates.map((bitrate, quality) => ({ quality, bitrate }));
    return this.#add(new FakeStream((bytes) => this.#send(bytes), { video: true, levels, ...options }));
  }

  clear(): void {
    this.delays = [];
    this.lost = 0;
  }

  /** Lets time pass; `each` is called every 100 ms. */
  run(seconds: number, each?: (second: number) => void): void {
    for (let step = 0; step < seconds * 1000; step += 1) {
      vi.advanceTimersByTime(1);
      this.#tick(performance.now());
      if (each && step % 100 === 99) each((step + 1) / 1000);
    }
  }

  /** This process is blocked for this many ms: packets that were due meanwhile are sent in a burst. */
  hold(ms: number): void {
    const from = performance.now();
    for (let step = 0; step < ms; step += 1) {
      for (const stream of this.streams) stream.owe();
      vi.advanceTimersByTime(1);
      this.#deliver(performance.now());
    }
    this.lag.note(from, performance.now());
    for (const stream of this.streams) stream.flush();
  }

  /** Runs until the condition is true; returns the seconds it took, or throws. */
  runUntil(holds: () => boolean, seconds: number): number {
    for (let passed = 0; passed < seconds * 100; passed += 1) {
      this.run(0.01);
      if (holds()) return passed / 100;
    }
    throw new Error(`not within ${seconds} s; the estimate is ${Math.round(this.estimate / 1000)} kbit/s`);
  }

  #add(stream: FakeStream): FakeStream {
    this.streams.push(stream);
    return stream;
  }

  #tick(nowMs: number): void {
    this.#ticks += 1;
    const { stalls, stallMs } = this.link;
    if (stalls > 0 && this.#draw() < stalls / 1000)
      this.#lastArrival = Math.max(this.#lastArrival, nowMs + this.link.delayMs + stallMs);
    for (const stream of this.streams) stream.tick(nowMs);
    this.#deliver(nowMs);
    if (this.#ticks % 50 === 0) {
      const message = this.#log.isDue(nowMs) ? this.#log.feedback(nowMs) : undefined;
      if (message) this.#feedbacks.push({ at: nowMs + this.link.delayMs, message: Buffer.from(message) });
      this.bandwidth.tick(nowMs);
    }
    while (this.#feedbacks[0] && this.#feedbacks[0].at <= nowMs) {
      const { message } = this.#feedbacks.shift()!;
      this.bandwidth.handleFeedback(message, 0, message.length);
    }
  }

  #deliver(nowMs: number): void {
    while (this.#travelling[0] && this.#travelling[0].at <= nowMs) {
      const { at, sequence, sentAt } = this.#travelling.shift()!;
      this.delays.push(at - sentAt);
      this.#log.received(sequence, 1, at);
    }
  }

  #send(bytes: number): void {
    const packet = this.#buffer.subarray(0, Math.max(20, bytes));
    packet[12] = 0xbe;
    this.bandwidth.sendMedia(packet, TRANSPORT_ID);
  }

  #pass(packet: Buffer): boolean {
    const nowMs = performance.now();
    const sequence = packet.readUInt16BE(17);
    const { capacity, queueMs, loss, delayMs, jitterMs } = this.link;
    const lossDraw = this.#draw();
    const jitter = this.#draw() * jitterMs;
    const free = Math.max(nowMs, this.#freeAt) + (packet.length * 8000) / capacity;
    if (free - nowMs > queueMs || lossDraw < loss) {
      this.lost += 1;
      return true;
    }
    this.#freeAt = free;
    this.#lastArrival = Math.max(this.#lastArrival, free + delayMs + jitter);
    this.#travelling.push({ at: this.#lastArrival, sequence, sentAt: nowMs });
    return true;
  }

  #draw(): number {
    this.#random = (this.#random * 48_271) % 0x7fff_ffff;
    return this.#random / 0x7fff_ffff;
  }
}
