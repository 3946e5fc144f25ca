import { box, boxesIn, findBox, fullBox, movieHeader, trackBox, u32, u64, type FoundBox } from './boxes.ts';
import { rateOf, SOUND_RATE, soundEntry, typeBox, type PictureFormat, type SoundFormat } from './sample-entries.ts';

export const VIDEO_TRACK = 1;
export const AUDIO_TRACK = 2;
export const VIDEO_TIMESCALE = 90_000;

/** Sample flags (ISO/IEC 14496-12, 8.8.3.1): depends on no other sample; depends on others and is no sync sample. */
const SYNC = 0x2000000;
const NOT_SYNC = 0x1010000;
const BASE_IS_MOOF = 0x20000;
/** The fields of a run (8.8.8.1): where its data is, each sample's duration, size and flags; and their offsets. */
const RUN_FIELDS = 0x701;
const RUN_OFFSETS = 0x800;
/** Seconds from 1900, where NTP begins, to 1970. */
const NTP_SECONDS = 2_208_988_800;

/** A coded picture or sound frame; times in ticks of its track. */
export interface Sample {
  time: number;
  duration: number;
  isKey: boolean;
  size: number;
  /** Presentation less decoding time, of encoders that send pictures in another order than shown; default 0. */
  offset?: number;
}

/** The initialization segment: how to decode the fragments that follow it. */
export function initSegment(created: Date, picture: PictureFormat | undefined, sound: SoundFormat | undefined): Buffer {
  const tables = [
    fullBox('stts', 0, 0, u32(0)),
    fullBox('stsc', 0, 0, u32(0)),
    fullBox('stsz', 0, 0, u32(0, 0)),
    fullBox('stco', 0, 0, u32(0)),
  ];
  const empty = { mediaDuration: 0, movieDuration: 0, width: 0, height: 0, tables };
  const tracks = [];
  const ids = [];
  if (picture) {
    const { width, height, sampleEntry } = picture;
    const video = { ...empty, id: VIDEO_TRACK, kind: 'video', timescale: VIDEO_TIMESCALE, width, height } as const;
    tracks.push(trackBox(created, { ...video, sampleEntries: [sampleEntry] }));
    ids.push(VIDEO_TRACK);
  }
  if (sound) {
    const audio = { ...empty, id: AUDIO_TRACK, kind: 'audio', timescale: rateOf(sound) } as const;
    tracks.push(trackBox(created, { ...audio, sampleEntries: [soundEntry(sound)] }));
    ids.push(AUDIO_TRACK);
  }
  const defaults = ids.map((id) => fullBox('trex', 0, 0, u32(id, 1, 0, 0, id === AUDIO_TRACK ? SYNC : 0)));
  return Buffer.concat([
    typeBox('init'),
    box('moov', movieHeader(created, 0, AUDIO_TRACK + 1), ...tracks, box('mvex', ...defaults)),
  ]);
}

/** The box of one track in a fragment; its data begins `dataOffset` bytes after the start of the fragment. */
function trackFragment(trackId: number, samples: readonly Sample[], dataOffset: number): Buffer {
  const hasOffsets = samples.some(({ offset = 0 }) => offset !== 0);
  const entries = samples.flatMap(({ duration, size, isKey, offset = 0 }) => [
    duration,
    size,
    isKey ? SYNC : NOT_SYNC,
    ...(hasOffsets ? [offset] : []),
  ]);
  const fields = RUN_FIELDS | (hasOffsets ? RUN_OFFSETS : 0);
  return box(
    'traf',
    fullBox('tfhd', 0, BASE_IS_MOOF, u32(trackId)),
    fullBox('tfdt', 1, 0, u64(samples[0]!.time)),
    // Version 1: the offsets are signed.
    fullBox('trun', hasOffsets ? 1 : 0, fields, u32(samples.length, dataOffset, ...entries)),
  );
}

/** A fragment of one or two tracks: their samples, and the bytes of each. */
export type FragmentTrack = { id: number; samples: readonly Sample[]; data: readonly Uint8Array[] };

