import { open, rm, type FileHandle } from 'node:fs/promises';
import { ascii, box, boxesIn, findBox, fullBox, MOVIE_TIMESCALE, movieHeader, trackBox, u32, u64 } from './boxes.ts';
import { AUDIO_TRACK, readSegment, VIDEO_TIMESCALE, VIDEO_TRACK, type Sample } from './fragments.ts';
import { AAC_FRAME, SOUND_RATE, typeBox } from './sample-entries.ts';
import { SampleTables } from './sample-tables.ts';
import { folderSource, type Segment, type SegmentSource } from './segments.ts';

/** Size of the header of the box of media data, whose length has 64 bits. */
const DATA_HEADER = 16;
/** Times of two tracks that differ by less are the same, ms. */
const ROUNDING = 0.1;

/** There is nothing to join. */
export class NothingRecorded extends Error {
  constructor() {
    super('There is nothing to join.');
    this.name = 'NothingRecorded';
  }
}

/** A stretch to leave out, in ms of the media's time. */
export interface Cut {
  from: number;
  to: number;
}

export interface JoinOptions {
  /** Ends the work; what was written is deleted. */
  signal?: AbortSignal;
  /** Called with the share of the work that is done, 0 to 1. */
  onProgress?: (share: number) => void;
  /** Pictures continue with the first key frame after a cut: nothing of what was cut is in the file. */
  cuts?: readonly Cut[];
}

/** A track of the file to be written. Times in its own ticks. */
class JoinedTrack {
  readonly tables = new SampleTables();
  readonly entries: Buffer[] = [];
  readonly id: number;
  readonly timescale: number;
  width = 0;
  height = 0;
  /** Where it begins in the film; undefined while it has no samples. */
  #start: number | undefined;

  constructor(id: number, timescale: number) {
    this.id = id;
    this.timescale = timescale;
  }

  get start(): number {
    return this.#start ?? 0;
  }

  /** Where it ends in the film, ticks. */
  get end(): number {
    return this.start + this.tables.duration;
  }

  get isEmpty(): boolean {
    return this.#start === undefined;
  }

  /** Takes the sample entry of an initialization segment; the samples from now on have it. */
  takeEntry(init: Buffer): void {
    const moov = findBox(init, 0, init.length, 'moov');
    if (!moov) return;
    for (const trak of boxesIn(init, moov.content, moov.end)) {
      if (trak.type !== 'trak') continue;
      const tkhd = findBox(init, trak.content, trak.end, 'tkhd')!;
      if (init.readUInt32BE(tkhd.content + 20) !== this.id) continue;
      const stsd = findBox(init, trak.content, trak.end, 'mdia', 'minf', 'stbl', 'stsd')!;
      const entry = init.subarray(stsd.content + 8, stsd.end);
      if (this.entries.at(-1)?.equals(entry) !== true) this.entries.push(entry);
      this.width = Math.max(this.width, init.readUInt32BE(tkhd.end - 8) >>> 16);
      this.height = Math.max(this.height, init.readUInt32BE(tkhd.end - 4) >>> 16);
    }
  }

  /** Whether something is at this time already, as after a discontinuity where sound overlaps. `shift` as in `add`. */
  has(time: number, shift: number): boolean {
    return !this.isEmpty && time - this.#ticks(shift) < this.end - AAC_FRAME / 2;
  }

  /** Adds samples that lie one after the other from `position` on; `shift` (ms) is subtracted from their times. */
  add(samples: readonly Sample[], position: number, shift: number): void {
    const start = samples[0]!.time - this.#ticks(shift);
    this.#start ??= Math.max(0, start);
    const gap = start - this.end;
    if (gap > AAC_FRAME / 2) this.tables.extend(gap);
    this.tables.addChunk(samples, position, this.entries.length);
  }

