import type { MediaConfig, MediaFrame } from '@rmeet/rtmp';
import { Packager, type PackagerOutput } from './packager/packager.ts';
import { AAC_FRAME, type SoundFormat } from './packager/sample-entries.ts';

export interface EncoderStreamOptions {
  /** Unix time in ms of the media's time 0. */
  startsAt: number;
  now: () => number;
  output: PackagerOutput;
  /** Numbers of the first segment and initialization segment; to continue what another process began. */
  firstSegment?: number;
  firstInit?: number;
  /** Media that cannot be packaged; a sentence for the person who set up the encoder. */
  onRefused: (what: 'sound' | 'picture') => void;
}

/** How long pictures wait for the configuration of sound, ms of the media: without it, there is none. */
const SOUND_WITHIN_MS = 1_000;
/** A jump of the encoder's clock by more than this begins a new stretch, ms. */
const JUMP_MS = 2_000;
/** Sound that is off by more than this is not joined, ms. */
const SOUND_GAP_MS = 100;
/** Frames, and bytes of them, that wait for the beginning; without a key frame for longer, the oldest are lost. */
const WAITING = 1_000;
const WAITING_BYTES = 16 * 2 ** 20;
/** Samples per second by their index (ISO/IEC 14496-3, 1.6.3.4). */
const RATES = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350];
const AAC_LC = 2;

/** What an AudioSpecificConfig says; undefined if it is not AAC-LC in one or two channels. */
export function soundFormatOf(config: Buffer): SoundFormat | undefined {
  if (config.length < 2) return undefined;
  const bits = config.readUInt16BE(0);
  const rate = RATES[(bits >> 7) & 0xf];
  const channels = (bits >> 3) & 0xf;
  if (bits >> 11 !== AAC_LC || rate === undefined || (channels !== 1 && channels !== 2)) return undefined;
  return { channels, bitrate: 128_000, encoder: { rate, config } };
}

/** The parameter sets of an AVCDecoderConfigurationRecord (ISO/IEC 14496-15, 5.3.3.1); undefined if it is invalid. */
export function parameterSetsOf(config: Buffer): Buffer[] | undefined {
  // Lengths of units have four bytes.
  if (config.length < 7 || (config[4]! & 3) !== 3) return undefined;
  const sets: Buffer[] = [];
  let at = 5;
  for (const mask of [0x1f, 0xff]) {
    const count = (config[at] ?? 0) & mask;
    at += 1;
    for (let n = 0; n < count; n += 1) {
      if (at + 2 > config.length) return undefined;
      const end = at + 2 + config.readUInt16BE(at);
      if (end > config.length) return undefined;
      sets.push(config.subarray(at + 2, end));
      at = end;
    }
  }
  return sets;
}

/** The units of an access unit with a length of four bytes before each; what is incomplete is left out. */
function unitsOf(data: Buffer): Buffer[] {
  const units: Buffer[] = [];
  for (let at = 0; at + 4 <= data.length;) {
    const end = at + 4 + data.readUInt32BE(at);
    if (end > data.length) break;
    units.push(data.subarray(at + 4, end));
    at = end;
  }
  return units;
}

/** A stretch of the stream without a jump of its clock or another sound. */
interface Stretch {
  packager: Packager;
  /** The media's time less the encoder's, ms. */
  shift: number;
  sound: SoundFormat | undefined;
  hasPicture: boolean;
  /** In samples: where the sound continues; undefined before the first frame. */
  soundPosition: number | undefined;
  /** Media's times until which there is picture and sound, ms. */
  pictureUntil: number;
  soundUntil: number;
}

/**
 * Cuts the stream of an encoder (H.264 and AAC-LC, by RTMP) into the parts of a broadcast, as it was coded. Pictures
 * may be sent in another order than they are shown. When its clock jumps, or its sound changes, a new stretch with a
 * new initialization segment begins; numbers go on.
 */
export class EncoderStream {
  readonly #options: EncoderStreamOptions;
  #sets: Buffer[] | undefined;
  #sound: SoundFormat | undefined;
  /** Of pictures that stopped: they are back with their next key frame. */
  #lostSets: Buffer[] | undefined;
  /** Sound that stopped: it is back with its next frame. */
  #lostSound: SoundFormat | undefined;
  #hasRefused = new Set<string>();
  #stretch: Stretch | undefined;
  /** Frames before the first stretch. */
  #waiting: MediaFrame[] = [];
  #waitingBytes = 0;
  #nextSegment: number;
  #nextInit: number;
  /** The encoder's time of the last frame, ms. */
  #last: number | undefined;

  constructor(options: EncoderStreamOptions) {
    this.#options = options;
    this.#nextSegment = options.firstSegment ?? 1;
    this.#nextInit = options.firstInit ?? 1;
  }

