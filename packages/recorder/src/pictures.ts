import type { ProgrammePicture } from '@rmeet/conference';
import type { Participant, RemoteTrack } from '@rmeet/participant';
import { nameCard } from './cards/card.ts';
import type { SenderClock } from './clocks.ts';
import type { Conversions } from './conversion/conversions.ts';
import type { CardReason } from './index-book.ts';
import { VideoSource } from './sources.ts';
import { Switch, type CodedPicture, type PictureSource, type Size } from './switch.ts';

export interface PicturesOptions {
  /** Time 0 of the recording, ms of `performance.now()`. */
  began: number;
  /** The layer of cameras that is asked for. */
  layer: Size;
  /** Of VP8 pictures while they are on air; without them, these are cards. */
  conversions: Conversions | undefined;
  /** Takes the picture on air; `at` in ms of the recording. */
  write: (picture: CodedPicture, at: number) => void;
  /** Takes each picture of each source; `at` in ms of the recording. */
  onPicture?: (source: VideoSource, picture: CodedPicture, at: number) => void;
  /** A picture can be shown in another way than before, or not any more; a sentence about it. */
  onChange: (sentence: string) => void;
  onPacket: () => void;
}

/** The received pictures of a conference, of which one is on air. Times are ms of `performance.now()`. */
export class Pictures {
  readonly #options: PicturesOptions;
  readonly #switch: Switch;
  /** By sid, in order of arrival. */
  readonly #videos = new Map<string, VideoSource>();
  /** Sids of pictures that the engine is asked to send. */
  #wanted = new Set<string>();
  /** Sids of pictures whose settings were sent to the engine. */
  readonly #configured = new Set<string>();
  #shown: PictureSource | null = null;
  #isWriting = false;
  /** On air as a card only because it cannot be converted now. */
  #unconverted: VideoSource | undefined;

  constructor(options: PicturesOptions) {
    this.#options = options;
    this.#switch = new Switch(options.write, (title, { width, height }) => nameCard({ title }, width, height));
  }

  #since(now: number): number {
    return now - this.#options.began;
  }

  /** The files begin: with a key frame. */
  begin(now: number): void {
    this.#switch.begin(this.#since(now));
    this.#isWriting = true;
  }

  /** The files end. */
  end(): void {
    this.#isWriting = false;
    this.#unconverted = undefined;
    for (const source of this.#videos.values()) source.endConversion();
  }

  /** `sender`: the clock of its participant. */
  add(track: RemoteTrack, sender: SenderClock): void {
    const { conversions, onChange, onPacket, onPicture } = this.#options;
    const name = `The ${track.source} of ${track.identity}`;
    const source = new VideoSource(track, sender, conversions, {
      onPicture: (from, picture, capturedAt) => {
        const at = this.#since(capturedAt);
        this.#switch.frame(from, picture, at, this.#since(performance.now()));
        onPicture?.(from, picture, at);
      },
      onOtherCodec: ({ isRefused }) =>
        onChange(
          `${name} sends ${track.mimeType}, which is ${isRefused ? 'not recorded' : 'converted while it is on air'}.`,
        ),
      onFailed: (_, reason) => onChange(`${name} is a card, because its conversion failed: ${reason}.`),
      onPacket,
    });
    this.#videos.set(track.sid, source);
  }

  /** A track ended. Returns its source, if it has one. If it was on air, the next `show` selects another one. */
  remove(track: RemoteTrack): VideoSource | undefined {
    this.#wanted.delete(track.sid);
    this.#configured.delete(track.sid);
    const source = this.#videos.get(track.sid);
    if (source?.track !== track) return undefined;
    this.#videos.delete(track.sid);
    if (this.#unconverted === source) this.#unconverted = undefined;
    this.#switch.gone(source, this.#since(performance.now()));
    source.close();
    return source;
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

  /** Requests these pictures in addition to the one on air, and no others; with `all`, all that need no conversion. */
  want(pictures: readonly ProgrammePicture[], participant: Participant | undefined, all: boolean): void {
    const sids = [...this.#videos.keys()];
    const found = pictures.map((picture) => this.#find(picture));
    const wanted = new Set(found.flatMap((source) => (source && !source.isRefused ? [source.track.sid] : [])));
    if (all)
      for (const [sid, { isRefused, needsConversion }] of this.#videos)
        if (!isRefused && !needsConversion) wanted.add(sid);
    const { shown } = this.#switch;
    if (shown instanceof VideoSource) wanted.add(shown.track.sid);
    const set = (some: string[], settings: { disabled: boolean; width?: number; height?: number }): void => {
      if (some.length > 0) participant?.setTrackSettings(some, settings);
    };
    set(
      sids.filter((sid) => wanted.has(sid) && !this.#wanted.has(sid)),
      { disabled: false, ...this.#options.layer },
    );
    set(
      sids.filter((sid) => !wanted.has(sid) && (this.#wanted.has(sid) || !this.#configured.has(sid))),
      { disabled: true },
    );
    for (const sid of sids) this.#configured.add(sid);
    this.#wanted = wanted;
  }

  /** Call it every few ms. Returns whether another source is displayed, or can be: then call `show`. */
  tick(now: number): boolean {
    for (const source of this.#videos.values()) source.tick(now);
    this.#switch.tick(this.#since(now));
    for (const source of this.#videos.values()) if (!this.#switch.uses(source)) source.endConversion();
    const before = this.#shown;
    this.#shown = this.#switch.shown;
    return this.#shown !== before || this.#unconverted?.convert() === true;
  }

  close(): void {
    for (const source of this.#videos.values()) source.close();
  }
}
