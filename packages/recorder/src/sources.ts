import type { RemoteTrack } from '@rmeet/participant';
import { H264Depacketizer, ReorderBuffer, Vp8Depacketizer, type Vp8Frame } from '@rmeet/rtp';
import { createDecoder } from 'libopus-wasm';
import { StreamClock, type SenderClock } from './clocks.ts';
import type { Conversions } from './conversion/conversions.ts';
import { Converter } from './conversion/converter.ts';
import { KeyFrameRequests } from './key-frame-requests.ts';
import type { CodedPicture, PictureSource } from './switch.ts';
import { CHANNELS, SAMPLE_RATE, Voice } from './voice.ts';

/** Lost video is retransmitted on request, lost audio is not. */
const VIDEO_MAX_WAIT_MS = 400;
const AUDIO_MAX_WAIT_MS = 100;
/** A camera sends all the time; a screen that does not change only answers requests for key frames. */
const CAMERA_FREEZES_AFTER_MS = 1_500;
const SCREEN_FREEZES_AFTER_MS = 6_000;

/** After a conversion failed, the next one is tried after this time. */
const CONVERTS_AGAIN_AFTER_MS = 30_000;

export interface VideoEvents {
  /** `at`: the capture time, ms of `performance.now()`. */
  onPicture: (source: VideoSource, picture: CodedPicture, at: number) => void;
  /** It sends something else than H.264. */
  onOtherCodec: (source: VideoSource) => void;
  /** Its conversion failed, with the reason. */
  onFailed: (source: VideoSource, reason: string) => void;
  onPacket: () => void;
}

/** What a source sends; undefined before its first packet. */
type VideoKind = 'h264' | 'vp8' | 'other' | undefined;

/** A received camera or screen. H.264 is passed on as it is; VP8 is converted from `convert` to `endConversion`. */
export class VideoSource implements PictureSource {
  readonly track: RemoteTrack;
  #events: VideoEvents;
  #conversions: Conversions | undefined;
  #sender: SenderClock;
  #clock: StreamClock;
  #frames: H264Depacketizer | Vp8Depacketizer;
  #reorder: ReorderBuffer;
  #requests: KeyFrameRequests;
  #ssrc = 0;
  #kind: VideoKind;
  #converter: Converter | undefined;
  #convertsFrom = Number.NEGATIVE_INFINITY;

  /** Without `conversions`, VP8 has no picture. */
  constructor(track: RemoteTrack, sender: SenderClock, conversions: Conversions | undefined, events: VideoEvents) {
    this.track = track;
    this.#events = events;
    this.#conversions = conversions;
    this.#sender = sender;
    this.#clock = new StreamClock(sender, 90_000);
    this.#requests = new KeyFrameRequests(() => track.requestKeyFrame());
    this.#frames = this.#depacketizer();
    this.#reorder = new ReorderBuffer(VIDEO_MAX_WAIT_MS, this.#frames);
    track.onPacket = (packet) => {
      events.onPacket();
      this.#take(packet);
    };
  }

  #depacketizer(): H264Depacketizer | Vp8Depacketizer {
    const capturedAt = (timestamp: number): number => this.#clock.at(timestamp, this.track.senderTime);
    return this.#kind === 'vp8'
      ? new Vp8Depacketizer((frame) => this.#convertFrame(frame, capturedAt(frame.timestamp)))
      : new H264Depacketizer((frame) => this.#passOn(frame, capturedAt(frame.timestamp)));
  }

  #passOn(picture: CodedPicture, at: number): void {
    if (picture.isKey) this.#requests.answered();
    this.#events.onPicture(this, picture, at);
  }

