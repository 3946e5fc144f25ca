import { Transport } from '@rmeet/participant/rtc';
import {
  H264,
  H264Depacketizer,
  readRtcp,
  ReceivedStream,
  ReorderBuffer,
  RtpPacket,
  timestampDistance,
  unitType,
  writeBandwidthEstimate,
  writeKeyframeRequest,
  writeNack,
  writeReceiverReport,
  type H264Frame,
  type OrderedPacketHandler,
} from '@rmeet/rtp';
import { readCandidates, type PayloadFormat } from '@rmeet/rtp/sdp';
import type { IngestSink } from '@rmeet/rtmp';
import { SAMPLE_RATE } from '../voice.ts';
import { announced, writeAnswer, type WhipOffer } from './offer.ts';
import { OpusSound } from './opus-sound.ts';

export interface WhipNetwork {
  /** UDP ports, first and last one; default any. */
  ports?: readonly [first: number, last: number] | undefined;
  /** The address at which the machine is reached from outside, beside its own ones. */
  announcedAddress?: string | undefined;
  /** Address of the network interface to use; default any. */
  bindAddress?: string | undefined;
}

/** An encoder that sends nothing for this long, ms, is gone. */
const SILENCE = 15_000;
const TICK = 20;
const REPORT_EACH = 1_000;
/** How long packets wait for a missing one before them, ms. */
const REORDER = 250;
/** Segments begin with a key frame, which browsers send on request only, ms. Other encoders have their own interval. */
const KEY_FRAME_EACH = 2_000;
/** An unanswered request for a key frame is repeated after this, ms. */
const ASKED_EACH = 500;
/** Pictures are moved if sender reports say that they are off by more than this, ms. */
const TOLERANCE = 10;
/** Upper limit of what encoders send, bits/s. */
const MOST_BITRATE = 10_000_000;
/** AAC-LC, 48 kHz, two channels (ISO/IEC 14496-3, 1.6.2.1). */
const AAC_CONFIG = Buffer.from([0x11, 0x90]);
const PICTURE_TICKS = 90;
const SOUND_TICKS = SAMPLE_RATE / 1_000;
/** Candidates of the other side that are tried. */
const MOST_CANDIDATES = 32;

/** The decoder configuration of these parameter sets (ISO/IEC 14496-15, 5.3.3.1). */
function avcConfig(sps: Buffer, pps: Buffer): Buffer {
  const size = (set: Buffer) => Buffer.from([set.length >> 8, set.length & 0xff]);
  const head = Buffer.from([1, sps[1]!, sps[2]!, sps[3]!, 0xff, 0xe1]);
  return Buffer.concat([head, size(sps), sps, Buffer.from([1]), size(pps), pps]);
}

/** The units with a length of four bytes before each. */
function withLengths(units: readonly Buffer[]): Buffer {
  return Buffer.concat(
    units.flatMap((unit) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(unit.length);
      return [length, unit];
    }),
  );
}

/** One received track, whose packets are put in order. */
class Track {
  readonly payloadType: number;
  readonly clockRate: number;
  readonly reorder: ReorderBuffer;
  stream: ReceivedStream | undefined;

  constructor({ payloadType, clockRate }: PayloadFormat, handler: OrderedPacketHandler) {
    this.payloadType = payloadType;
    this.clockRate = clockRate;
    this.reorder = new ReorderBuffer(REORDER, handler);
  }
}

/**
 * The stream of one encoder by WebRTC: H.264 as it was coded, and Opus coded again as AAC. Times are of the sound's
 * clock; pictures are moved to it by sender reports, and stand by their arrival before these come.
 */