  /** The numbers of what comes next. */
  get next(): { segment: number; init: number } {
    return { segment: this.#nextSegment, init: this.#nextInit };
  }

  /** Takes a decoder configuration. */
  config({ kind, config }: MediaConfig): void {
    if (kind === 'video') {
      this.#sets = parameterSetsOf(config);
      this.#lostSets = undefined;
      if (!this.#sets) this.#refuse('picture');
      return;
    }
    const sound = soundFormatOf(config);
    if (!sound) this.#refuse('sound');
    if (sound && this.#sound?.encoder?.config.equals(config)) return;
    this.#sound = sound;
    this.#lostSound = undefined;
    if (this.#stretch) this.#end();
  }

  #refuse(what: 'sound' | 'picture'): void {
    if (this.#hasRefused.has(what)) return;
    this.#hasRefused.add(what);
    this.#options.onRefused(what);
  }

  /** Takes a frame; times are the encoder's. */
  frame(frame: MediaFrame): void {
    if (this.#last !== undefined && Math.abs(frame.time - this.#last) > JUMP_MS) this.#end();
    this.#last = frame.time;
    if (this.#stretch) this.#add(this.#stretch, frame);
    else this.#wait(frame);
  }

  /** The encoder ended the stream. The next connection begins without what this one said of itself. */
  close(): void {
    this.#end();
    this.#sets = undefined;
    this.#lostSets = undefined;
    this.#sound = undefined;
    this.#lostSound = undefined;
    this.#hasRefused = new Set();
    this.#last = undefined;
  }

  /** Begins with a key frame once it is known whether there is sound; a stream without pictures by its sound. */
  #wait(frame: MediaFrame): void {
    this.#waiting.push(frame);
    this.#waitingBytes += frame.data.length;
    while (this.#waiting.length > WAITING || (this.#waitingBytes > WAITING_BYTES && this.#waiting.length > 1))
      this.#waitingBytes -= this.#waiting.shift()!.data.length;
    const first = this.#waiting[0]!;
    const waited = frame.time - first.time;
    const key = this.#sets ? this.#waiting.findIndex(({ kind, isKeyFrame }) => kind === 'video' && isKeyFrame) : -1;
    const isSoundOnly = this.#sets === undefined && this.#sound !== undefined && waited >= SOUND_WITHIN_MS;
    if (key < 0 && !isSoundOnly) return;
    const mayHaveSound = !this.#sound && !this.#lostSound && !this.#hasRefused.has('sound');
    if (mayHaveSound && waited < SOUND_WITHIN_MS) return;
    const frames = this.#waiting.slice(Math.max(0, key));
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#begin(frames[0]!.time, key >= 0);
    for (const one of frames) if (this.#stretch) this.#add(this.#stretch, one);
  }

  #begin(time: number, hasPicture: boolean): void {
    const { startsAt, now, output } = this.#options;
    const sound = this.#sound;
    // What has waited was received earlier.
    const received = now() - startsAt - Math.max(0, (this.#last ?? time) - time);
    const packager = new Packager(
      { startsAt, hasPicture, sound, firstSegment: this.#nextSegment, firstInit: this.#nextInit },
      {
        takeInit: (number, data, format) => {
          this.#nextInit = Math.max(this.#nextInit, number + 1);
          output.takeInit(number, data, format);
        },
        takePart: (part) => {
          this.#nextSegment = Math.max(this.#nextSegment, part.segment + 1);
          output.takePart(part);
        },
      },
    );
    const at = Math.max(received, this.#endOfMedia);
    const until = { pictureUntil: at, soundUntil: at };
    this.#stretch = { packager, shift: at - time, sound, hasPicture, soundPosition: undefined, ...until };
  }

  /** Where the stretch before ended, ms of the media. */
  #endOfMedia = 0;

  #add(stretch: Stretch, frame: MediaFrame): void {
    const at = frame.time + stretch.shift;
    if (frame.kind === 'video') this.#addPicture(stretch, frame, at);
    else this.#addSound(stretch, frame, at);
    if (this.#stretch !== stretch) return;
    const { packager, hasPicture, sound, pictureUntil, soundUntil } = stretch;
    packager.advance(Math.min(hasPicture ? pictureUntil : soundUntil, sound ? soundUntil : pictureUntil));
  }

  #addPicture(stretch: Stretch, frame: MediaFrame, at: number): void {
    const { data, isKeyFrame, offset } = frame;
    if (this.#lostSets && isKeyFrame) {
      this.#sets = this.#lostSets;
      this.#lostSets = undefined;
      this.#end();
      this.#wait(frame);
      return;
    }
    const sets = this.#sets;
    if (!stretch.hasPicture || !sets) return;
    stretch.packager.addPicture(isKeyFrame ? [...sets, ...unitsOf(data)] : unitsOf(data), isKeyFrame, at, offset);
    stretch.pictureUntil = at;
    // Sound that stopped is not waited for.
    if (!stretch.sound || at - stretch.soundUntil <= JUMP_MS) return;
    this.#lostSound = stretch.sound;
    this.#sound = undefined;
    this.#end();
  }

  #addSound(stretch: Stretch, { data, time }: MediaFrame, at: number): void {
    if (!stretch.sound) {
      if (!this.#lostSound) return;
      this.#sound = this.#lostSound;
      this.#lostSound = undefined;
      this.#end();
      return;
    }
    const ticks = stretch.sound.encoder!.rate / 1_000;
    const position = stretch.soundPosition ?? Math.round(at * ticks);
    if (Math.abs(position / ticks - at) > SOUND_GAP_MS) {
      this.#end();
      this.#wait({ kind: 'audio', time, offset: 0, isKeyFrame: true, data });
      return;
    }
    // Pictures that stopped are not waited for: the sound goes on alone.
    if (stretch.hasPicture && at - stretch.pictureUntil > JUMP_MS) {
      this.#lostSets = this.#sets;
      this.#sets = undefined;
      this.#end();
      return;
    }
    stretch.packager.addSound(data, position);
    stretch.soundPosition = position + AAC_FRAME;
    stretch.soundUntil = position / ticks;
  }

  #end(): void {
    const stretch = this.#stretch;
    this.#stretch = undefined;
    this.#waiting = [];
    this.#waitingBytes = 0;
    if (!stretch) return;
    const { packager, hasPicture, pictureUntil, soundUntil } = stretch;
    this.#endOfMedia = hasPicture ? pictureUntil : soundUntil;
    packager.finish(this.#endOfMedia);
  }
}
