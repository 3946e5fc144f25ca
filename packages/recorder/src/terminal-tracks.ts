import type { TrackKind } from '@rmeet/contract';
import { EARLY_MS } from './packager/packager.ts';
import type { VideoSource } from './sources.ts';
import type { SpooledTrack } from './spooled-track.ts';
import type { CodedPicture } from './switch.ts';
import { BLOCK, type Voice } from './voice.ts';

/** Length of the segments: shorter ones would be many files, and many key frames of each camera. */
export const TRACK_SEGMENT_MS = 6_000;
/** Pictures come at most this late, ms. */
const DELAY_MS = 500;
/** How long the last picture before an interruption is shown, ms. */
const LAST_PICTURE_MS = 200;

interface Pictures {
  track: SpooledTrack;
  source: VideoSource;
  at: number;
  keyAt: number;
}

interface Sounds {
  track: SpooledTrack;
  voices: Set<Voice>;
  /** What is heard in the block that is being mixed. */
  block: Float32Array | undefined;
}

/** Opens the track of a terminal, or one that was open before. */
export type OpenTrack = (kind: TrackKind, termId: string) => SpooledTrack;

/** Writes each terminal's sound and pictures by themselves. Times are ms of the recording. */
export class TerminalTracks {
  #open: OpenTrack;
  #isActive = false;
  #pictures = new Map<string, Pictures>();
  #sounds = new Map<string, Sounds>();

  constructor(open: OpenTrack) {
    this.#open = open;
  }

  begin(): void {
    this.#isActive = true;
    for (const { track, voices } of this.#sounds.values()) if (voices.size > 0) track.begin();
  }

  /** Resolves when all files are complete. */
  async end(at: number): Promise<void> {
    this.#isActive = false;
    const tracks = [...this.#pictures.values(), ...this.#sounds.values()].map(({ track }) => track);
    await Promise.all(tracks.map((track) => track.close(at)));
  }

  addPicture(source: VideoSource, { units, isKey }: CodedPicture, at: number): void {
    const { identity, source: kind, muted } = source.track;
    // Pictures that were on the way when it was turned off would begin it anew.
    if (!this.#isActive || muted) return;
    if (kind !== 'camera' && kind !== 'screen') return;
    const id = `${kind} ${identity}`;
    const pictures = this.#pictures.get(id) ?? { track: this.#open(kind, identity), source, at, keyAt: 0 };
    this.#pictures.set(id, pictures);
    if (!pictures.track.isOpen) {
      if (!isKey) return source.requestKeyFrame(at);
      pictures.track.begin();
    }
    pictures.source = source;
    pictures.at = at;
    if (isKey) pictures.keyAt = at;
    pictures.track.addPicture(units, isKey, at);
  }

  /** A source ended, or was turned off: its last picture is not shown any longer. */
  endPictures(source: VideoSource, at: number): void {
    for (const pictures of this.#pictures.values())
      if (pictures.source === source) void pictures.track.close(Math.max(at, pictures.at));
  }

  addVoice(voice: Voice): void {
    const kind = voice.isMicrophone ? 'microphone' : 'screenAudio';
    const id = `${kind} ${voice.termId}`;
    const sounds = this.#sounds.get(id) ?? {
      track: this.#open(kind, voice.termId),
      voices: new Set(),
      block: undefined,
    };
    this.#sounds.set(id, sounds);
    sounds.voices.add(voice);
    if (this.#isActive) sounds.track.begin();
  }

  removeVoice(voice: Voice, at: number): void {
    for (const { voices, track } of this.#sounds.values())
      if (voices.delete(voice) && voices.size === 0) void track.close(at);
  }

  /** A block of a voice; `endBlock` follows those of all voices. */
  takeVoice(voice: Voice, block: Float32Array | undefined): void {
    if (!block) return;
    const sounds = this.#sounds.get(`${voice.isMicrophone ? 'microphone' : 'screenAudio'} ${voice.termId}`);
    if (sounds) sounds.block ??= block;
  }

  endBlock(position: number): void {
    for (const sounds of this.#sounds.values()) {
      if (sounds.block) sounds.track.addSound(sounds.block, position);
      else sounds.track.addSilence(BLOCK, position);
      sounds.block = undefined;
    }
  }

  tick(now: number): void {
    for (const { track, source, at, keyAt } of this.#pictures.values()) {
      if (!track.isOpen) continue;
      track.advance(now - DELAY_MS);
      if (source.track.muted) this.endPictures(source, now);
      else if (now - at > source.freezesAfter) void track.close(at + LAST_PICTURE_MS);
      else if (intervalOf(now) > intervalOf(keyAt + EARLY_MS)) source.requestKeyFrame(now);
    }
    for (const { track } of this.#sounds.values()) track.advance(now);
  }
}

function intervalOf(at: number): number {
  return Math.floor(at / TRACK_SEGMENT_MS);
}
