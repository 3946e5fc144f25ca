import { randomInt, randomUUID } from 'node:crypto';
import type { TrackInfo } from '@livekit/protocol';
import type { ExtensionValue, RtcpHandler } from '@rmeet/rtp';
import { prepare } from './clips.ts';
import type { Clip } from './ivf.ts';
import { RtpStream, type Numbering, type SendCounters } from './rtp-stream.ts';
import { EXTENSION_IDS, FORMATS, type Codec, type SendSection } from './sdp.ts';
import { schedule } from './wheel.ts';

/** If a track is later than this, frames are skipped instead of sent late. */
const MAX_LATE_MS = 500;

export interface LocalTrackInit {
  codec: Codec;
  /** One clip per layer, low to high; `rid` empty for a single stream. */
  layers: readonly { rid: string; clip: Clip }[];
  /** Audio level sent with each packet: 0 loudest, 127 silence (RFC 6464). */
  level?: number;
}

/** A published track: its streams, paced by the shared wheel. It outlives reconnections. */
export class LocalTrack implements RtcpHandler {
  /** The name under which this side announces the track. */
  readonly cid = randomUUID();
  /** The server's description of the track; set when it is published, and again after a full reconnection. */
  info: TrackInfo | undefined;
  readonly codec: Codec;
  readonly rids: readonly string[];
  #init: LocalTrackInit;
  #streams: RtpStream[] = [];
  #muted = false;
  /** Sends nothing for now, which is not announced: like a microphone that hears nothing. */
  isSilent = false;
  #stop: (() => void) | undefined;
  #ssrc = randomInt(1, 0x7ffffff0);

  constructor(init: LocalTrackInit) {
    this.#init = init;
    this.codec = init.codec;
    this.rids = init.layers.length > 1 ? init.layers.map((layer) => layer.rid) : [];
  }

  /** A copy for another connection. */
  copy(): LocalTrack {
    const copy = new LocalTrack(this.#init);
    copy.muted = this.#muted;
    copy.isSilent = this.isSilent;
    return copy;
  }

  get sid(): string {
    return this.info?.sid ?? '';
  }

  get muted(): boolean {
    return this.#muted;
  }

  set muted(muted: boolean) {
    this.#muted = muted;
  }

  /** Sums over all layers. */
  get counters(): SendCounters {
    const sum: SendCounters = { packets: 0, bytes: 0, frames: 0, keyFrames: 0, keyFrameRequests: 0, resent: 0 };
    for (const stream of this.#streams) {
      for (const name of Object.keys(sum) as (keyof SendCounters)[]) sum[name] += stream.counters[name];
    }
    return sum;
  }

  /** `numbered`: packets carry transport-wide sequence numbers. */
  section(mid: string, numbered = false): SendSection {
    return { mid, codec: this.codec, cid: this.cid, rids: this.rids, ssrc: this.#ssrc, active: true, numbered };
  }

  /**
   * Starts sending in section `mid`. Streams start again, as the other side does not know them after a full
   * reconnection.
   * `numbering` provides the transport-wide sequence numbers of a connection.
   */
  start(mid: string, send: (packet: Buffer) => boolean, numbering?: Numbering): void {
    this.stop();
    const { payloadType } = FORMATS[this.codec];
    this.#streams = this.#init.layers.map(({ rid, clip }, i) => {
      const extensions: ExtensionValue[] = [{ id: EXTENSION_IDS.mid, value: Buffer.from(mid) }];
      if (this.rids.length > 0) extensions.push({ id: EXTENSION_IDS.rid, value: Buffer.from(rid) });
      if (this.#init.level !== undefined) {
        extensions.push({
          id: EXTENSION_IDS.audioLevel,
          value: Buffer.from([this.#init.level | (this.#init.level < 127 ? 0x80 : 0)]),
        });
      }
      if (numbering) extensions.push({ id: EXTENSION_IDS.transportSequence, value: Buffer.alloc(2) });
      return new RtpStream(this.#ssrc + i, prepare(clip, payloadType, this.#ssrc + i, extensions), send, numbering);
    });
    const { frameRate, isByClock = false } = this.#init.layers[0]!.clip;
    const interval = 1000 / frameRate;
    const phase = isByClock ? 1 - (((performance.timeOrigin + performance.now()) / interval) % 1) : Math.random();
    // Other tracks start at a random point of an interval, so that a hundred participants do not all send at once.
    let due = performance.now() + phase * interval;
    let count = 0;
    this.#stop = schedule(due, (now) => {
      if (now - due > MAX_LATE_MS) {
        const skipped = Math.floor((now - due) / interval);
        due += skipped * interval;
        count += skipped;
      }
      for (; due <= now + 1; due += interval, count++) {
        if (this.#muted || this.isSilent) continue;
        for (const stream of this.#streams) stream.sendFrame(count, performance.timeOrigin + due);
      }
      return due;
    });
  }

  stop(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  handleKeyframeRequest(ssrc: number): void {
    this.#streams[ssrc - this.#ssrc]?.restart();
  }

  handleNack(ssrc: number, sequenceNumbers: readonly number[]): void {
    const stream = this.#streams[ssrc - this.#ssrc];
    for (const sequence of sequenceNumbers) stream?.resend(sequence);
  }
}
