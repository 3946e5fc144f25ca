import type { ConferenceControl, ProgrammePicture } from '@rmeet/conference';
import type { Participant, RemoteTrack } from '@rmeet/participant';
import { nameCard } from './cards/card.ts';
import { SenderClock } from './clocks.ts';
import type { Conversions } from './conversion/conversions.ts';
import type { CardReason } from './index-book.ts';
import { Mixer } from './mixer.ts';
import { SoundSource, VideoSource } from './sources.ts';
import type { SpooledTrack } from './spooled-track.ts';
import { Switch, type PictureSource } from './switch.ts';
import type { TerminalTracks } from './terminal-tracks.ts';
import { BLOCK, SAMPLE_RATE, type Voice } from './voice.ts';

/** The delay of the mix, ms: late packets can arrive within it. */
const LATENCY_MS = 500;
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
  #switch: Switch;
  /** By session of the participant: the next one may have another clock. */
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
  #isWriting = false;
  /** On air as a card only because it cannot be converted now. */
  #unconverted: VideoSource | undefined;
  /** The mix is complete until this time, ms. */
  #mixed: number;
  /** The control states with their start times, oldest first, because the mix is delayed. */
  #controls: { from: number; control: ConferenceControl }[] = [];

  constructor(options: MediaOptions) {
    const { programme, tracks } = options;
    this.#options = options;
    this.#mixed = this.#since(performance.now());
    this.#switch = new Switch(
      ({ units, isKey }, at) => programme.addPicture(units, isKey, at),
      (title, { width, height }) => nameCard({ title }, width, height),
    );
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
    this.#switch.begin(at);
    this.#isWriting = true;
  }

  /** The files end. Resolves when they are complete. */
  async end(now: number): Promise<void> {
    const at = this.#since(now);
    this.#isWriting = false;
    this.#unconverted = undefined;
    for (const source of this.#videos.values()) source.endConversion();
    this.#mix(at);
    await Promise.all([this.#options.programme.close(at), this.#options.tracks?.end(at)]);
  }

  async add(track: RemoteTrack): Promise<void> {
    const { began, onPacket, tracks } = this.#options;
    const sender = this.#clocks.get(track.participantSid) ?? new SenderClock();
    this.#clocks.set(track.participantSid, sender);
    if (track.kind === 'video') {
      const source = this.#open(track, sender);
      this.#videos.set(track.sid, source);
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

  #open(track: RemoteTrack, sender: SenderClock): VideoSource {
    const { conversions, onChange, onPacket, tracks } = this.#options;
    const name = `The ${track.source} of ${track.identity}`;
    return new VideoSource(track, sender, conversions, {
      onPicture: (from, picture, capturedAt) => {
        const at = this.#since(capturedAt);
        this.#switch.frame(from, picture, at, this.#since(performance.now()));
        tracks?.addPicture(from, picture, at);
      },
      onOtherCodec: ({ isRefused }) =>
        onChange(
          `${name} sends ${track.mimeType}, which is ${isRefused ? 'not recorded' : 'converted while it is on air'}.`,
        ),
      onFailed: (_, reason) => onChange(`${name} is a card, because its conversion failed: ${reason}.`),
      onPacket,
    });
  }

  /** A track ended. If it was on air, the next `show` selects another one. */
  remove(track: RemoteTrack): void {
    this.#wanted.delete(track.sid);
    this.#configured.delete(track.sid);
    this.#opening.delete(track);
    const video = this.#videos.get(track.sid);
    if (video?.track === track) {
      this.#videos.delete(track.sid);
      if (this.#unconverted === video) this.#unconverted = undefined;
      const at = this.#since(performance.now());
      this.#switch.gone(video, at);
      this.#options.tracks?.endPictures(video, at);
      video.close();
    }
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
    return [...this.#videos.values()].flatMap(({ track }) =>
      track.source === 'screen' && !track.muted ? [track.identity] : [],
    );
  }

  /** The source of a picture; if there are two, one that can be recorded. */
  #find({ termId, kind }: ProgrammePicture): VideoSource | null {
    const sources = [...this.#videos.values()].filter(
      ({ track }) => track.identity === termId && track.source === kind && !track.muted,
    );
    return sources.find(({ isRefused }) => !isRefused) ?? sources[0] ?? null;
  }

  /**
   * Puts a picture on air; a card with this name if it is not being sent, or cannot be shown. Returns why it cannot:
   * by its codec, or because nothing converts it now.
   */
  show(picture: ProgrammePicture | null, name: string, now: number): CardReason | undefined {
    const source = picture && this.#find(picture);
    const canBeShown = !source?.isRefused && (!source?.needsConversion || !this.#isWriting || source.convert());
    this.#unconverted = source && !canBeShown && !source.isRefused ? source : undefined;
    this.#switch.select(canBeShown ? source : null, name, this.#since(now));
    if (canBeShown) return undefined;
    return source?.isRefused ? 'codec' : 'conversion';
  }

  /** Requests these pictures in addition to the one on air, and no others; with tracks, all that need no conversion. */
  want(pictures: readonly ProgrammePicture[], participant: Participant | undefined): void {
    const sids = [...this.#videos.keys()];
    const found = pictures.map((picture) => this.#find(picture));
    const wanted = new Set(found.flatMap((source) => (source && !source.isRefused ? [source.track.sid] : [])));
    if (this.#options.tracks)
      for (const [sid, { isRefused, needsConversion }] of this.#videos)
        if (!isRefused && !needsConversion) wanted.add(sid);
    const { shown } = this.#switch;
    if (shown instanceof VideoSource) wanted.add(shown.track.sid);
    const set = (some: string[], settings: { disabled: boolean; width?: number; height?: number }): void => {
      if (some.length > 0) participant?.setTrackSettings(some, settings);
    };
    set(
      sids.filter((sid) => wanted.has(sid) && !this.#wanted.has(sid)),
      { disabled: false, ...LAYER },
    );
    set(
      sids.filter((sid) => !wanted.has(sid) && (this.#wanted.has(sid) || !this.#configured.has(sid))),
      { disabled: true },
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

  /** Call it every few ms. Returns whether another source is displayed, or can be: then call `show`. */
  tick(now: number): boolean {
    const { programme, tracks } = this.#options;
    const at = this.#since(now);
    for (const source of [...this.#videos.values(), ...this.#sounds.values()]) source.tick(now);
    this.#switch.tick(at);
    for (const source of this.#videos.values()) if (!this.#switch.uses(source)) source.endConversion();
    this.#mixed = Math.max(this.#mixed, Math.min(at - LATENCY_MS, this.#mixed + STRIDE_MS));
    this.#mix(this.#mixed);
    programme.advance(this.#mixed);
    tracks?.tick(at);
    const before = this.#shown;
    this.#shown = this.#switch.shown;
    return this.#shown !== before || this.#unconverted?.convert() === true;
  }

  /** Mixes until a moment of the recording, ms. */
  #mix(until: number): void {
    this.#mixer.advance(Math.floor((until * SAMPLE_RATE) / 1_000));
  }

  close(): void {
    this.#opening.clear();
    for (const source of [...this.#videos.values(), ...this.#sounds.values()]) source.close();
  }
}
