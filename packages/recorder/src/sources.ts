import type { RemoteTrack } from '@rmeet/participant';
import { ReorderBuffer, Vp8Depacketizer, type Vp8Frame } from '@rmeet/rtp';
import { createDecoder } from 'libopus-wasm';
import { StreamClock, type SenderClock } from './clocks.ts';
import type { PictureSource } from './switch.ts';
import { CHANNELS, SAMPLE_RATE, Voice } from './voice.ts';

/** Lost video is retransmitted on request, lost audio is not. */
const VIDEO_MAX_WAIT_MS = 400;
const AUDIO_MAX_WAIT_MS = 100;

/** A received camera or screen. */
export class VideoSource implements PictureSource {
  readonly track: RemoteTrack;
  #clock: StreamClock;
  #frames: Vp8Depacketizer;
  #reorder: ReorderBuffer;
  #isRefused = false;

  /**
   * `onFrame` gets the frame and its capture time, ms of `performance.now()`. `onRefused`: its codec cannot be stored
   * in the file.
   */
  constructor(
    track: RemoteTrack,
    sender: SenderClock,
    onFrame: (source: VideoSource, frame: Vp8Frame, at: number) => void,
    onRefused: (source: VideoSource) => void,
  ) {
    this.track = track;
    this.#clock = new StreamClock(sender, 90_000);
    this.#frames = new Vp8Depacketizer((frame) =>
      onFrame(this, frame, this.#clock.at(frame.timestamp, track.senderTime)),
    );
    this.#reorder = new ReorderBuffer(VIDEO_MAX_WAIT_MS, this.#frames);
    let ssrc = 0;
    track.onPacket = (packet) => {
      if (this.#isRefused) return;
      if (track.mimeType !== 'video/VP8') {
        this.#isRefused = true;
        onRefused(this);
        return;
      }
      const now = performance.now();
      // Timestamps of another stream are unrelated to the previous ones.
      if (track.ssrc !== ssrc) this.#clock = new StreamClock(sender, 90_000);
      ssrc = track.ssrc;
      this.#clock.note(packet.readUInt32BE(4), now, track.senderTime);
      this.#reorder.push(packet, now);
    };
  }

  /** It sends media that cannot be stored. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  get needsKey(): boolean {
    return this.#frames.needsKey;
  }

  requestKeyFrame(): void {
    this.track.requestKeyFrame();
  }

  tick(now: number): void {
    this.#reorder.tick(now);
  }
}

/** A received microphone, or the audio of a screen. */
export class SoundSource {
  readonly track: RemoteTrack;
  readonly voice: Voice;
  #reorder: ReorderBuffer;

  private constructor(track: RemoteTrack, voice: Voice, clock: { now: StreamClock }, sender: SenderClock) {
    this.track = track;
    this.voice = voice;
    this.#reorder = new ReorderBuffer(AUDIO_MAX_WAIT_MS, voice);
    let ssrc = 0;
    track.onPacket = (packet) => {
      if (track.mimeType !== 'audio/OPUS') return;
      const now = performance.now();
      if (track.ssrc !== ssrc) clock.now = new StreamClock(sender, SAMPLE_RATE);
      ssrc = track.ssrc;
      clock.now.note(packet.readUInt32BE(4), now, track.senderTime);
      this.#reorder.push(packet, now);
    };
  }

  /** `began`: the start of the recording, ms of `performance.now()`. */
  static async open(track: RemoteTrack, sender: SenderClock, began: number): Promise<SoundSource> {
    const decoder = await createDecoder({ channels: CHANNELS, sampleRate: SAMPLE_RATE });
    const clock = { now: new StreamClock(sender, SAMPLE_RATE) };
    const voice = new Voice(track.identity, track.source === 'microphone', decoder, (timestamp) =>
      Math.round(((clock.now.at(timestamp, track.senderTime) - began) * SAMPLE_RATE) / 1_000),
    );
    return new SoundSource(track, voice, clock, sender);
  }

  tick(now: number): void {
    this.#reorder.tick(now);
  }

  close(): void {
    this.track.onPacket = undefined;
    this.voice.free();
  }
}
