import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { create, type Font, type Glyph } from 'fontkitten';
import { decompress } from 'wawoff2';

const require = createRequire(import.meta.url);
/** Noto Sans SC: Chinese, Japanese kana, Latin, Cyrillic; a hundred files, of which those are read that are needed. */
const PACKAGE = '@fontsource-variable/noto-sans-sc';
const WEIGHT = 500;

/** A file of the typeface, and the characters for which it is used. */
interface Slice {
  name: string;
  ranges: [number, number][];
}

/** The outline of a character, in units of its typeface. */
export interface SizedGlyph {
  glyph: Glyph;
  unitsPerEm: number;
}

async function readSlices(): Promise<Slice[]> {
  const all = JSON.parse(await readFile(require.resolve(`${PACKAGE}/unicode.json`), 'utf8')) as Record<string, string>;
  return Object.entries(all).map(([key, ranges]) => ({
    name: key.replaceAll(/[[\]]/g, ''),
    ranges: ranges.split(',').map((range) => {
      const [first = '', last = first] = range.replace('U+', '').split('-');
      return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
    }),
  }));
}

let slices: Promise<Slice[]> | undefined;
const fonts = new Map<string, Promise<Font>>();

async function openFont(name: string): Promise<Font> {
  const compressed = await readFile(require.resolve(`${PACKAGE}/files/noto-sans-sc-${name}-wght-normal.woff2`));
  // The library applies a weight to uncompressed files only.
  const font = create(Buffer.from(await decompress(compressed)));
  if (font.isCollection) throw new Error(`${name} is a collection of fonts`);
  return font.getVariation({ wght: WEIGHT });
}

function fontOf(name: string): Promise<Font> {
  const font = fonts.get(name) ?? openFont(name);
  fonts.set(name, font);
  return font;
}

/** The outlines of a text's characters, without those that the typeface lacks. */
export async function glyphsOf(text: string): Promise<SizedGlyph[]> {
  slices ??= readSlices();
  const glyphs: SizedGlyph[] = [];
  for (const character of text.normalize('NFC')) {
    const code = character.codePointAt(0)!;
    const slice = (await slices).find(({ ranges }) => ranges.some(([first, last]) => code >= first && code <= last));
    const font = slice && (await fontOf(slice.name));
    if (font?.hasGlyphForCodePoint(code))
      glyphs.push({ glyph: font.glyphForCodePoint(code), unitsPerEm: font.unitsPerEm });
  }
  return glyphs;
}
