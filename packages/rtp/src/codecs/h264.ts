import { BitReader } from './bit-reader.ts';

/** NAL unit types: ITU-T H.264, table 7-1; aggregate (STAP-A) and fragment (FU-A): RFC 6184, table 1. */
export const H264 = {
  slice: 1,
  idr: 5,
  sps: 7,
  pps: 8,
  delimiter: 9,
  filler: 12,
  aggregate: 24,
  fragment: 28,
} as const;

export function unitType(unit: Uint8Array): number {
  return unit[0]! & 0x1f;
}

/** The NAL units of an access unit in Annex B format. */
export function annexBUnits(accessUnit: Buffer): Buffer[] {
  const units: Buffer[] = [];
  let start = -1;
  for (let at = accessUnit.indexOf('000001', 0, 'hex'); at >= 0; at = accessUnit.indexOf('000001', start, 'hex')) {
    if (start >= 0) units.push(accessUnit.subarray(start, accessUnit[at - 1] === 0 ? at - 1 : at));
    start = at + 3;
  }
  if (start >= 0) units.push(accessUnit.subarray(start));
  return units;
}

/** What containers need of a sequence parameter set. */
export interface H264Sps {
  profile: number;
  /** The byte of the constraint flags. */
  constraints: number;
  level: number;
  /** 1: 4:2:0. */
  chromaFormat: number;
  bitDepthLuma: number;
  bitDepthChroma: number;
  /** Pixels, after cropping. */
  width: number;
  height: number;
}

/** Profiles whose sequence parameter sets have a chroma format (7.3.2.1.1). */
const HIGH_PROFILES = new Set([44, 83, 86, 100, 110, 118, 122, 128, 134, 135, 138, 139, 244]);

/** A unit's bytes without those that prevent start codes in it (7.4.1). */
function withoutEmulation(unit: Uint8Array): Buffer {
  const bytes = Buffer.alloc(unit.length);
  let length = 0;
  let zeros = 0;
  for (const byte of unit) {
    if (zeros >= 2 && byte === 3) {
      zeros = 0;
      continue;
    }
    zeros = byte === 0 ? zeros + 1 : 0;
    bytes[length++] = byte;
  }
  return bytes.subarray(0, length);
}

function skipScalingLists(bits: BitReader, count: number): void {
  for (let list = 0; list < count; list += 1) {
    if (bits.read(1) === 0) continue;
    let next = 8;
    for (let n = list < 6 ? 16 : 64; n > 0 && next !== 0; n -= 1) next = (next + bits.readSignedExpGolomb()) & 0xff;
  }
}

function skipPictureOrder(bits: BitReader): void {
  const type = bits.readExpGolomb();
  if (type === 0) bits.readExpGolomb();
  if (type !== 1) return;
  bits.read(1);
  bits.readSignedExpGolomb();
  bits.readSignedExpGolomb();
  for (let n = Math.min(bits.readExpGolomb(), 255); n > 0; n -= 1) bits.readSignedExpGolomb();
}

/** Reads a sequence parameter set up to its size (7.3.2.1.1); undefined if it is not one. */
export function readSps(unit: Uint8Array): H264Sps | undefined {
  if (unit.length < 4 || unitType(unit) !== H264.sps) return undefined;
  const bytes = withoutEmulation(unit);
  const bits = new BitReader();
  bits.start(bytes, 4, bytes.length);
  bits.readExpGolomb();
  const sps: H264Sps = {
    profile: bytes[1]!,
    constraints: bytes[2]!,
    level: bytes[3]!,
    chromaFormat: 1,
    bitDepthLuma: 8,
    bitDepthChroma: 8,
    width: 0,
    height: 0,
  };
  if (HIGH_PROFILES.has(sps.profile)) {
    sps.chromaFormat = bits.readExpGolomb();
    if (sps.chromaFormat === 3) bits.read(1);
    sps.bitDepthLuma = bits.readExpGolomb() + 8;
    sps.bitDepthChroma = bits.readExpGolomb() + 8;
    bits.read(1);
    if (bits.read(1) === 1) skipScalingLists(bits, sps.chromaFormat === 3 ? 12 : 8);
  }
  bits.readExpGolomb();
  skipPictureOrder(bits);
  bits.readExpGolomb();
  bits.read(1);
  const columns = bits.readExpGolomb() + 1;
  const rows = bits.readExpGolomb() + 1;
  const framesOnly = bits.read(1);
  if (framesOnly === 0) bits.read(1);
  bits.read(1);
  const isCropped = bits.read(1) === 1;
  const [left, right, top, bottom] = Array.from({ length: 4 }, () => (isCropped ? bits.readExpGolomb() : 0)) as [
    number,
    number,
    number,
    number,
  ];
  if (bits.failed) return undefined;
  const cropX = sps.chromaFormat === 1 || sps.chromaFormat === 2 ? 2 : 1;
  const cropY = (sps.chromaFormat === 1 ? 2 : 1) * (2 - framesOnly);
  sps.width = columns * 16 - cropX * (left + right);
  sps.height = rows * 16 * (2 - framesOnly) - cropY * (top + bottom);
  return sps.width > 0 && sps.height > 0 ? sps : undefined;
}
