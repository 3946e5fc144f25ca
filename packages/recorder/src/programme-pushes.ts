import { RtmpPush, type MediaConfig, type MediaFrame, type PushOptions, type PushState } from '@rmeet/rtmp';
import { findBox } from './packager/boxes.ts';
import { readSegment, VIDEO_TIMESCALE, VIDEO_TRACK } from './packager/fragments.ts';
import type { PackagerOutput, Part } from './packager/packager.ts';
import { SOUND_RATE, STEREO, soundConfig } from './packager/sample-entries.ts';

/** A server that the programme is pushed to. */
export interface PushTarget {
  id: string;
  /** `rtmp(s)://...`; asked before each connection, because signed addresses expire. */
  address: () => string;
  /** Resolves the host's name. */
  lookup?: PushOptions['lookup'];
}

export interface ProgrammePushesOptions {
  /** `reason` may contain the address: it is for the people who know that. */
  onState: (id: string, state: PushState, reason: string) => void;
  /** Certificates to trust instead of the system's, in PEM. */
  ca?: string;
}

/** What follows the end of the part before by more than this does not continue it, ms. */
const GAP_MS = 100;
/** Bytes of a visual sample entry before its boxes (ISO/IEC 14496-12, 12.1.3). */
const VISUAL_ENTRY = 78;
/** Bytes of the sample description box before its entries. */
const DESCRIPTIONS = 8;
const ENCODER = { encoder: 'Rmeet' };

/** The AVCDecoderConfigurationRecord of an initialization segment; undefined if it has no picture. */
function configurationIn(init: Buffer): Buffer | undefined {
  const table = findBox(init, 0, init.length, 'moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd');
  const entry = table && findBox(init, table.content + DESCRIPTIONS, table.end, 'avc1');
  const record = entry && findBox(init, entry.content + VISUAL_ENTRY, entry.end, 'avcC');
  return record && init.subarray(record.content, record.end);
}

/** The pictures and sounds of a part; `time` in ms of the media. */
function framesOf(data: Buffer): MediaFrame[] {
  const tracks = readSegment(data).parts.flatMap((part) => part.tracks);
  const frames = tracks.flatMap(({ id, samples, dataStart }) => {
    const isVideo = id === VIDEO_TRACK;
    const ticks = (isVideo ? VIDEO_TIMESCALE : SOUND_RATE) / 1_000;
    let at = dataStart;
    return samples.map(({ time, size, isKey }): MediaFrame => {
      const bytes = data.subarray(at, at + size);
      at += size;
      return { kind: isVideo ? 'video' : 'audio', time: time / ticks, offset: 0, isKeyFrame: isKey, data: bytes };
    });
  });
  return frames;
}

/**
 * Pushes the programme to other servers by RTMP while it is on air, as it was coded: H.264 and AAC. Times begin with
 * the first part that is pushed, and do not show interruptions. A server that fails or is slow disturbs nothing else.
 */
export class ProgrammePushes implements PackagerOutput {
  readonly #options: ProgrammePushesOptions;
  readonly #pushes = new Map<string, RtmpPush>();
  readonly #configs = new Map<MediaConfig['kind'], MediaConfig>([
    ['audio', { kind: 'audio', config: soundConfig(STEREO) }],
  ]);
  /** The media's time at which the stream began, ms; undefined before its first part. */
  #began: number | undefined;
  /** Where the last part ended. */
  #end = 0;
  /** Sound that a picture of the next part may precede: the last picture of a part waits for its duration. */
  #later: MediaFrame[] = [];

  constructor(options: ProgrammePushesOptions) {
    this.#options = options;
  }

  /** Pushes to these from now on, and to no others. */
  set(targets: readonly PushTarget[]): void {
    const wanted = new Set(targets.map(({ id }) => id));
    for (const [id, push] of this.#pushes) {
      if (wanted.has(id)) continue;
      this.#pushes.delete(id);
      push.stop();
    }
    if (wanted.size === 0) [this.#began, this.#later] = [undefined, []];
    for (const target of targets) if (!this.#pushes.has(target.id)) this.#add(target);
  }

  #add({ id, address, lookup }: PushTarget): void {
    const { onState, ca } = this.#options;
    const push = new RtmpPush({
      address,
      metadata: ENCODER,
      onState: (state, reason) => onState(id, state, reason),
      ...(ca !== undefined && { ca }),
      ...(lookup && { lookup }),
    });
    for (const config of this.#configs.values()) push.config(config);
    this.#pushes.set(id, push);
  }

  takeInit(_number: number, data: Buffer): void {
    const config = configurationIn(data);
    if (!config || this.#configs.get('video')?.config.equals(config)) return;
    this.#configs.set('video', { kind: 'video', config });
    for (const push of this.#pushes.values()) push.config({ kind: 'video', config });
  }

  takePart({ at, duration, data }: Part): void {
    if (this.#pushes.size > 0) this.#send(at, data);
    this.#end = at + duration;
  }

  #send(at: number, data: Buffer): void {
    this.#began ??= at;
    // What was not written in between takes no time.
    if (at - this.#end > GAP_MS && this.#began < at) this.#began += at - this.#end;
    for (const frame of this.#inOrder(framesOf(data))) {
      const timed = { ...frame, time: Math.max(0, Math.round(frame.time - this.#began)) };
      for (const push of this.#pushes.values()) push.send(timed);
    }
  }

  /** Those that no later one precedes, in order of time. */
  #inOrder(frames: readonly MediaFrame[]): MediaFrame[] {
    const all = [...this.#later, ...frames].toSorted((a, b) => a.time - b.time);
    const lastPicture = all.findLastIndex(({ kind }) => kind === 'video');
    this.#later = lastPicture < 0 ? [] : all.slice(lastPicture + 1);
    return lastPicture < 0 ? all : all.slice(0, lastPicture + 1);
  }
}
