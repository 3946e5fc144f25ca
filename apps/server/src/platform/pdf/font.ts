import { glyphOf, type SizedGlyph } from '@rmeet/recorder/typeface';

/** Units of an em in the fonts that are written. */
const EM = 1_000;
/** Characters of one font: codes are one byte. */
const CODES = 256;
/** What glyphs may cover, in units: left, bottom, right, top. */
const BOX = '-300 -400 2000 1300';
const MISSING = '?';

type Command = SizedGlyph['glyph']['path']['commands'][number];

const round = (value: number): string => String(Math.round(value * 10) / 10);

/** The operators that draw an outline. Quadratic curves become cubic ones, which is exact. */
function pathOf(commands: readonly Command[], scale: number): string {
  const out: string[] = [];
  let [x, y] = [0, 0];
  const scaled = (args: readonly number[]): number[] => args.map((value) => value * scale);
  for (const { command, args } of commands) {
    const to = scaled(args);
    if (command === 'quadraticCurveTo') {
      const [cx = 0, cy = 0, ex = 0, ey = 0] = to;
      const near = [x + (2 / 3) * (cx - x), y + (2 / 3) * (cy - y)];
      const far = [ex + (2 / 3) * (cx - ex), ey + (2 / 3) * (cy - ey)];
      out.push(`${[...near, ...far, ex, ey].map(round).join(' ')} c`);
    } else if (command === 'closePath') out.push('h');
    else out.push(`${to.map(round).join(' ')} ${OPERATORS[command] ?? 'l'}`);
    if (to.length >= 2) [x, y] = [to.at(-2) ?? 0, to.at(-1) ?? 0];
  }
  return out.join('\n');
}

const OPERATORS: Record<string, string> = { moveTo: 'm', lineTo: 'l', bezierCurveTo: 'c' };

/** A character of a font. */
export interface Drawn {
  character: string;
  /** Units. */
  width: number;
  /** The content stream that draws it (ISO 32000-1, 9.6.5). */
  procedure: string;
}

async function drawn(character: string): Promise<Drawn | undefined> {
  const found = await glyphOf(character);
  if (!found) return undefined;
  const scale = EM / found.unitsPerEm;
  const width = Math.round(found.glyph.advanceWidth * scale);
  const path = pathOf(found.glyph.path.commands, scale);
  return { character, width, procedure: `${width} 0 ${BOX} d1\n${path}${path === '' ? '' : '\nf'}` };
}

/** A text in codes: parts of one font each, as hexadecimal strings. */
interface Encoded {
  font: number;
  hex: string;
}

/**
 * The characters of a document, in fonts of the document's own: only what it uses is drawn in it. The outlines are
 * those of the typeface that recordings use, which has Chinese.
 */
export class DocumentFont {
  readonly fonts: readonly (readonly Drawn[])[];
  readonly #codes = new Map<string, { font: number; code: number; width: number }>();

  private constructor(characters: readonly Drawn[]) {
    this.fonts = Array.from({ length: Math.ceil(characters.length / CODES) }, (_, n) =>
      characters.slice(n * CODES, (n + 1) * CODES),
    );
    this.fonts.forEach((drawing, font) =>
      drawing.forEach(({ character, width }, code) => this.#codes.set(character, { font, code, width })),
    );
  }

  /** A font with all characters of these texts. */
  static async of(texts: Iterable<string>): Promise<DocumentFont> {
    const wanted = new Set<string>(MISSING);
    for (const text of texts) for (const character of text.normalize('NFC')) wanted.add(character);
    const found: Drawn[] = [];
    for (const character of [...wanted].toSorted()) {
      const one = await drawn(character);
      if (one) found.push(one);
    }
    return new DocumentFont(found);
  }

  /** Points. */
  widthOf(text: string, size: number): number {
    let width = 0;
    for (const character of text.normalize('NFC')) width += this.#codeOf(character).width;
    return (width * size) / EM;
  }

  encode(text: string): Encoded[] {
    const parts: Encoded[] = [];
    for (const character of text.normalize('NFC')) {
      const { font, code } = this.#codeOf(character);
      const hex = code.toString(16).padStart(2, '0');
      const last = parts.at(-1);
      if (last?.font === font) last.hex += hex;
      else parts.push({ font, hex });
    }
    return parts;
  }

  #codeOf(character: string): { font: number; code: number; width: number } {
    return this.#codes.get(character) ?? this.#codes.get(MISSING) ?? { font: 0, code: 0, width: 0 };
  }
}

export { BOX as GLYPH_BOX, EM as UNITS_PER_EM };
