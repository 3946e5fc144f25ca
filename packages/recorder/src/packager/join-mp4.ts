import { open, readFile, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { ascii, box, boxesIn, findBox, fullBox, MOVIE_TIMESCALE, movieHeader, trackBox, u32, u64 } from './boxes.ts';
import { AUDIO_TRACK, readSegment, VIDEO_TIMESCALE, VIDEO_TRACK, type ReadPart } from './fragments.ts';
import { AAC_FRAME, SOUND_RATE, typeBox } from './sample-entries.ts';
import { SampleTables } from './sample-tables.ts';
import { segmentsIn, type Segment } from './segment-folder.ts';

/** Size of the header of the box of media data, whose length has 64 bits. */
const DATA_HEADER = 16;

/** There is nothing to join. */
export class NothingRecorded extends Error {
  constructor(folder: string) {
    super(`${folder} contains no segment.`);
    this.name = 'NothingRecorded';
  }
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

  /** Adds the samples of a part; `shift` (s) is to be subtracted from their times. */
  add({ samples, dataStart }: ReadPart['tracks'][number], position: number, shift: number): void {
    const shifted = Math.round(shift * this.timescale);
    this.#start ??= Math.max(0, samples[0]!.time - shifted);
    let first = 0;
    let at = position + dataStart;
    // After a discontinuity, sound may overlap with what is there already.
    while (first < samples.length && samples[first]!.time - shifted < this.end - AAC_FRAME / 2) {
      at += samples[first]!.size;
      first += 1;
    }
    if (first === samples.length) return;
    const gap = samples[first]!.time - shifted - this.end;
    if (gap > AAC_FRAME / 2) this.tables.extend(gap);
    this.tables.addChunk(samples.slice(first), at, this.entries.length);
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

/** All tracks of a recording, and where their data is. */
class Film {
  readonly tracks = [new JoinedTrack(VIDEO_TRACK, VIDEO_TIMESCALE), new JoinedTrack(AUDIO_TRACK, SOUND_RATE)];
  readonly ranges: Range[] = [];
  #bytes = 0;
  #init: number | undefined;
  /** What is subtracted from the times of segments, s: pauses are left out. */
  #shift = 0;

  get bytes(): number {
    return this.#bytes;
  }

  async add(folder: string, { name, init, initName }: Segment): Promise<void> {
    const { parts } = readSegment(await readFile(join(folder, name)));
    if (init !== this.#init) {
      const head = await readFile(join(folder, initName));
      for (const track of this.tracks) track.takeEntry(head);
      this.#init = init;
      this.#continue(parts[0]!);
    }
    for (const { tracks, end, dataStart } of parts) {
      for (const one of tracks)
        this.tracks.find(({ id }) => id === one.id)?.add(one, this.#bytes - dataStart, this.#shift);
      this.ranges.push({ name, start: dataStart, end });
      this.#bytes += end - dataStart;
    }
  }

  /** The part follows what is there, whatever its time. */
  #continue({ tracks }: ReadPart): void {
    const [first] = tracks;
    const track = this.tracks.find(({ id }) => id === first?.id);
    if (first && track) this.#shift = (first.samples[0]!.time - track.end) / track.timescale;
  }

  /** Everything before the media data. */
  head(created: Date): Buffer {
    const used = this.tracks.filter(({ isEmpty }) => !isEmpty);
    const duration = Math.max(...used.map(({ movieDuration }) => movieDuration));
    const build = (dataStart: number): Buffer =>
      Buffer.concat([
        typeBox('file'),
        box(
          'moov',
          movieHeader(created, duration, AUDIO_TRACK + 1),
          ...used.map((track) => track.box(created, dataStart)),
        ),
        u32(1),
        ascii('mdat'),
        u64(this.#bytes + DATA_HEADER),
      ]);
    return build(build(0).length);
  }
}

async function copy(folder: string, ranges: readonly Range[], file: FileHandle): Promise<void> {
  let name: string | undefined;
  let bytes = Buffer.alloc(0);
  for (const range of ranges) {
    if (range.name !== name) bytes = await readFile(join(folder, range.name));
    name = range.name;
    await file.appendFile(bytes.subarray(range.start, range.end));
  }
}

/**
 * Joins a folder of segments to an MP4 file, which must not exist. Nothing is decoded; the tables are at the file's
 * beginning, so that it plays while it is downloaded. @throws NothingRecorded, and the file system's error; then there
 * is no file
 */
export async function joinMp4(folder: string, path: string): Promise<void> {
  const segments = await segmentsIn(folder);
  if (segments.length === 0) throw new NothingRecorded(folder);
  const film = new Film();
  for (const segment of segments) await film.add(folder, segment);
  const file = await open(path, 'wx');
  try {
    await file.appendFile(film.head(new Date(segments[0]!.wallClock ?? 0)));
    await copy(folder, film.ranges, file);
    await file.close();
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(path, { force: true });
    throw error;
  }
}