  #convertFrame(frame: Vp8Frame, at: number): void {
    this.#converter?.add(frame, at, performance.now());
  }

  #take(packet: Buffer): void {
    const { track } = this;
    if (track.ssrc !== this.#ssrc) this.#restart();
    if (this.isRefused) return;
    const now = performance.now();
    this.#clock.note(packet.readUInt32BE(4), now, track.senderTime);
    this.#reorder.push(packet, now);
  }

  /** Another stream begins: its timestamps are unrelated to the previous ones. */
  #restart(): void {
    const { mimeType, ssrc } = this.track;
    this.#ssrc = ssrc;
    this.#clock = new StreamClock(this.#sender, 90_000);
    const kind = mimeType === 'video/H264' ? 'h264' : mimeType === 'video/VP8' ? 'vp8' : 'other';
    if (kind === this.#kind) return;
    this.#kind = kind;
    this.endConversion();
    this.#frames = this.#depacketizer();
    this.#reorder = new ReorderBuffer(VIDEO_MAX_WAIT_MS, this.#frames);
    if (kind !== 'h264') this.#events.onOtherCodec(this);
  }

  /** It sends media that cannot be recorded. */
  get isRefused(): boolean {
    return this.#kind === 'other' || (this.#kind === 'vp8' && !this.#conversions);
  }

  /** It has pictures only while it is converted. */
  get needsConversion(): boolean {
    return this.#kind === 'vp8';
  }

  /** Converts it from now on. Returns false if that is not possible now. */
  convert(): boolean {
    if (this.#converter) return true;
    if (!this.#conversions || performance.now() < this.#convertsFrom) return false;
    this.#converter = Converter.start(this.#conversions, {
      onPicture: (picture, at) => this.#passOn(picture, at),
      onFailed: (reason) => {
        this.#converter = undefined;
        this.#convertsFrom = performance.now() + CONVERTS_AGAIN_AFTER_MS;
        this.#events.onFailed(this, reason);
      },
    });
    return this.#converter !== undefined;
  }

  endConversion(): void {
    this.#converter?.close();
    this.#converter = undefined;
  }

  get needsKey(): boolean {
    return this.#frames.needsKey;
  }

  get freezesAfter(): number {
    return this.track.source === 'screen' ? SCREEN_FREEZES_AFTER_MS : CAMERA_FREEZES_AFTER_MS;
  }

  requestKeyFrame(now: number): void {
    this.#requests.request(now);
  }

  tick(now: number): void {
    this.#reorder.tick(now);
    this.#converter?.tick(now);
  }

  close(): void {
    this.track.onPacket = undefined;
    this.endConversion();
  }
}

/** A received microphone, or the audio of a screen. */
export class SoundSource {
  readonly track: RemoteTrack;
  readonly voice: Voice;
  #reorder: ReorderBuffer;

  private constructor(
    track: RemoteTrack,
    voice: Voice,
    clock: { now: StreamClock },
    sender: SenderClock,
    onPacket: () => void,
  ) {
    this.track = track;
    this.voice = voice;
    this.#reorder = new ReorderBuffer(AUDIO_MAX_WAIT_MS, voice);
    let ssrc = 0;
    track.onPacket = (packet) => {
      onPacket();
      if (track.mimeType !== 'audio/OPUS') return;
      const now = performance.now();
      if (track.ssrc !== ssrc) clock.now = new StreamClock(sender, SAMPLE_RATE);
      ssrc = track.ssrc;
      clock.now.note(packet.readUInt32BE(4), now, track.senderTime);
      this.#reorder.push(packet, now);
    };
  }

  /** `began`: the recording's time 0, ms of `performance.now()`. */
  static async open(
    track: RemoteTrack,
    sender: SenderClock,
    began: number,
    onPacket: () => void = () => undefined,
  ): Promise<SoundSource> {
    const decoder = await createDecoder({ channels: CHANNELS, sampleRate: SAMPLE_RATE });
    const clock = { now: new StreamClock(sender, SAMPLE_RATE) };
    const voice = new Voice(track.identity, track.source === 'microphone', decoder, (timestamp) =>
      Math.round(((clock.now.at(timestamp, track.senderTime) - began) * SAMPLE_RATE) / 1_000),
    );
    return new SoundSource(track, voice, clock, sender, onPacket);
  }

  tick(now: number): void {
    this.#reorder.tick(now);
  }

  close(): void {
    this.track.onPacket = undefined;
    this.voice.free();
  }
}
