import type { ConferenceControl, ProgrammePicture } from '@rmeet/conference';
import type { Participant, RemoteTrack } from '@rmeet/participant';
import { SenderClock } from './clocks.ts';
import type { Conversions } from './conversion/conversions.ts';
import type { CardReason } from './index-book.ts';
import { Mixer } from './mixer.ts';
import { Pictures } from './pictures.ts';
import { SoundSource } from './sources.ts';
import type { SpooledTrack } from './spooled-track.ts';
import type { TerminalTracks } from './terminal-tracks.ts';
import { BLOCK, SAMPLE_RATE, type Voice } from './voice.ts';

/** The delay of the mix, ms: late packets can arrive within it. */
export const LATENCY_MS = 500;
/**
 * Maximum mixed in one step, ms. After a pause of the whole process, the clock is far ahead of the packets, which are
 * still unread; then the mix is later for a while.
 */
const STRIDE_MS = 40;
/** The layer of cameras that is asked for. */
const LAYER = { width: 1_280, height: 720 };

export interface MediaOptions {
  /** Time 0 of the recording, ms of `performance.now()`. */
  began: number;
  programme: SpooledTrack;
  /** Undefined: the programme only. */
  tracks: TerminalTracks | undefined;
  /** Of VP8 pictures while they are on air; without them, these are cards. */
  conversions: Conversions | undefined;
  /** A picture can be shown in another way than before, or not any more; a sentence about it. */
  onChange: (sentence: string) => void;
  onPacket: () => void;
}

/**
 * The received tracks of a conference, combined into one picture and one mix, and each by itself. Times are ms of
 * `performance.now()`.
 */
export class Media {
  #options: MediaOptions;
  #mixer: Mixer;
  #pictures: Pictures;
  /** By session of the participant: the next one may have another clock. */
  #clocks = new Map<string, SenderClock>();
  /** By sid, in order of arrival. */
  #sounds = new Map<string, SoundSource>();
  /** Tracks whose decoder is being created. */
  #opening = new Set<RemoteTrack>();
  /** The mix is complete until this time, ms. */
  #mixed: number;
  /** The control states with their start times, oldest first, because the mix is delayed. */
  #controls: { from: number; control: ConferenceControl }[] = [];

  constructor(options: MediaOptions) {
    const { began, programme, tracks, conversions, onChange, onPacket } = options;
    this.#options = options;
    this.#mixed = this.#since(performance.now());
    this.#pictures = new Pictures({
      began,
      layer: LAYER,
      conversions,
      write: ({ units, isKey }, at) => programme.addPicture(units, isKey, at),
      onPicture: (from, picture, at) => tracks?.addPicture(from, picture, at),
      onChange,
      onPacket,
    });
    this.#mixer = new Mixer((voice, position) => this.#gainOf(voice, position), {
      takeMix: (block, position) => {
        if (block) programme.addSound(block, position);
        else programme.addSilence(BLOCK, position);
        tracks?.endBlock(position);
      },
      takeVoice: (voice, block) => tracks?.takeVoice(voice, block),
    });
  }

  #since(now: number): number {
    return now - this.#options.began;
  }

  /** The files begin: with a key frame, and the sound from now on. */
  begin(now: number): void {
    const at = this.#since(now);
    this.#mixed = Math.max(this.#mixed, at - LATENCY_MS);
    this.#mixer.skipTo(Math.floor((this.#mixed * SAMPLE_RATE) / 1_000 / BLOCK) * BLOCK);
    this.#options.programme.begin();
    this.#options.tracks?.begin();
    this.#pictures.begin(now);
  }

  /** The files end. Resolves when they are complete. */
  async end(now: number): Promise<void> {
    const at = this.#since(now);
    this.#pictures.end();
    this.#mix(at);
    await Promise.all([this.#options.programme.close(at), this.#options.tracks?.end(at)]);
  }

  async add(track: RemoteTrack): Promise<void> {
    const { began, onPacket, tracks } = this.#options;
    const sender = this.#clocks.get(track.participantSid) ?? new SenderClock();
    this.#clocks.set(track.participantSid, sender);
    if (track.kind === 'video') {
      this.#pictures.add(track, sender);
      return;
    }
    this.#opening.add(track);
    const sound = await SoundSource.open(track, sender, began, onPacket);
    if (!this.#opening.delete(track)) {
      sound.close();
      return;
    }
    this.#sounds.set(track.sid, sound);
    this.#mixer.add(sound.voice);
    tracks?.addVoice(sound.voice);
  }

  /** A track ended. If it was on air, the next `show` selects another one. */
  remove(track: RemoteTrack): void {
    this.#opening.delete(track);
    const video = this.#pictures.remove(track);
    if (video) this.#options.tracks?.endPictures(video, this.#since(performance.now()));
    const sound = this.#sounds.get(track.sid);
    if (sound?.track !== track) return;
    this.#sounds.delete(track.sid);
    // The last audio is still to be mixed.
    setTimeout(() => {
      this.#mixer.remove(sound.voice);
      this.#options.tracks?.removeVoice(sound.voice, this.#mixed);
      sound.close();
    }, LATENCY_MS * 4).unref();
  }

  /** termIds of terminals that share content, in the order they started. */
  sharing(): string[] {
    return this.#pictures.sharing();
  }

  /** As `Pictures.show`. */
  show(picture: ProgrammePicture | null, name: string, now: number): CardReason | undefined {
    return this.#pictures.show(picture, name, now);
  }

  /** Requests these pictures in addition to the one on air, and no others; with tracks, all that need no conversion. */
  want(pictures: readonly ProgrammePicture[], participant: Participant | undefined): void {
    this.#pictures.want(pictures, participant, this.#options.tracks !== undefined);
  }

  /** The control state from now on. */
  setControl(control: ConferenceControl, now: number): void {
    if (this.#controls.at(-1)?.control !== control) this.#controls.push({ from: this.#since(now), control });
  }

  /** The volume from the state. A microphone muted by the chair is silent from that moment on. */
  #gainOf({ termId, isMicrophone }: Voice, position: number): number {
    const at = (position * 1_000) / SAMPLE_RATE;
    while (this.#controls.length > 1 && this.#controls[1]!.from <= at) this.#controls.shift();
    const terminal = this.#controls[0]?.control.terminals[termId];
    if (terminal === undefined || (isMicrophone && terminal.muted)) return 0;
    return terminal.volume / 100;
  }

  /** Call it every few ms. Returns whether another source is displayed, or can be: then call `show`. */
  tick(now: number): boolean {
    const { programme, tracks } = this.#options;
    const at = this.#since(now);
    for (const source of this.#sounds.values()) source.tick(now);
    const isAnother = this.#pictures.tick(now);
    this.#mixed = Math.max(this.#mixed, Math.min(at - LATENCY_MS, this.#mixed + STRIDE_MS));
    this.#mix(this.#mixed);
    programme.advance(this.#mixed);
    tracks?.tick(at);
    return isAnother;
  }

  /** Mixes until a moment of the recording, ms. */
  #mix(until: number): void {
    this.#mixer.advance(Math.floor((until * SAMPLE_RATE) / 1_000));
  }

  close(): void {
    this.#opening.clear();
    this.#pictures.close();
    for (const source of this.#sounds.values()) source.close();
  }
}
