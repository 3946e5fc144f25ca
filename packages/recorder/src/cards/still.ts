import { BitWriter } from './bit-writer.ts';
import type { Picture, Plane } from './picture.ts';

/**
 * Codes a picture as H.264 (Constrained Baseline profile) without loss. Macroblocks that continue the one above or to
 * the left, such as all of a flat background, take a few bits; the others are stored as they are (I_PCM, 384 bytes).
 * For a card with a line of text that is small enough, and it needs no encoder.
 */

const BASELINE = 66;
/** Constraint flags 0 and 1: Constrained Baseline. */
const CONSTRAINTS = 0xc0;
/** Levels by the largest number of macroblocks in a picture (table A-1). */
const LEVELS = [
  [1_620, 30],
  [3_600, 31],
  [8_192, 40],
  [36_864, 51],
] as const;
const FRAME_NUMBER_BITS = 8;
const [I_SLICE, P_SLICE] = [7, 5];
const I_PCM = 25;
/** Mb_type of a macroblock of 16 x 16 pixels predicted from above, without a residual; 1 more: from the left. */
const FROM_ABOVE = 1;
/** Intra_chroma_pred_mode. */
const [CHROMA_FROM_LEFT, CHROMA_FROM_ABOVE] = [1, 2];

/** A NAL unit: after two zeros, a byte below 4 gets a 3 before it (7.4.1). */
function unit(header: number, bytes: Buffer): Buffer {
  const escaped = [header];
  let zeros = 0;
  for (const byte of bytes) {
    if (zeros === 2 && byte <= 3) {
      escaped.push(3);
      zeros = 0;
    }
    escaped.push(byte);
    zeros = byte === 0 ? zeros + 1 : 0;
  }
  return Buffer.from(escaped);
}

function sequenceParameters({ width, height }: Picture): Buffer {
  const [columns, rows] = [Math.ceil(width / 16), Math.ceil(height / 16)];
  const level = LEVELS.find(([most]) => columns * rows <= most)?.[1] ?? 52;
  const bits = new BitWriter();
  for (const byte of [BASELINE, CONSTRAINTS, level]) bits.write(byte, 8);
  // Set 0, bits of frame numbers, output in coding order, one reference frame without gaps.
  for (const value of [0, FRAME_NUMBER_BITS - 4, 2, 1]) bits.writeExpGolomb(value);
  bits.write(0, 1);
  bits.writeExpGolomb(columns - 1);
  bits.writeExpGolomb(rows - 1);
  bits.write(0b11, 2);
  const [right, bottom] = [(columns * 16 - width) / 2, (rows * 16 - height) / 2];
  bits.write(right + bottom > 0 ? 1 : 0, 1);
  if (right + bottom > 0) for (const edge of [0, right, 0, bottom]) bits.writeExpGolomb(edge);
  // Usability information: the colours are BT.709 of limited range, and pictures are not reordered.
  bits.write(0b1001, 4);
  bits.write(0b10101, 5);
  for (let n = 0; n < 3; n += 1) bits.write(1, 8);
  bits.write(0b0000011, 7);
  for (const value of [0, 0, 16, 16, 0, 1]) bits.writeExpGolomb(value);
  return unit(0x67, bits.finish());
}

function pictureParameters(): Buffer {
  const bits = new BitWriter();
  // Sets 0 and 0, variable-length codes.
  bits.write(0b1100, 4);
  // One slice group and one reference frame, no weighting, quantizers as they are, deblocking controlled by slices.
  bits.write(0b111000, 6);
  bits.write(0b111100, 6);
  return unit(0x68, bits.finish());
}

function writeSliceHeader(bits: BitWriter, type: number, frameNumber: number): void {
  bits.writeExpGolomb(0);
  bits.writeExpGolomb(type);
  bits.writeExpGolomb(0);
  bits.write(frameNumber, FRAME_NUMBER_BITS);
  // Of an IDR picture: its id and two marking flags. Of others: no override, no reordering, no marking.
  if (type === I_SLICE) bits.writeExpGolomb(0);
  bits.write(0, type === I_SLICE ? 2 : 3);
  // The quantizer as it is; no deblocking.
  bits.writeExpGolomb(0);
  bits.writeExpGolomb(1);
}

/** Whether all pixels of a block equal those `step` bytes before them. */
function continues({ data, stride }: Plane, column: number, row: number, size: number, step: number): boolean {
  for (let y = row * size; y < (row + 1) * size; y += 1)
    for (let at = y * stride + column * size, end = at + size; at < end; at += 1)
      if (data[at] !== data[at - step]) return false;
  return true;
}

/** Where the planes of a macroblock can be continued from; undefined: from nowhere. */
function directionOf(
  planes: readonly Plane[],
  column: number,
  row: number,
  size: number,
): 'above' | 'left' | undefined {
  if (row > 0 && planes.every((plane) => continues(plane, column, row, size, plane.stride))) return 'above';
  if (column > 0 && planes.every((plane) => continues(plane, column, row, size, 1))) return 'left';
  return undefined;
}

function writePixels(bits: BitWriter, { data, stride }: Plane, column: number, row: number, size: number): void {
  for (let y = row * size; y < (row + 1) * size; y += 1)
    for (let x = column * size; x < (column + 1) * size; x += 1) bits.write(data[y * stride + x]!, 8);
}

/** The IDR picture, one slice. */
function keyPicture({ luma, chroma, width, height }: Picture): Buffer {
  const [columns, rows] = [Math.ceil(width / 16), Math.ceil(height / 16)];
  const bits = new BitWriter();
  writeSliceHeader(bits, I_SLICE, 0);
  const stored = new Set<number>();
  for (let n = 0; n < columns * rows; n += 1) {
    const [column, row] = [n % columns, Math.floor(n / columns)];
    const from = directionOf([luma], column, row, 16);
    const chromaFrom = directionOf(chroma, column, row, 8);
    if (from === undefined || chromaFrom === undefined) {
      stored.add(n);
      bits.writeExpGolomb(I_PCM);
      bits.align();
      writePixels(bits, luma, column, row, 16);
      for (const plane of chroma) writePixels(bits, plane, column, row, 8);
      continue;
    }
    bits.writeExpGolomb(from === 'above' ? FROM_ABOVE : FROM_ABOVE + 1);
    bits.writeExpGolomb(chromaFrom === 'above' ? CHROMA_FROM_ABOVE : CHROMA_FROM_LEFT);
    // The quantizer as it is; then "no coefficients", coded by the neighbours: stored ones have 16 (9.2.1).
    bits.writeExpGolomb(0);
    const isBesideStored = (column > 0 && stored.has(n - 1)) || stored.has(n - columns);
    if (isBesideStored) bits.write(0b000011, 6);
    else bits.write(1, 1);
  }
  return unit(0x65, bits.finish());
}

/** A picture as access units: a key frame, and frames that repeat it. */
export class Still {
  /** The units of the key frame, with parameter sets. */
  readonly keyFrame: readonly Buffer[];
  #macroblocks: number;

  constructor(picture: Picture) {
    this.keyFrame = [sequenceParameters(picture), pictureParameters(), keyPicture(picture)];
    this.#macroblocks = Math.ceil(picture.width / 16) * Math.ceil(picture.height / 16);
  }

  /** The units of the `nth` frame after a key frame (from 1 on), which shows the same: about ten bytes. */
  repeat(nth: number): readonly Buffer[] {
    const bits = new BitWriter();
    writeSliceHeader(bits, P_SLICE, nth % 2 ** FRAME_NUMBER_BITS);
    bits.writeExpGolomb(this.#macroblocks);
    return [unit(0x41, bits.finish())];
  }
}
