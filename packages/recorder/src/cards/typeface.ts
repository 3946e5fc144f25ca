import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { create, type Font, type Glyph } from 'fontkitten';
import { decompress } from 'wawoff2';

const require = createRequire(import.meta.url);
/** The first one that has a character draws it. Each has a file per range of characters, read when needed. */
const FAMILIES = ['noto-sans', 'noto-sans-sc'];
/** Needs shaping, which is not done. */
const LEFT_OUT = 'devanagari';
const WEIGHT = 500;

/** A file of a family, and the characters that it may have. */
interface Slice {
  path: string;
  ranges: [number, number][];
}

/** The outline of a character, in units of its typeface. */
export interface SizedGlyph {
  glyph: Glyph;
  unitsPerEm: number;
}

async function readSlices(): Promise<Slice[]> {
  const slices: Slice[] = [];
  for (const family of FAMILIES) {
    const list = require.resolve(`@fontsource-variable/${family}/unicode.json`);
    for (const [key, ranges] of Object.entries(JSON.parse(await readFile(list, 'utf8')) as Record<string, string>)) {
      const name = key.replaceAll(/[[\]]/g, '');
      if (name === LEFT_OUT) continue;
      slices.push({
        path: join(dirname(list), 'files', `${family}-${name}-wght-normal.woff2`),
        ranges: ranges.split(',').map((range) => {
          const [first = '', last = first] = range.replace('U+', '').split('-');
          return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
        }),
      });
    }
  }
  return slices;
}

let slices: Promise<Slice[]> | undefined;
const fonts = new Map<string, Promise<Font>>();

async function openFont(path: string): Promise<Font> {
  // The library applies a weight to uncompressed files only.
  const font = create(Buffer.from(await decompress(await readFile(path))));
  if (font.isCollection) throw new Error(`${path} is a collection of fonts`);
  return font.getVariation({ wght: WEIGHT });
}

function fontOf(path: string): Promise<Font> {
  const font = fonts.get(path) ?? openFont(path);
  fonts.set(path, font);
  return font;
}

async function glyphOf(character: string): Promise<SizedGlyph | undefined> {
  const code = character.codePointAt(0)!;
  slices ??= readSlices();
  // Ranges overlap, and not every file that names a character has it.
  for (const { path, ranges } of await slices) {
    if (!ranges.some(([first, last]) => code >= first && code <= last)) continue;
    const font = await fontOf(path);
    if (font.hasGlyphForCodePoint(code)) return { glyph: font.glyphForCodePoint(code), unitsPerEm: font.unitsPerEm };
  }
  return undefined;
}

/** The outlines of a text's characters, without those that the typeface lacks. */
export async function glyphsOf(text: string): Promise<SizedGlyph[]> {
  const glyphs: SizedGlyph[] = [];
  for (const character of text.normalize('NFC')) {
    const glyph = await glyphOf(character);
    if (glyph) glyphs.push(glyph);
  }
  return glyphs;
}
