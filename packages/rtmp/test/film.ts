import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { annexBUnits, unitType } from '@rmeet/rtp';
import { readAmf } from '../src/amf0.ts';
import { readAudio, readVideo } from '../src/flv.ts';
import type { MediaConfig, MediaFrame } from '../src/index.ts';

/** Bytes of an FLV file's header, of a tag's header, and of the size behind each tag (Adobe FLV 10.1, E.2 and E.3). */
const FILE_HEADER = 13;
const TAG_HEADER = 11;
const BACK_POINTER = 4;

export interface FlvFile {
  configs: MediaConfig[];
  frames: MediaFrame[];
  metadata: unknown;
}

/** Reads an FLV file that a server wrote, possibly one that still grows. */
export function readFlv(path: string): FlvFile {
  const bytes = readFileSync(path);
  const file: FlvFile = { configs: [], frames: [], metadata: null };
  for (let at = FILE_HEADER; at + TAG_HEADER <= bytes.length;) {
    const [type, length] = [bytes[at]!, bytes.readUIntBE(at + 1, 3)];
    const time = bytes.readUIntBE(at + 4, 3) + bytes[at + 7]! * 0x1000000;
    const body = bytes.subarray(at + TAG_HEADER, at + TAG_HEADER + length);
    if (body.length < length) break;
    at += TAG_HEADER + length + BACK_POINTER;
    if (type === 18) file.metadata = readAmf(body).at(-1);
    const media = type === 9 ? readVideo(body, time) : type === 8 ? readAudio(body, time) : null;
    if (media === null || media.kind === 'unknown') continue;
    if ('config' in media) file.configs.push(media);
    else file.frames.push(media);
  }
  return file;
}

const SPS = 7;
const PPS = 8;
/** AAC-LC, 48 kHz, stereo (AudioSpecificConfig). */
const AAC_CONFIG = Buffer.from('1190', 'hex');
/** A frame of silence of that configuration. */
const AAC_SILENCE = Buffer.from('211004608c1c', 'hex');

export interface Film {
  configs: [MediaConfig, MediaConfig];
  frames: MediaFrame[];
}

/** A film of one colour at 25 pictures a second with silence, a key frame every second. */
export function film(colour: string, seconds: number): Film {
  const { sets, picture } = keyFrameOf(colour);
  const config = Buffer.concat([
    Buffer.from([1, ...sets[0]!.subarray(1, 4), 0xff, 0xe1]),
    prefixed(sets[0]!, 2),
    Buffer.from([1]),
    prefixed(sets[1]!, 2),
  ]);
  const frames: MediaFrame[] = [];
  for (let time = 0; time < seconds * 1_000; time += 40) {
    frames.push({ kind: 'video', time, offset: 0, isKeyFrame: time % 1_000 === 0, data: picture });
    frames.push({ kind: 'audio', time: time + 5, offset: 0, isKeyFrame: true, data: AAC_SILENCE });
  }
  return {
    configs: [
      { kind: 'video', config },
      { kind: 'audio', config: AAC_CONFIG },
    ],
    frames,
  };
}

/** The first picture of a prepared clip (an IVF file of Annex B), and its parameter sets. */
function keyFrameOf(colour: string): { sets: Buffer[]; picture: Buffer } {
  const file = readFileSync(join(import.meta.dirname, '..', '..', 'participant', 'media', `${colour}.360.h264`));
  const units = annexBUnits(file.subarray(44, 44 + file.readUInt32LE(32)));
  return {
    sets: [SPS, PPS].map((type) => units.find((unit) => unitType(unit) === type)!),
    picture: Buffer.concat(units.filter((unit) => unitType(unit) < SPS).map((unit) => prefixed(unit, 4))),
  };
}

function prefixed(bytes: Buffer, size: number): Buffer {
  const length = Buffer.alloc(size);
  length.writeUIntBE(bytes.length, 0, size);
  return Buffer.concat([length, bytes]);
}
