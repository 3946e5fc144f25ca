import { randomInt } from 'node:crypto';
import {
  RtpPacket,
  SENDER_REPORT_BYTES,
  SEQUENCE_OFFSET,
  TIMESTAMP_OFFSET,
  unixMsToNtp,
  writeSenderReport,
  type SenderReport,
} from '@rmeet/rtp';
import type { PreparedLoop } from './clips.ts';
import { EXTENSION_IDS } from './sdp.ts';

/** Sent packets that can be resent. A power of two. */
const HISTORY = 1_024;
const REPORT_INTERVAL = 1_000;

export interface SendCounters {
  packets: number;
  bytes: number;
  frames: number;
  keyFrames: number;
  /** Key frames requested by the other side. */
  keyFrameRequests: number;
  resent: number;
}

/** The last transport-wide sequence number of a connection. */
export interface Numbering {
  last: number;
}

/** Where a packet has its transport-wide sequence number; -1 if it has none. */
function transportSequenceOffset(buffer: Buffer): number {
  const packet = new RtpPacket();
  return packet.parse(buffer) && packet.findExtension(EXTENSION_IDS.transportSequence) ? packet.extensionOffset : -1;
}

/**
 * One RTP stream that plays a prepared loop. Sequence numbers, timestamps and picture ids continue across the end of
 * the loop and across jumps to its key frame. The packets of the loop are modified in place and copied by the
 * transport; sending allocates nothing.
 */
export class RtpStream {
  readonly ssrc: number;
  readonly counters: SendCounters = { packets: 0, bytes: 0, frames: 0, keyFrames: 0, keyFrameRequests: 0, resent: 0 };
  #loop: PreparedLoop;
  #send: (packet: Buffer) => boolean;
  #numbering: Numbering | undefined;
  /** Offset of the transport-wide sequence number; -1 without. */
  #numberOffset: number;
  #packets: Buffer[];
  /** Index in `#packets` of each frame's first packet. */
  #starts: number[];
  #frame = 0;
  #sequence = randomInt(0x8000);
  #firstTimestamp = randomInt(0x7fffffff);
  #timestamp = 0;
  #picture = randomInt(0x4000);
  #report: SenderReport;
  #reportPacket = Buffer.alloc(SENDER_REPORT_BYTES);
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
    this.#numberOffset = numbering && this.#packets[0] ? transportSequenceOffset(this.#packets[0]) : -1;
    this.#report = { ssrc, ntpHigh: 0, ntpLow: 0, rtpTimestamp: 0 };
    let start = 0;
    this.#starts = loop.frames.map((frame) => (start += frame.length) - frame.length);
  }

  /** Continues with the loop's key frame, on request of the other side. */
  restart(): void {
    this.counters.keyFrameRequests++;
    this.#frame = 0;
  }

  /** Sends one frame, the `count`-th since the track began (skipped ones counted). `now` in ms of Unix time. */
  sendFrame(count: number, now: number): void {
    const { frames, clockRate, framesPerSecond, pictureIdOffset, isByClock } = this.#loop;
    if (isByClock) this.#frame = Math.round((now * framesPerSecond) / 1_000) % frames.length;
    this.#timestamp = (this.#firstTimestamp + Math.round((count * clockRate) / framesPerSecond)) >>> 0;
    if (now >= this.#reportDue) this.#sendReport(now);
    if (pictureIdOffset > 0) this.#picture = (this.#picture + 1) & 0x7fff;
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
    packet.writeUInt16BE(this.#sentSequence[slot]!, SEQUENCE_OFFSET);
    packet.writeUInt32BE(this.#sentTimestamp[slot]!, TIMESTAMP_OFFSET);
    if (this.#loop.pictureIdOffset > 0)
      packet.writeUInt16BE(0x8000 | this.#sentPicture[slot]!, this.#loop.pictureIdOffset);
    if (this.#numbering && this.#numberOffset > 0)
      packet.writeUInt16BE((this.#numbering.last = (this.#numbering.last + 1) & 0xffff), this.#numberOffset);
    if (!this.#send(packet)) return;
    this.counters.packets++;
    this.counters.bytes += packet.length;
  }

  /** Resends a packet if it is still in the history. */
  resend(sequence: number): void {
    const slot = sequence & (HISTORY - 1);
    if (this.#sentSequence[slot] !== sequence) return;
    this.counters.resent++;
    this.#sendSlot(slot);
  }

  #sendReport(now: number): void {
    this.#reportDue = now + REPORT_INTERVAL;
    unixMsToNtp(now, this.#report);
    this.#report.rtpTimestamp = this.#timestamp;
    this.#send(writeSenderReport(this.#report, this.counters.packets, this.counters.bytes, this.#reportPacket));
  }
}
