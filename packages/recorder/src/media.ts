import type { ConferenceControl, ProgrammePicture } from '@rmeet/conference';
import type { Participant, RemoteTrack } from '@rmeet/participant';
import { Application, createEncoder, type OpusEncoderHandle } from 'libopus-wasm';
import { SenderClock } from './clocks.ts';
import { Mixer } from './mixer.ts';
import { SoundSource, VideoSource } from './sources.ts';
import { Switch, type PictureSource } from './switch.ts';
import { BLOCK, CHANNELS, SAMPLE_RATE, type Voice } from './voice.ts';
import type { WebmFile } from './webm-file.ts';

/** The delay of the mix, ms: late packets can arrive within it. */
const LATENCY_MS = 1_000;
/**
 * Maximum mixed in one step, ms. After a pause of the whole process, the clock is far ahead of the packets, which are
 * still unread; then the mix is later for a while.
 */
const STRIDE_MS = 40;
const SOUND_BITRATE = 96_000;

/** The received tracks of a conference, combined into one picture and one mix. Times are ms of `performance.now()`. */
export class Media {
  readonly began = performance.now();
  /** Called with a sentence for each track that cannot be stored in the file. */
  onRefused: (sentence: string) => void = () => undefined;
  #encoder: OpusEncoderHandle;
  #mixer: Mixer;
  #switch: Switch;
  #clocks = new Map<string, SenderClock>();
  /** By sid, in order of arrival. */
  #videos = new Map<string, VideoSource>();
  #sounds = new Map<string, SoundSource>();
  /** Sids of pictures that the engine is asked to send. */
  #wanted = new Set<string>();
  /** Sids of pictures whose settings were sent to the engine. */
  #configured = new Set<string>();
  /** Tracks whose decoder is being created. */
  #opening = new Set<RemoteTrack>();
  #shown: PictureSource | null = null;
  /** The mix is complete until this time, ms. */
  #mixed = 0;
  /** The control states with their start times, oldest first, because the mix is delayed. */
  #controls: { from: number; control: ConferenceControl }[] = [];

  private constructor(file: WebmFile, encoder: OpusEncoderHandle) {
    this.#encoder = encoder;
    this.#switch = new Switch((data, isKey, at) => file.addVideo(data, isKey, at));
    this.#mixer = new Mixer(
      (voice, position) => this.#gainOf(voice, position),
      (block, position) =>
        file.addAudio(
          this.#encoder.encodeFloat(block).slice(),
          (position * 1_000) / SAMPLE_RATE,
          (BLOCK * 1_000) / SAMPLE_RATE,
        ),
    );
    this.#switch.tick(0);
  }

  static async open(file: WebmFile): Promise<Media> {
    return new Media(
      file,
      await createEncoder({
        channels: CHANNELS,
        sampleRate: SAMPLE_RATE,
        application: Application.Audio,
        bitrate: SOUND_BITRATE,
        frameSize: BLOCK,
      }),
    );
  }

  #since(now: number): number {
    return now - this.began;
  }

  async add(track: RemoteTrack): Promise<void> {
    const sender = this.#clocks.get(track.identity) ?? new SenderClock();
    this.#clocks.set(track.identity, sender);
    if (track.kind === 'video') {
      const source = new VideoSource(
        track,
        sender,
        (from, frame, at) => this.#switch.frame(from, frame, this.#since(at)),
        ({ track: { mimeType } }) =>
          this.onRefused(
            `The ${track.source} of ${track.identity} sends ${mimeType}, ` +
              `which is not recorded: the file's pictures are VP8 as they come.`,
          ),
      );
      this.#videos.set(track.sid, source);
      return;
    }
    this.#opening.add(track);
    const sound = await SoundSource.open(track, sender, this.began);
    if (!this.#opening.delete(track)) {
      sound.close();
      return;
    }
    this.#sounds.set(track.sid, sound);
    this.#mixer.add(sound.voice);
  }

  /** A track ended. If it was on air, the next `show` selects another one. */
  remove(track: RemoteTrack): void {
    this.#wanted.delete(track.sid);
    this.#configured.delete(track.sid);
    this.#opening.delete(track);
    if (this.#videos.get(track.sid)?.track === track) {
      this.#videos.delete(track.sid);
      track.onPacket = undefined;
    }
    const sound = this.#sounds.get(track.sid);
    if (sound?.track !== track) return;
    this.#sounds.delete(track.sid);
    // The last audio is still to be mixed.
    setTimeout(() => {
      this.#mixer.remove(sound.voice);
      sound.close();
    }, LATENCY_MS * 4).unref();
  }

  /** termIds of terminals that share content, in the order they started. */
  sharing(): string[] {
    return [...this.#videos.values()].flatMap(({ track }) =>
      track.source === 'screen' && !track.muted ? [track.identity] : [],
    );
  }

  #find(picture: ProgrammePicture): VideoSource | null {
    return (
      [...this.#videos.values()].find(
        ({ track, isRefused }) =>
          track.identity === picture.termId && track.source === picture.kind && !track.muted && !isRefused,
      ) ?? null
    );
  }

  /** Puts a picture on air; none if it is not being sent. */
  show(picture: ProgrammePicture | null, now: number): void {
    this.#switch.select(picture && this.#find(picture), this.#since(now));
  }

  /** Requests these pictures in addition to the one on air, and no others. */
  want(pictures: readonly ProgrammePicture[], participant: Participant | undefined): void {
    const wanted = new Set(pictures.flatMap((picture) => this.#find(picture)?.track.sid ?? []));
    const { shown } = this.#switch;
    if (shown instanceof VideoSource) wanted.add(shown.track.sid);
    const sids = [...this.#videos.keys()];
    const set = (some: string[], disabled: boolean): void => {
      if (some.length > 0) participant?.setTrackSettings(some, { disabled });
    };
    set(
      sids.filter((sid) => wanted.has(sid) && !this.#wanted.has(sid)),
      false,
    );
    set(
      sids.filter((sid) => !wanted.has(sid) && (this.#wanted.has(sid) || !this.#configured.has(sid))),
      true,
    );
    for (const sid of sids) this.#configured.add(sid);
    this.#wanted = wanted;
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

  /** Call it every few ms. Returns whether the displayed source has changed. */
  tick(now: number): boolean {
    for (const source of [...this.#videos.values(), ...this.#sounds.values()]) source.tick(now);
    this.#switch.tick(this.#since(now));
    this.#mixed = Math.max(this.#mixed, Math.min(this.#since(now) - LATENCY_MS, this.#mixed + STRIDE_MS));
    this.#mix(this.#mixed);
    const before = this.#shown;
    this.#shown = this.#switch.shown;
    return this.#shown !== before;
  }

  /** Mixes until a moment of the recording, ms. */
  #mix(until: number): void {
    this.#mixer.advance(Math.floor((until * SAMPLE_RATE) / 1_000));
  }

  /** Mixes everything received so far. Returns the resulting length, in ms. */
  close(now: number): number {
    for (const { track } of this.#videos.values()) track.onPacket = undefined;
    this.#mix(this.#since(now));
    for (const sound of this.#sounds.values()) sound.close();
    this.#opening.clear();
    this.#encoder.free();
    return Math.round(this.#since(now));
  }
}