/** A movie fragment with its data: a part of a segment. */
export function fragment(sequence: number, tracks: readonly FragmentTrack[]): Buffer {
  const used = tracks.filter(({ samples }) => samples.length > 0);
  const header = fullBox('mfhd', 0, 0, u32(sequence));
  const build = (offset: number): Buffer => {
    let at = offset;
    const boxes = used.map(({ id, samples }) => {
      const made = trackFragment(id, samples, at);
      at += samples.reduce((sum, { size }) => sum + size, 0);
      return made;
    });
    return box('moof', header, ...boxes);
  };
  const moof = build(build(0).length + 8);
  return Buffer.concat([moof, box('mdat', ...used.flatMap(({ data }) => data))]);
}

/** The head of a segment: its type, and the time of day at which it begins, by the track's time. */
export function segmentHead(trackId: number, time: number, wallClock: number): Buffer {
  const seconds = Math.floor(wallClock / 1_000);
  const fraction = Math.floor(((wallClock - seconds * 1_000) / 1_000) * 2 ** 32);
  return Buffer.concat([
    typeBox('segment'),
    fullBox('prft', 1, 0, u32(trackId, seconds + NTP_SECONDS, fraction), u64(time)),
  ]);
}

/** A part as it stands in a segment; positions in bytes from the start of the segment. */
export interface ReadPart {
  /** Where its media data starts, and where it ends. */
  dataStart: number;
  end: number;
  tracks: { id: number; samples: Sample[]; dataStart: number }[];
}

/** A segment as read: its complete parts, up to the first one that is not. */
export interface ReadSegment {
  parts: ReadPart[];
  /** Ms since 1970 at which it begins, and the media's time in ms; undefined if its head is missing. */
  wallClock: number | undefined;
  mediaTime: number | undefined;
  /** The position after its last complete part. */
  end: number;
}

function readTrackFragment(bytes: Buffer, moof: FoundBox, traf: FoundBox): ReadPart['tracks'][number] | undefined {
  const tfhd = findBox(bytes, traf.content, traf.end, 'tfhd');
  const tfdt = findBox(bytes, traf.content, traf.end, 'tfdt');
  const trun = findBox(bytes, traf.content, traf.end, 'trun');
  if (!tfhd || !tfdt || !trun) return undefined;
  let time = Number(bytes.readBigUInt64BE(tfdt.content + 4));
  const hasOffsets = (bytes.readUInt32BE(trun.content) & RUN_OFFSETS) !== 0;
  const samples = Array.from({ length: bytes.readUInt32BE(trun.content + 4) }, (_, n) => {
    const at = trun.content + 12 + n * (hasOffsets ? 16 : 12);
    const duration = bytes.readUInt32BE(at);
    const sample: Sample = {
      time,
      duration,
      size: bytes.readUInt32BE(at + 4),
      isKey: bytes.readUInt32BE(at + 8) === SYNC,
      ...(hasOffsets && { offset: bytes.readInt32BE(at + 12) }),
    };
    time += duration;
    return sample;
  });
  return {
    id: bytes.readUInt32BE(tfhd.content + 4),
    samples,
    dataStart: moof.start + bytes.readInt32BE(trun.content + 8),
  };
}

/** Reads a segment that `fragment` and `segmentHead` made; of one that was interrupted, what is complete. */
export function readSegment(bytes: Buffer): ReadSegment {
  const segment: ReadSegment = { parts: [], wallClock: undefined, mediaTime: undefined, end: 0 };
  let moof: FoundBox | undefined;
  for (const found of boxesIn(bytes, 0, bytes.length)) {
    if (found.type === 'prft') {
      const seconds = bytes.readUInt32BE(found.content + 8) - NTP_SECONDS;
      segment.wallClock = seconds * 1_000 + (bytes.readUInt32BE(found.content + 12) * 1_000) / 2 ** 32;
      const timescale = bytes.readUInt32BE(found.content + 4) === VIDEO_TRACK ? VIDEO_TIMESCALE : SOUND_RATE;
      segment.mediaTime = (Number(bytes.readBigUInt64BE(found.content + 16)) * 1_000) / timescale;
    } else if (found.type === 'moof') moof = found;
    else if (found.type === 'mdat' && moof) {
      const tracks = boxesIn(bytes, moof.content, moof.end)
        .filter(({ type }) => type === 'traf')
        .map((traf) => readTrackFragment(bytes, moof!, traf));
      if (tracks.includes(undefined)) break;
      segment.parts.push({
        dataStart: found.content,
        end: found.end,
        tracks: tracks.filter((track) => track !== undefined),
      });
      segment.end = found.end;
      moof = undefined;
    } else if (found.type !== 'styp') break;
  }
  return segment;
}
