import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packetizeH264, packetizeVp8, VP8_PICTURE_ID_OFFSET, writeHeader, type ExtensionValue } from '@rmeet/rtp';
import type { Colour, LayerHeight, Tone, VideoCodec } from './catalogue.ts';
import { readIvf, type Clip } from './ivf.ts';

const MEDIA = join(import.meta.dirname, '../media');
const MAX_PAYLOAD = 1_100;
/** An Opus packet of silence, as an encoder in discontinuous transmission sends it. */
const OPUS_SILENCE = Buffer.from([0xf8, 0xff, 0xfe]);

const cache = new Map<string, Clip>();

function load(name: string): Clip {
  let clip = cache.get(name);
  if (!clip) cache.set(name, (clip = readIvf(readFileSync(join(MEDIA, name)))));
  return clip;
}

/** A prepared video. With `bitrate` (bits/s) its frames are padded to it; flat pictures need less. */
export function videoClip(codec: VideoCodec, colour: Colour, height: LayerHeight, bitrate = 0): Clip {
  return padded(load(`${colour}.${height}.${codec}`), bitrate);
}

/** The picture of a phone, or of the clap: H.264. */
export function specialClip(name: 'phone' | 'clap', bitrate = 0): Clip {
  return padded({ ...load(`${name}.h264`), isByClock: name === 'clap' }, bitrate);
}

function padded(clip: Clip, bitrate: number): Clip {
  const missing =
    (bitrate / 8 / clip.frameRate) * clip.frames.length - clip.frames.reduce((sum, frame) => sum + frame.length, 0);
  const each = Math.floor(missing / clip.frames.length);
  return each > 16
    ? { ...clip, frames: clip.frames.map((frame) => Buffer.concat([frame, filler(clip.codec, each)])) }
    : clip;
}

/** Bytes that a decoder ignores: VP8 reads only to its last partition; H.264 has filler data units (7.3.2.7). */
function filler(codec: Clip['codec'], length: number): Buffer {
  if (codec === 'VP80') return Buffer.alloc(length);
  const unit = Buffer.alloc(length, 0xff);
  unit.set([0, 0, 0, 1, 12]);
  unit[length - 1] = 0x80;
  return unit;
}

export function toneClip(tone: Tone): Clip {
  return load(`${tone}.opus`);
}

/** The sound of the clap. */
export function clapSound(): Clip {
  return { ...load('clap.opus'), isByClock: true };
}

/** Silence from an encoder with DTX: one packet every 400 ms. */
export const silence: Clip = { codec: 'Opus', width: 0, height: 0, frameRate: 2.5, frames: [OPUS_SILENCE] };

/**
 * Packets that look like VP8 to an engine, one packet of `size` bytes per frame, for measurements: no decoder can show
 * them. The first frame of every two seconds has a key frame's header (RFC 6386, section 9.1).
 */
export function rawClip(packetsPerSecond: number, size: number): Clip {
  const frames = Array.from({ length: packetsPerSecond * 2 }, (_, n) => {
    const frame = Buffer.alloc(size - 24, 0x55);
    frame.set(n === 0 ? [0x10, 0, 0, 0x9d, 0x01, 0x2a, 64, 1, 180, 0] : [0x11, 0, 0]);
    return frame;
  });
  return { codec: 'VP80', width: 320, height: 180, frameRate: packetsPerSecond, frames };
}

/** A clip as RTP packets, complete except for sequence number, timestamp and picture id. */
export interface PreparedLoop {
  /** Packets by frame. */
  frames: Buffer[][];
  framesPerSecond: number;
  clockRate: number;
  /** Frames are sent by the time of day. */
  isByClock: boolean;
  /** Offset of the 15-bit VP8 picture id in each packet; 0 for other codecs. */
  pictureIdOffset: number;
}

const packetizers: Record<Clip['codec'], (frame: Buffer) => Buffer[]> = {
  VP80: (frame) => packetizeVp8(frame, MAX_PAYLOAD),
  H264: (frame) => packetizeH264(frame, MAX_PAYLOAD),
  Opus: (frame) => [frame],
};

/** Packetizes a clip for one stream. */
export function prepare(
  clip: Clip,
  payloadType: number,
  ssrc: number,
  extensions: readonly ExtensionValue[],
): PreparedLoop {
  const headerLength = writeHeader(payloadType, false, ssrc, extensions).length;
  const frames = clip.frames.map((frame) => {
    const payloads = packetizers[clip.codec](frame);
    return payloads.map((payload, i) => {
      const marker = clip.codec !== 'Opus' && i === payloads.length - 1;
      return Buffer.concat([writeHeader(payloadType, marker, ssrc, extensions), payload]);
    });
  });
  return {
    frames,
    framesPerSecond: clip.frameRate,
    clockRate: clip.codec === 'Opus' ? 48_000 : 90_000,
    isByClock: clip.isByClock ?? false,
    pictureIdOffset: clip.codec === 'VP80' ? headerLength + VP8_PICTURE_ID_OFFSET : 0,
  };
}
