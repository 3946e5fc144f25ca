import { randomInt } from 'node:crypto';
import type { PreparedLoop } from './clips.ts';
import { writeSenderReport } from './rtcp.ts';
import { extensionAt, SEQUENCE_AT, TIMESTAMP_AT } from './rtp.ts';
import { EXTENSION_IDS } from './sdp.ts';

/** Sent packets that can be sent again. A power of two. */
const HISTORY = 1_024;
const REPORT_INTERVAL = 1_000;

export interface SendCounters {
  packets: number;
  bytes: number;
  frames: number;
  keyFrames: number;
  /** Key frames asked for by the other side. */
  keyFrameRequests: number;
  resent: number;
}

/** The last number given to a packet of a connection, for transport-wide feedback. */
export interface Numbering {
  last: number;
}

/**
 * One RTP stream playing a prepared loop. Sequence numbers, timestamps and picture numbers run on across the loop's end
 * and jumps to its key frame. The packets of the loop are written to in place and copied by the transport; sending
 * makes no garbage.
 */
export class RtpStream {
  readonly ssrc: number;
  readonly counters: SendCounters = { packets: 0, bytes: 0, frames: 0, keyFrames: 0, keyFrameRequests: 0, resent: 0 };
  #loop: PreparedLoop;
  #send: (packet: Buffer) => boolean;
  #numbering: Numbering | undefined;
  /** Where the number goes; -1 without. */
  #numberAt: number;
  #packets: Buffer[];
  /** Index in `#packets` of each frame's first. */
  #starts: number[];
  #frame = 0;
  #sequence = randomInt(0x8000);
  #firstTimestamp = randomInt(0x7fffffff);
  #timestamp = 0;
  #picture = randomInt(0x4000);
  #report = Buffer.alloc(28);
  #reportDue = 0;
  #sentIndex = new Int32Array(HISTORY);
  #sentSequence = new Int32Array(HISTORY).fill(-1);
  #sentTimestamp = new Uint32Array(HISTORY);
  #sentPicture = new Uint16Array(HISTORY);

  constructor(ssrc: number, loop: PreparedLoop, send: (packet: Buffer) => boolean, numbering?: Numbering) {
    this.ssrc = ssrc;
    this.#loop = loop;
    this.#send = send;
    this.#numbering = numbering;
    this.#packets = loop.frames.flat();
    this.#numberAt =
      numbering && this.#packets[0] ? extensionAt(this.#packets[0], EXTENSION_IDS.transportSequence) : -1;
    let start = 0;
    this.#starts = loop.frames.map((frame) => (start += frame.length) - frame.length);
  }

  /** The next frame will be the loop's key frame. */
  restart(): void {
    this.counters.keyFrameRequests++;
    this.#frame = 0;
  }

  /** Sends one frame, the `count`-th since the track began (skipped ones counted). `now` in ms of Unix time. */
  sendFrame(count: number, now: number): void {
    const { frames, clockRate, framesPerSecond, pictureAt } = this.#loop;
    this.#timestamp = (this.#firstTimestamp + Math.round((count * clockRate) / framesPerSecond)) >>> 0;
    if (now >= this.#reportDue) this.#sendReport(now);
    if (pictureAt > 0) this.#picture = (this.#picture + 1) & 0x7fff;
    const start = this.#starts[this.#frame]!;
    const length = frames[this.#frame]!.length;
    for (let index = start; index < start + length; index++) {
      this.#sequence = (this.#sequence + 1) & 0xffff;
      const slot = this.#sequence & (HISTORY - 1);
      this.#sentIndex[slot] = index;
      this.#sentSequence[slot] = this.#sequence;
      this.#sentTimestamp[slot] = this.#timestamp;
      this.#sentPicture[slot] = this.#picture;
      this.#sendSlot(slot);
    }
    this.counters.frames++;
    if (this.#frame === 0 && clockRate === 90_000) this.counters.keyFrames++;
    this.#frame = (this.#frame + 1) % frames.length;
  }

  #sendSlot(slot: number): void {
    const packet = this.#packets[this.#sentIndex[slot]!]!;
    packet.writeUInt16BE(this.#sentSequence[slot]!, SEQUENCE_AT);
    packet.writeUInt32BE(this.#sentTimestamp[slot]!, TIMESTAMP_AT);
    if (this.#loop.pictureAt > 0) packet.writeUInt16BE(0x8000 | this.#sentPicture[slot]!, this.#loop.pictureAt);
    if (this.#numbering && this.#numberAt > 0)
      packet.writeUInt16BE((this.#numbering.last = (this.#numbering.last + 1) & 0xffff), this.#numberAt);
    if (!this.#send(packet)) return;
    this.counters.packets++;
    this.counters.bytes += packet.length;
  }

  /** Sends a packet again, while it is remembered. */
  resend(sequence: number): void {
    const slot = sequence & (HISTORY - 1);
    if (this.#sentSequence[slot] !== sequence) return;
    this.counters.resent++;
    this.#sendSlot(slot);
  }

  #sendReport(now: number): void {
    this.#reportDue = now + REPORT_INTERVAL;
    writeSenderReport(this.#report, this.ssrc, now, this.#timestamp, this.counters.packets, this.counters.bytes);
    this.#send(this.#report);
  }
}
