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

/** `bold` is 700, `normal` 400. */
export type Weight = 'normal' | 'bold';
const WEIGHTS: Record<Weight, number> = { normal: 400, bold: 700 };

interface Slice {
  path: string;
  ranges: [number, number][];
}

/** The outline of a character and its advance, in thousandths of an em. */
export interface Outline {
  commands: Glyph['path']['commands'];
  advance: number;
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
/** Open files of the typeface: enough for a document, without keeping all of it in memory. */
const FONTS_KEPT = 60;

async function openFont(path: string, weight: Weight): Promise<Font> {
  // The library applies a weight to uncompressed files only.
  const font = create(Buffer.from(await decompress(await readFile(path))));
  if (font.isCollection) throw new Error(`${path} is a collection of fonts`);
  return font.getVariation({ wght: WEIGHTS[weight] });
}

function fontOf(path: string, weight: Weight): Promise<Font> {
  const key = `${weight} ${path}`;
  const font = fonts.get(key) ?? openFont(path, weight);
  fonts.delete(key);
  fonts.set(key, font);
  const [oldest] = fonts.keys();
  if (fonts.size > FONTS_KEPT && oldest !== undefined) fonts.delete(oldest);
  return font;
}

/** The outline of a character in a weight; undefined if the typeface lacks it. */
export async function outlineOf(character: string, weight: Weight): Promise<Outline | undefined> {
  const code = character.codePointAt(0) ?? 0;
  slices ??= readSlices();
  // Ranges overlap, and not every file that names a character has it.
  for (const { path, ranges } of await slices) {
    if (!ranges.some(([first, last]) => code >= first && code <= last)) continue;
    const font = await fontOf(path, weight);
    if (!font.hasGlyphForCodePoint(code)) continue;
    const glyph = font.glyphForCodePoint(code);
    const scale = 1_000 / font.unitsPerEm;
    return {
      advance: glyph.advanceWidth * scale,
      commands:
        scale === 1
          ? glyph.path.commands
          : glyph.path.commands.map(({ command, args }) => ({ command, args: args.map((value) => value * scale) })),
    };
  }
  return undefined;
}