  #ticks(milliseconds: number): number {
    return Math.round((milliseconds * this.timescale) / 1_000);
  }

  #inMovie(ticks: number): number {
    return Math.round((ticks * MOVIE_TIMESCALE) / this.timescale);
  }

  get movieDuration(): number {
    return this.#inMovie(this.end);
  }

  box(created: Date, dataStart: number): Buffer {
    const { start, tables } = this;
    const edits = [u64(this.#inMovie(tables.duration), 0), u32(0x10000)];
    if (start > 0) edits.unshift(u64(this.#inMovie(start)), u32(0xffffffff, 0xffffffff, 0x10000));
    return trackBox(created, {
      id: this.id,
      kind: this.id === VIDEO_TRACK ? 'video' : 'audio',
      timescale: this.timescale,
      mediaDuration: tables.duration,
      movieDuration: this.movieDuration,
      width: this.width,
      height: this.height,
      sampleEntries: this.entries,
      tables: tables.boxes(dataStart),
      edits: box('edts', fullBox('elst', 1, 0, u32(edits.length / 2), ...edits)),
    });
  }
}

/** Bytes of a segment's file that become media data. */
interface Range {
  name: string;
  start: number;
  end: number;
}

/** A stretch of the media that is in the film, in ms; `shift` is what is subtracted from its times there. */
interface Piece {
  from: number;
  /** Infinity while nothing was left out after it. */
  to: number;
  shift: number;
}

/** All tracks of a recording, and where their data is. */
class Film {
  readonly video = new JoinedTrack(VIDEO_TRACK, VIDEO_TIMESCALE);
  readonly audio = new JoinedTrack(AUDIO_TRACK, SOUND_RATE);
  readonly ranges: Range[] = [];
  #cuts: readonly Cut[];
  #bytes = 0;
  #init: number | undefined;
  #pieces: Piece[] = [];

  constructor(cuts: readonly Cut[]) {
    this.#cuts = cuts;
  }

  get tracks(): JoinedTrack[] {
    return [this.video, this.audio].filter(({ isEmpty }) => !isEmpty);
  }

  /** Where pictures are, they say where the film continues after what was left out. */
  get #leader(): JoinedTrack {
    return this.video.entries.length > 0 ? this.video : this.audio;
  }

  async add(source: SegmentSource, { name, init, initName }: Segment): Promise<void> {
    const { parts, mediaTime } = readSegment(await source.read(name));
    if (init !== this.#init) {
      const head = await source.read(initName);
      for (const track of [this.video, this.audio]) track.takeEntry(head);
      this.#init = init;
      if (mediaTime !== undefined && !this.#isCut(mediaTime)) this.#begin(mediaTime);
    }
    for (const { tracks } of parts) {
      // Pictures come first.
      for (const { id, samples, dataStart } of tracks) {
        const track = [this.video, this.audio].find((one) => one.id === id);
        if (track) this.#takeSamples(track, samples, name, dataStart);
      }
    }
  }

  #isCut(at: number): boolean {
    return this.#cuts.some(({ from, to }) => at >= from && at < to);
  }

  /** The film continues with this time of the media. */
  #begin(at: number): Piece {
    this.#end(at);
    const piece = {
      from: at,
      to: Number.POSITIVE_INFINITY,
      shift: at - (this.#leader.end * 1_000) / this.#leader.timescale,
    };
    this.#pieces.push(piece);
    return piece;
  }

  #end(at: number): void {
    const last = this.#pieces.at(-1);
    if (last) last.to = Math.min(last.to, at);
  }

  /** Adds the samples that are not left out, in runs that lie one after the other. */
  #takeSamples(track: JoinedTrack, samples: readonly Sample[], name: string, dataStart: number): void {
    let run: { samples: Sample[]; start: number; piece: Piece } | undefined;
    let at = dataStart;
    const finish = (): void => {
      if (!run) return;
      track.add(run.samples, this.#bytes, run.piece.shift);
      this.ranges.push({ name, start: run.start, end: at });
      this.#bytes += at - run.start;
      run = undefined;
    };
    for (const sample of samples) {
      const piece = this.#pieceOf(track, sample);
      if (piece !== run?.piece) finish();
      if (piece) {
        run ??= { samples: [], start: at, piece };
        run.samples.push(sample);
      }
      at += sample.size;
    }
    finish();
  }

  /** Where a sample belongs; undefined if it is left out. */
  #pieceOf(track: JoinedTrack, { time, isKey }: Sample): Piece | undefined {
    const at = (time * 1_000) / track.timescale;
    const leads = track === this.#leader;
    if (this.#isCut(at)) {
      if (leads) this.#end(at);
      return undefined;
    }
    const piece = this.#pieces.findLast(({ from, to }) => at > from - ROUNDING && at < to - ROUNDING);
    if (piece) return track.has(time, piece.shift) ? undefined : piece;
    return leads && isKey ? this.#begin(at) : undefined;
  }

  /** Everything before the media data. */
  head(created: Date): Buffer {
    const { tracks } = this;
    const duration = Math.max(...tracks.map(({ movieDuration }) => movieDuration));
    const build = (dataStart: number): Buffer =>
      Buffer.concat([
        typeBox('file'),
        box(
          'moov',
          movieHeader(created, duration, AUDIO_TRACK + 1),
          ...tracks.map((track) => track.box(created, dataStart)),
        ),
        u32(1),
        ascii('mdat'),
        u64(this.#bytes + DATA_HEADER),
      ]);
    return build(build(0).length);
  }
}

/** Reading the headers and copying the data take about the same time. */
async function write(source: SegmentSource, path: string, options: JoinOptions): Promise<void> {
  const { signal, onProgress, cuts = [] } = options;
  const { segments } = source;
  const film = new Film(cuts);
  for (const [n, segment] of segments.entries()) {
    signal?.throwIfAborted();
    await film.add(source, segment);
    onProgress?.((n + 1) / segments.length / 2);
  }
  if (film.tracks.length === 0) throw new NothingRecorded();
  const file = await open(path, 'wx');
  try {
    await file.appendFile(film.head(new Date(segments[0]!.wallClock ?? 0)));
    await copy(source, film.ranges, file, options);
    await file.close();
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(path, { force: true });
    throw error;
  }
}

async function copy(
  source: SegmentSource,
  ranges: readonly Range[],
  file: FileHandle,
  { signal, onProgress }: JoinOptions,
): Promise<void> {
  let name: string | undefined;
  let bytes: Buffer = Buffer.alloc(0);
  for (const [n, range] of ranges.entries()) {
    if (range.name !== name) {
      signal?.throwIfAborted();
      bytes = await source.read(range.name);
      onProgress?.((1 + n / ranges.length) / 2);
    }
    name = range.name;
    await file.appendFile(bytes.subarray(range.start, range.end));
  }
  onProgress?.(1);
}

/**
 * Joins the segments of a track, from a folder or elsewhere, to an MP4 file, which must not exist. Nothing is decoded;
 * the tables are at the file's beginning, so that it plays while it is downloaded. @throws NothingRecorded, what
 * `signal` has as its reason, and errors of files; then there is no file
 */
export async function joinMp4(from: string | SegmentSource, path: string, options: JoinOptions = {}): Promise<void> {
  await write(typeof from === 'string' ? await folderSource(from) : from, path, options);
}
