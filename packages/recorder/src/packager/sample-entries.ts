import { H264, readSps, unitType } from '@rmeet/rtp';
import { ascii, box, fullBox, u16, u32, u8 } from './boxes.ts';

/** The sound of all files but those of streams of encoders. */
export const SOUND_RATE = 48_000;
/** Samples of an AAC frame. */
export const AAC_FRAME = 1_024;

/** AAC-LC. */
export interface SoundFormat {
  channels: 1 | 2;
  /** Bits/s. */
  bitrate: number;
  /** Of an encoder's stream: samples per second, and its AudioSpecificConfig. */
  encoder?: { rate: number; config: Buffer };
}

export const rateOf = ({ encoder }: SoundFormat): number => encoder?.rate ?? SOUND_RATE;
/** What the mixer gives, and the sound of a screen. */
export const STEREO: SoundFormat = { channels: 2, bitrate: 128_000 };
/** A voice. */
export const MONO: SoundFormat = { channels: 1, bitrate: 64_000 };

/** The AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1): AAC-LC, 48 kHz if it is ours. */
export function soundConfig({ channels, encoder }: SoundFormat): Buffer {
  return encoder?.config ?? u8(0x11, 0x80 | (channels << 3));
}

/** How a decoder is to be set up for pictures: from the parameter sets of a key frame. */
export interface PictureFormat {
  width: number;
  height: number;
  /** Such as `avc1.42e01f`. */
  codec: string;
  sampleEntry: Buffer;
  /** Formats are the same if their keys are. */
  key: string;
}

/** The configuration record of a decoder (ISO/IEC 14496-15, 5.3.3.1). */
function configurationOf(sps: Buffer, pps: Buffer): Buffer {
  const info = readSps(sps)!;
  const hasChroma = ![66, 77, 88].includes(info.profile);
  return box(
    'avcC',
    u8(1, info.profile, info.constraints, info.level, 0xff, 0xe1),
    u16(sps.length),
    sps,
    u8(1),
    u16(pps.length),
    pps,
    ...(hasChroma
      ? [u8(0xfc | info.chromaFormat, 0xf8 | (info.bitDepthLuma - 8), 0xf8 | (info.bitDepthChroma - 8), 0)]
      : []),
  );
}

/** The format of a key frame's units; undefined if they contain no valid parameter sets. */
export function pictureFormatOf(units: readonly Buffer[]): PictureFormat | undefined {
  const sps = units.find((unit) => unitType(unit) === H264.sps);
  const pps = units.find((unit) => unitType(unit) === H264.pps);
  const info = sps && readSps(sps);
  if (!sps || !pps || !info) return undefined;
  const { width, height } = info;
  const sampleEntry = box(
    'avc1',
    u32(0),
    u16(0, 1),
    u32(0, 0, 0, 0),
    u16(width, height),
    u32(0x480000, 0x480000, 0),
    u16(1),
    Buffer.alloc(32),
    u16(0x18, 0xffff),
    configurationOf(sps, pps),
  );
  return {
    width,
    height,
    codec: `avc1.${sps.toString('hex', 1, 4)}`,
    sampleEntry,
    key: `${sps.toString('base64')} ${pps.toString('base64')}`,
  };
}

/** A descriptor of MPEG-4 systems (ISO/IEC 14496-1, 7.2.2.2). */
function descriptor(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([u8(tag, content.length), content]);
}

/** The entry of AAC sound. */
export function soundEntry(format: SoundFormat): Buffer {
  const decoder = descriptor(
    4,
    u8(0x40, 0x15, 0, 0, 0),
    u32(format.bitrate, format.bitrate),
    descriptor(5, soundConfig(format)),
  );
  const stream = descriptor(3, u16(1), u8(0), decoder, descriptor(6, u8(2)));
  return box(
    'mp4a',
    u32(0),
    u16(0, 1),
    u32(0, 0),
    u16(format.channels, 16),
    u32(0),
    // The field ends at 65,535; the decoder's configuration has the rate, too.
    u32(Math.min(rateOf(format), 0xffff) * 0x10000),
    fullBox('esds', 0, 0, stream),
  );
}

/** The file type box; `segment` for media segments, otherwise for files. */
export function typeBox(kind: 'init' | 'segment' | 'file'): Buffer {
  const brands = {
    init: ['cmfc', 'iso6', 'cmfc', 'mp41'],
    segment: ['msdh', 'msdh', 'msix'],
    file: ['isom', 'isom', 'avc1', 'mp41'],
  };
  const [major, ...compatible] = brands[kind];
  return box(kind === 'segment' ? 'styp' : 'ftyp', ascii(major!), u32(0), ...compatible.map(ascii));
}
