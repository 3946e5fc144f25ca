import type { ProgrammePicture } from '@rmeet/conference';
import type { LiveOutput } from '@rmeet/live';
import { SenderClock } from './clocks.ts';
import type { Conversions } from './conversion/conversions.ts';
import { MediaLink } from './media-link.ts';
import { LATENCY_MS } from './media.ts';
import { Packager } from './packager/packager.ts';
import { STEREO } from './packager/sample-entries.ts';
import { Pictures } from './pictures.ts';
import { SAMPLE_RATE } from './voice.ts';

/** The layer of cameras that is asked for. */
const LAYER = { width: 640, height: 360 };
/** No segment is shorter than this, ms; see `#firstNumber`. */
const SHORTEST_MS = 1_000;

export interface SmallProgrammeOptions {
  /** Joins the media engine as a hidden participant of its own: the engine sends each of them one layer of a camera. */
  join: () => Promise<{ url: string; token: string }>;
  output: Pick<LiveOutput, 'takeInit' | 'takePart'>;
  /** Time 0 of the recording, ms of `performance.now()`, and in Unix time. */
  began: number;
  startsAt: number;
  conversions: Conversions | undefined;
  insecure: boolean;
  log: (line: string) => void;
}

/**
 * The programme of a broadcast with a smaller picture, for viewers on slow networks: the same pictures at the same
 * times in a lower simulcast layer, with the sound as the programme has it. Nothing of it is stored. Times are ms of
 * `performance.now()`.
 */
export class SmallProgramme {
  readonly #options: SmallProgrammeOptions;
  readonly #pictures: Pictures;
  /** By session of the participant. */
  readonly #clocks = new Map<string, SenderClock>();
  #link: MediaLink | undefined;
  #packager: Packager | undefined;
  #nextSegment = 0;
  #nextInit = 0;
  /** Sound is complete until there, ms of the recording. */
  #soundUntil = Number.NEGATIVE_INFINITY;
  /** What is on air: it is shown again when a track comes. */
  #onAir: { picture: ProgrammePicture | null; name: string; wanted: readonly ProgrammePicture[] } | undefined;
  #isClosed = false;

  constructor(options: SmallProgrammeOptions) {
    const { began, conversions, log } = options;
    this.#options = options;
    this.#pictures = new Pictures({
      began,
      layer: LAYER,
      conversions,
      write: ({ units, isKey }, at) => this.#packager?.addPicture(units, isKey, at),
      onChange: (sentence) => {
        log(`Small picture: ${sentence}`);
        this.#follow();
      },
      onPacket: () => this.#link?.notePacket(),
    });
    this.#join().catch((error: unknown) => log(`There is no small picture: ${String(error)}`));
  }

  async #join(): Promise<void> {
    const { join, insecure, log } = this.#options;
    const link = await MediaLink.open({ join, insecure, log }, (opened) => {
      this.#link = opened;
      opened.on('track', (track) => {
        if (track.kind === 'video') {
          const sender = this.#clocks.get(track.participantSid) ?? new SenderClock();
          this.#clocks.set(track.participantSid, sender);
          this.#pictures.add(track, sender);
          this.#follow();
        } else opened.participant?.setTrackSettings([track.sid], { disabled: true });
      });
      opened.on('trackGone', (track) => {
        this.#pictures.remove(track);
        this.#follow();
      });
      opened.on('changed', () => this.#follow());
    });
    if (this.#isClosed) link.close();
    else this.#follow();
  }

  #since(now: number): number {
    return now - this.#options.began;
  }

  /**
   * Numbers of a stretch. What an earlier process sent is not known: no segment is shorter than a second, so it had
   * not come as far as the seconds that have passed.
   */
  #firstNumber(next: number, now: number): number {
    return next > 0 ? next : Math.max(1, Math.ceil(this.#since(now) / SHORTEST_MS));
  }

  /** The programme begins, or begins again. */
  begin(now: number): void {
    if (this.#packager) return;
    const { startsAt, output } = this.#options;
    this.#packager = new Packager(
      {
        startsAt,
        hasPicture: true,
        sound: STEREO,
        firstSegment: this.#firstNumber(this.#nextSegment, now),
        firstInit: this.#firstNumber(this.#nextInit, now),
      },
      {
        takeInit: (number, data) => {
          this.#nextInit = number + 1;
          output.takeInit(number, data);
        },
        takePart: (part) => {
          this.#nextSegment = part.segment + 1;
          output.takePart(part);
        },
      },
    );
    this.#soundUntil = Number.NEGATIVE_INFINITY;
    this.#pictures.begin(now);
    this.#follow();
  }

  /** The programme ends, or pauses. */
  end(now: number): void {
    this.#pictures.end();
    this.#packager?.finish(this.#since(now));
    this.#packager = undefined;
  }

  /** Takes a coded frame of the programme's sound; `position` in samples. */
  addSound(data: Uint8Array, position: number): void {
    this.#packager?.addSound(data, position);
    this.#soundUntil = (position * 1_000) / SAMPLE_RATE;
  }

  /** Puts a picture on air, or a card with this name; `wanted`: what else is requested. */
  show(picture: ProgrammePicture | null, name: string, wanted: readonly ProgrammePicture[]): void {
    this.#onAir = { picture, name, wanted };
    this.#follow();
  }

  #follow(): void {
    if (!this.#onAir) return;
    const { picture, name, wanted } = this.#onAir;
    this.#pictures.show(picture, name, performance.now());
    this.#pictures.want(wanted, this.#link?.participant, false);
  }

  /** Call it every few ms. */
  tick(now: number): void {
    if (this.#pictures.tick(now)) this.#follow();
    this.#packager?.advance(Math.min(this.#since(now) - LATENCY_MS, this.#soundUntil));
  }

  close(): void {
    this.#isClosed = true;
    this.#link?.close();
    this.#pictures.close();
  }
}
