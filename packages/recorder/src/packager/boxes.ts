/** Boxes of the ISO base media file format (ISO/IEC 14496-12), the container of MP4 and CMAF. */

/** Ticks per second in movie headers. */
export const MOVIE_TIMESCALE = 48_000;
/** Rotation and scaling: none. */
const MATRIX = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000] as const;
/** Seconds from 1904, where the format's times begin, to 1970. */
const EPOCH_SECONDS = 2_082_844_800;

export function u8(...values: number[]): Buffer {
  return Buffer.from(values);
}

export function u16(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  values.forEach((value, n) => bytes.writeUInt16BE(value, n * 2));
  return bytes;
}

export function u32(...values: number[]): Buffer {
  return u32Table(values);
}

export function u64(...values: number[]): Buffer {
  return u64Table(values);
}

/** Like `u32`, for more values than a call takes as arguments. */
export function u32Table(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, n) => bytes.writeUInt32BE(value >>> 0, n * 4));
  return bytes;
}

export function u64Table(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 8);
  values.forEach((value, n) => bytes.writeBigUInt64BE(BigInt(value), n * 8));
  return bytes;
}

export function ascii(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

/** A box of a type of four characters. */
export function box(type: string, ...contents: Uint8Array[]): Buffer {
  const length = contents.reduce((sum, content) => sum + content.length, 8);
  return Buffer.concat([u32(length), ascii(type), ...contents], length);
}

/** A box with a version and flags. */
export function fullBox(type: string, version: number, flags: number, ...contents: Uint8Array[]): Buffer {
  return box(type, u32(version * 0x1000000 + flags), ...contents);
}

function timeOf(date: Date): number {
  return Math.floor(date.getTime() / 1_000) + EPOCH_SECONDS;
}

/** The movie header. `duration`: in ticks of `MOVIE_TIMESCALE`; 0 if it follows in fragments. */
export function movieHeader(created: Date, duration: number, nextTrackId: number): Buffer {
  const time = timeOf(created);
  return fullBox(
    'mvhd',
    1,
    0,
    u64(time, time),
    u32(MOVIE_TIMESCALE),
    u64(duration),
    u32(0x10000),
    u16(0x100, 0),
    u32(0, 0, ...MATRIX, 0, 0, 0, 0, 0, 0, nextTrackId),
  );
}

/** What the boxes of a track say. */
export interface TrackBoxes {
  id: number;
  kind: 'video' | 'audio';
  /** Ticks per second of its media. */
  timescale: number;
  /** Of the media, in its own ticks, and of its presentation, in those of the movie; 0 if they follow in fragments. */
  mediaDuration: number;
  movieDuration: number;
  width: number;
  height: number;
  /** Entries of the sample description box: one for each set of parameters. */
  sampleEntries: readonly Buffer[];
  /** The sample tables; empty ones if the samples follow in fragments. */
  tables: readonly Buffer[];
  edits?: Buffer;
}

export function trackBox(created: Date, track: TrackBoxes): Buffer {
  const time = timeOf(created);
  const isVideo = track.kind === 'video';
  const header = fullBox(
    'tkhd',
    1,
    3,
    u64(time, time),
    u32(track.id, 0),
    u64(track.movieDuration),
    u32(0, 0),
    u16(0, 0, isVideo ? 0 : 0x100, 0),
    u32(...MATRIX, track.width * 0x10000, track.height * 0x10000),
  );
  const mediaHeader = fullBox(
    'mdhd',
    1,
    0,
    u64(time, time),
    u32(track.timescale),
    u64(track.mediaDuration),
    u16(0x55c4, 0),
  );
  const handler = fullBox('hdlr', 0, 0, u32(0), ascii(isVideo ? 'vide' : 'soun'), u32(0, 0, 0), u8(0));
  const typeHeader = isVideo ? fullBox('vmhd', 0, 1, u16(0, 0, 0, 0)) : fullBox('smhd', 0, 0, u16(0, 0));
  const dataInformation = box('dinf', fullBox('dref', 0, 0, u32(1), fullBox('url ', 0, 1)));
  const descriptions = fullBox('stsd', 0, 0, u32(track.sampleEntries.length), ...track.sampleEntries);
  const sampleTable = box('stbl', descriptions, ...track.tables);
  const media = box('mdia', mediaHeader, handler, box('minf', typeHeader, dataInformation, sampleTable));
  return box('trak', header, ...(track.edits ? [track.edits] : []), media);
}

/** A box found in a buffer. */
export interface FoundBox {
  type: string;
  /** Where the box starts, its content starts, and it ends. */
  start: number;
  content: number;
  end: number;
}

/** The boxes between two positions, up to the first one that is incomplete or invalid. */
export function boxesIn(bytes: Buffer, start: number, end: number): FoundBox[] {
  const found: FoundBox[] = [];
  for (let at = start; at + 8 <= end;) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (length < 8 || at + length > end) break;
    found.push({ type, start: at, content: at + 8, end: at + length });
    at += length;
  }
  return found;
}

/** The first box of a type, by a path of types; undefined if there is none. */
export function findBox(bytes: Buffer, start: number, end: number, ...path: string[]): FoundBox | undefined {
  let inside: FoundBox | undefined;
  for (const type of path) {
    inside = boxesIn(bytes, inside?.content ?? start, inside?.end ?? end).find((one) => one.type === type);
    if (inside === undefined) return undefined;
  }
  return inside;
}
