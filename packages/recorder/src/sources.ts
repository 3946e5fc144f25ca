import type { RemoteTrack } from '@rmeet/participant';
import { H264Depacketizer, ReorderBuffer, type H264Frame } from '@rmeet/rtp';
import { createDecoder } from 'libopus-wasm';
import { StreamClock, type SenderClock } from './clocks.ts';
import { KeyFrameRequests } from './key-frame-requests.ts';
import type { PictureSource } from './switch.ts';
import { CHANNELS, SAMPLE_RATE, Voice } from './voice.ts';

/** Lost video is retransmitted on request, lost audio is not. */
const VIDEO_MAX_WAIT_MS = 400;
const AUDIO_MAX_WAIT_MS = 100;
/** A camera sends all the time; a screen that does not change only answers requests for key frames. */
const CAMERA_FREEZES_AFTER_MS = 1_500;
const SCREEN_FREEZES_AFTER_MS = 6_000;

export interface VideoEvents {
  /** `at`: the capture time, ms of `performance.now()`. */
  onFrame: (source: VideoSource, frame: H264Frame, at: number) => void;
  /** Its codec cannot be recorded. */
  onRefused: (source: VideoSource) => void;
  onPacket: () => void;
}

/** A received camera or screen. */
export class VideoSource implements PictureSource {
  readonly track: RemoteTrack;
  #clock: StreamClock;
  #frames: H264Depacketizer;
  #reorder: ReorderBuffer;
  #requests: KeyFrameRequests;
  #ssrc = 0;
  #isRefused = false;

  constructor(track: RemoteTrack, sender: SenderClock, events: VideoEvents) {
    this.track = track;
    this.#clock = new StreamClock(sender, 90_000);
    this.#requests = new KeyFrameRequests(() => track.requestKeyFrame());
    this.#frames = new H264Depacketizer((frame) => {
      if (frame.isKey) this.#requests.answered();
      events.onFrame(this, frame, this.#clock.at(frame.timestamp, track.senderTime));
    });
    this.#reorder = new ReorderBuffer(VIDEO_MAX_WAIT_MS, this.#frames);
    track.onPacket = (packet) => {
      events.onPacket();
      this.#take(packet, sender, events);
    };
  }

  #take(packet: Buffer, sender: SenderClock, { onRefused }: VideoEvents): void {
    const { track } = this;
    if (track.ssrc !== this.#ssrc) {
      this.#ssrc = track.ssrc;
      // Timestamps of another stream are unrelated to the previous ones.
      this.#clock = new StreamClock(sender, 90_000);
      const wasRefused = this.#isRefused;
      this.#isRefused = track.mimeType !== 'video/H264';
      if (this.#isRefused && !wasRefused) onRefused(this);
    }
    if (this.#isRefused) return;
    const now = performance.now();
    this.#clock.note(packet.readUInt32BE(4), now, track.senderTime);
    this.#reorder.push(packet, now);
  }

  /** It sends media that cannot be recorded. */
  get isRefused(): boolean {
    return this.#isRefused;
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
  }

  close(): void {
    this.track.onPacket = undefined;
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