export class WhipSession {
  readonly #transport: Transport;
  readonly #sink: IngestSink;
  readonly #network: WhipNetwork;
  readonly #packet = new RtpPacket();
  readonly #depacketizer = new H264Depacketizer((frame) => this.#takePicture(frame));
  readonly #startedAt = performance.now();
  #tracks: Track[] = [];
  #video: Track | undefined;
  #audio: Track | undefined;
  #sound: OpusSound | undefined;
  /** Time of the sound's first sample, ms. */
  #soundStart: number | undefined;
  /** A picture's timestamp with its time, ms. */
  #picture: { timestamp: number; time: number } | undefined;
  #lastPicture = -1;
  #avc: Buffer | undefined;
  #keyFrameAt = -Infinity;
  #keyFrameAskedAt = -Infinity;
  #reportedAt = 0;
  #candidates = 0;
  #lastArrival = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(name: string, sink: IngestSink, network: WhipNetwork = {}) {
    this.#sink = sink;
    this.#network = network;
    const { bindAddress, ports } = network;
    this.#transport = new Transport(name, { bindAddress, ports, data: false });
    this.#transport.onRtp = (packet) => this.#takePacket(packet);
    this.#transport.onRtcp = (packet) => this.#takeReports(packet);
    this.#transport.on('failed', () => this.#end(new Error('the connection broke')));
  }

  /** Answers the encoder's offer; all candidates are in it. Call `connect` after the answer was sent. */
  async answer(offer: WhipOffer): Promise<string> {
    if (offer.audio) {
      this.#sound = await OpusSound.create((data, position) => this.#takeSound(data, position));
      this.#audio = new Track(offer.audio.format, this.#sound);
      this.#tracks.push(this.#audio);
    }
    if (offer.video) {
      this.#video = new Track(offer.video.format, this.#depacketizer);
      this.#tracks.push(this.#video);
    }
    const { candidates, ...own } = await this.#transport.answer({ ...offer.description.peer, candidates: [] });
    if (!this.#isClosed) this.#timer = setInterval(() => this.#tick(performance.now()), TICK);
    return writeAnswer(offer, own, announced(candidates, this.#network.announcedAddress));
  }

  /** Tries the candidates in a description or a fragment of one. Names are left out: only addresses are tried. */
  connect(sdp: string): void {
    for (const candidate of readCandidates(sdp)) {
      if (this.#candidates >= MOST_CANDIDATES) return;
      this.#candidates += 1;
      const address = candidate.split(' ')[4] ?? '';
      if (!/^[\d.]+$|^[\da-f:.]+$/i.test(address)) continue;
      try {
        this.#transport.addCandidate(candidate);
      } catch {
        // One that cannot be read is not tried.
      }
    }
  }

  /** Ends the stream; the sink gets no reason. */
  close(): void {
    this.#end(null);
  }

  #end(reason: Error | null): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#sound?.close();
    this.#transport.close();
    this.#sink.onClosed(reason);
  }

  #takePacket(buffer: Buffer): void {
    const packet = this.#packet;
    if (this.#isClosed || !packet.parse(buffer)) return;
    const track = this.#tracks.find(({ payloadType }) => payloadType === packet.payloadType);
    if (!track) return;
    const now = performance.now();
    this.#lastArrival = now;
    if (track.stream?.ssrc !== packet.ssrc) track.stream = new ReceivedStream(packet.ssrc, track.clockRate);
    if (track === this.#audio && this.#soundStart === undefined) {
      this.#soundStart = now - this.#startedAt;
      this.#sink.onConfig({ kind: 'audio', config: AAC_CONFIG });
    }
    track.stream.received(packet, now);
    track.reorder.push(buffer, now);
  }

  #takeReports(buffer: Buffer): void {
    if (this.#isClosed) return;
    readRtcp(buffer, {
      handleSenderReport: (report) => {
        const stream = this.#tracks.find((track) => track.stream?.ssrc === report.ssrc)?.stream;
        stream?.handleSenderReport(report, performance.now());
      },
    });
    this.#align();
  }

  /** Moves the pictures to the clock of the sound. */
  #align(): void {
    const [picture, sound] = [this.#video?.stream?.lastReport, this.#audio?.stream?.lastReport];
    const position = sound && this.#sound?.positionOf(sound.rtpTimestamp);
    if (!picture || !sound || position === undefined || !this.#picture || this.#soundStart === undefined) return;
    const time = this.#soundStart + position / SOUND_TICKS + picture.unixMs - sound.unixMs;
    const before = this.#timeOf(picture.rtpTimestamp);
    if (Math.abs(time - before) > TOLERANCE) this.#picture = { timestamp: picture.rtpTimestamp, time };
  }

  #timeOf(timestamp: number): number {
    this.#picture ??= { timestamp, time: performance.now() - this.#startedAt };
    return this.#picture.time + timestampDistance(this.#picture.timestamp, timestamp) / PICTURE_TICKS;
  }

  #takePicture({ units, timestamp, isKey }: H264Frame): void {
    const time = Math.max(this.#lastPicture + 1, Math.round(this.#timeOf(timestamp)));
    this.#lastPicture = time;
    // Distances between timestamps stay small, so that they never wrap around.
    this.#picture = { timestamp, time: this.#timeOf(timestamp) };
    const sps = units.find((unit) => unitType(unit) === H264.sps);
    const pps = units.find((unit) => unitType(unit) === H264.pps);
    if (isKey) this.#keyFrameAt = performance.now();
    if (isKey && sps && pps && sps.length >= 4) {
      const config = avcConfig(sps, pps);
      if (!this.#avc?.equals(config)) this.#sink.onConfig({ kind: 'video', config });
      this.#avc = config;
    }
    const coded = units.filter((unit) => unitType(unit) !== H264.sps && unitType(unit) !== H264.pps);
    this.#sink.onFrame({ kind: 'video', time, offset: 0, isKeyFrame: isKey, data: withLengths(coded) });
  }

  #takeSound(data: Uint8Array, position: number): void {
    const time = Math.round((this.#soundStart ?? 0) + position / SOUND_TICKS);
    this.#sink.onFrame({ kind: 'audio', time, offset: 0, isKeyFrame: true, data: Buffer.from(data) });
  }

  #tick(now: number): void {
    if (now - this.#lastArrival > SILENCE) return this.#end(new Error('nothing was sent'));
    if (this.#sound?.failure !== undefined) return this.#end(new Error('the sound cannot be coded'));
    for (const { reorder, stream } of this.#tracks) {
      reorder.tick(now);
      const due = stream?.missing.due(now) ?? [];
      if (stream && due.length > 0) this.#transport.send(writeNack(stream.ssrc, due));
    }
    this.#askForKeyFrame(now);
    if (now - this.#reportedAt >= REPORT_EACH) this.#report(now);
  }

  #askForKeyFrame(now: number): void {
    const video = this.#video?.stream;
    const isDue = this.#depacketizer.needsKey || now - this.#keyFrameAt >= KEY_FRAME_EACH;
    if (!video || !isDue || now - this.#keyFrameAskedAt < ASKED_EACH) return;
    this.#keyFrameAskedAt = now;
    this.#transport.send(writeKeyframeRequest(video.ssrc));
  }

  #report(now: number): void {
    this.#reportedAt = now;
    const blocks = this.#tracks.flatMap(({ stream }) => (stream ? [stream.reportBlock(now)] : []));
    if (blocks.length === 0) return;
    this.#transport.send(writeReceiverReport(blocks));
    const video = this.#video?.stream;
    if (video) this.#transport.send(writeBandwidthEstimate(MOST_BITRATE, [video.ssrc]));
  }
}
