import type { Outline } from './typeface.ts';

/** Points of a contour: on the curve, or the control point of a quadratic curve. */
interface Point {
  x: number;
  y: number;
  isOn: boolean;
}

export const ASCENT = 1_069;
export const DESCENT = -293;

function contoursOf({ commands }: Outline): Point[][] {
  const contours: Point[][] = [];
  let current: Point[] = [];
  const add = (isOn: boolean, x = 0, y = 0): void => void current.push({ x: Math.round(x), y: Math.round(y), isOn });
  for (const { command, args } of commands) {
    if (command === 'moveTo') {
      current = [];
      contours.push(current);
      add(true, args[0], args[1]);
    } else if (command === 'lineTo') add(true, args[0], args[1]);
    else if (command === 'quadraticCurveTo') {
      add(false, args[0], args[1]);
      add(true, args[2], args[3]);
    }
  }
  for (const contour of contours) {
    const [first, last] = [contour[0], contour.at(-1)];
    if (contour.length > 1 && last?.isOn && first?.x === last.x && first.y === last.y) contour.pop();
  }
  return contours.filter((contour) => contour.length > 1);
}

/** A simple glyph (OpenType, table `glyf`), with every coordinate as a 16-bit difference. */
function glyphOf(outline: Outline): Buffer {
  const contours = contoursOf(outline);
  if (contours.length === 0) return Buffer.alloc(0);
  const points = contours.flat();
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const bytes = Buffer.alloc(10 + contours.length * 2 + 2 + points.length * 5);
  let at = 0;
  const put = (value: number): void => void (at = bytes.writeInt16BE(value, at));
  put(contours.length);
  for (const value of [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]) put(value);
  let end = -1;
  for (const contour of contours) put((end += contour.length));
  put(0);
  for (const { isOn } of points) at = bytes.writeUInt8(isOn ? 1 : 0, at);
  let before = 0;
  for (const x of xs) {
    put(x - before);
    before = x;
  }
  before = 0;
  for (const y of ys) {
    put(y - before);
    before = y;
  }
  return bytes.length % 4 === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(4 - (bytes.length % 4))]);
}

function headTable(): Buffer {
  const head = Buffer.alloc(54);
  head.writeUInt32BE(0x00010000, 0);
  head.writeUInt32BE(0x5f0f3cf5, 12);
  head.writeUInt16BE(0x0001, 16);
  head.writeUInt16BE(1_000, 18);
  for (const [at, value] of [
    [36, -1_000],
    [38, DESCENT],
    [40, 3_000],
    [42, ASCENT],
  ] as const)
    head.writeInt16BE(value, at);
  head.writeUInt16BE(8, 46);
  // Long offsets in `loca`.
  head.writeInt16BE(1, 50);
  return head;
}

function hheaTable(glyphs: number): Buffer {
  const hhea = Buffer.alloc(36);
  hhea.writeUInt32BE(0x00010000, 0);
  hhea.writeInt16BE(ASCENT, 4);
  hhea.writeInt16BE(DESCENT, 6);
  hhea.writeUInt16BE(3_000, 10);
  hhea.writeUInt16BE(1, 18);
  hhea.writeUInt16BE(glyphs, 34);
  return hhea;
}

function maxpTable(glyphs: number): Buffer {
  const maxp = Buffer.alloc(32);
  maxp.writeUInt32BE(0x00010000, 0);
  maxp.writeUInt16BE(glyphs, 4);
  maxp.writeUInt16BE(4_000, 6);
  maxp.writeUInt16BE(400, 8);
  maxp.writeUInt16BE(2, 14);
  return maxp;
}

function checksum(table: Buffer): number {
  let sum = 0;
  for (let at = 0; at + 4 <= table.length; at += 4) sum = (sum + table.readUInt32BE(at)) >>> 0;
  return sum;
}

/**
 * A TrueType font with these glyphs, for embedding in PDF only (ISO 32000-1, 9.9: glyf, head, hhea, hmtx, loca, maxp).
 * Glyph 0 is the one for missing characters. 1,000 units per em.
 */
export function trueTypeOf(outlines: readonly Outline[]): Buffer {
  const glyphs = outlines.map(glyphOf);
  const loca = Buffer.alloc((glyphs.length + 1) * 4);
  const hmtx = Buffer.alloc(glyphs.length * 4);
  let offset = 0;
  glyphs.forEach((glyph, id) => {
    loca.writeUInt32BE(offset, id * 4);
    offset += glyph.length;
    hmtx.writeUInt16BE(Math.round(outlines[id]?.advance ?? 0), id * 4);
  });
  loca.writeUInt32BE(offset, glyphs.length * 4);
  const tables: [string, Buffer][] = [
    ['glyf', Buffer.concat(glyphs)],
    ['head', headTable()],
    ['hhea', hheaTable(glyphs.length)],
    ['hmtx', hmtx],
    ['loca', loca],
    ['maxp', maxpTable(glyphs.length)],
  ];
  const directory = Buffer.alloc(12 + tables.length * 16);
  directory.writeUInt32BE(0x00010000, 0);
  directory.writeUInt16BE(tables.length, 4);
  directory.writeUInt16BE(64, 6);
  directory.writeUInt16BE(2, 8);
  directory.writeUInt16BE(tables.length * 16 - 64, 10);
  const parts = [directory];
  let at = directory.length;
  tables.forEach(([tag, table], place) => {
    const padded = Buffer.concat([table, Buffer.alloc((4 - (table.length % 4)) % 4)]);
    directory.write(tag, 12 + place * 16, 'latin1');
    directory.writeUInt32BE(checksum(padded), 16 + place * 16);
    directory.writeUInt32BE(at, 20 + place * 16);
    directory.writeUInt32BE(table.length, 24 + place * 16);
    parts.push(padded);
    at += padded.length;
  });
  return Buffer.concat(parts);
}
