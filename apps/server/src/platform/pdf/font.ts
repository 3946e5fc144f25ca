import { ASCENT, DESCENT, trueTypeOf } from './truetype.ts';
import { outlineOf, type Outline, type Weight } from './typeface.ts';

/** The parts of a PDF object that fonts use; a text is a name, a boxed text is a string. */
export interface PdfObject {
  data: Record<string, unknown>;
  end(content?: Buffer | string): void;
}
type NewObject = (data?: Record<string, unknown>) => PdfObject;

const BFCHARS_AT_ONCE = 100;
const MISSING: Outline = {
  advance: 600,
  commands: [
    { command: 'moveTo', args: [60, 0] },
    { command: 'lineTo', args: [60, 700] },
    { command: 'lineTo', args: [540, 700] },
    { command: 'lineTo', args: [540, 0] },
    { command: 'moveTo', args: [110, 50] },
    { command: 'lineTo', args: [490, 50] },
    { command: 'lineTo', args: [490, 650] },
    { command: 'lineTo', args: [110, 650] },
  ] as Outline['commands'],
};

const hex = (value: number): string => value.toString(16).padStart(4, '0');
const utf16 = (character: string): string =>
  Array.from({ length: character.length }, (_, at) => hex(character.charCodeAt(at))).join('');

/** The CMap that gives a glyph's character, so that texts can be searched and copied (ISO 32000-1, 9.10.3). */
function toUnicode(characters: readonly string[]): string {
  const blocks: string[] = [];
  for (let at = 1; at < characters.length; at += BFCHARS_AT_ONCE) {
    const some = characters.slice(at, at + BFCHARS_AT_ONCE);
    const lines = some.map((character, i) => `<${hex(at + i)}> <${utf16(character)}>`);
    blocks.push(`${some.length} beginbfchar\n${lines.join('\n')}\nendbfchar`);
  }
  return [
    '/CIDInit /ProcSet findresource begin',
    '12 dict begin',
    'begincmap',
    '/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def',
    '/CMapName /Adobe-Identity-UCS def',
    '/CMapType 2 def',
    '1 begincodespacerange',
    '<0000> <ffff>',
    'endcodespacerange',
    ...blocks,
    'endcmap',
    'CMapName currentdict /CMap defineresource pop',
    'end',
    'end',
  ].join('\n');
}

/** The characters of one weight that a file uses; they are embedded as one font. */
export class UsedFont {
  readonly #weight: Weight;
  readonly #outlines: Outline[] = [MISSING];
  readonly #characters: string[] = [''];
  readonly #glyphs = new Map<string, number>();

  constructor(weight: Weight) {
    this.#weight = weight;
  }

  /** Loads the characters of a text; others are drawn as a box. */
  async load(text: string): Promise<void> {
    for (const character of new Set(text)) {
      if (this.#glyphs.has(character) || character < ' ') continue;
      // A box for others, but with their text.
      const outline = (await outlineOf(character, this.#weight)) ?? MISSING;
      this.#glyphs.set(character, this.#outlines.length);
      this.#outlines.push(outline);
      this.#characters.push(character);
    }
  }

  /** The width of a text, in thousandths of its size. */
  widthOf(text: string): number {
    let width = 0;
    for (const character of text) width += this.#outlines[this.#glyphs.get(character) ?? 0]?.advance ?? 0;
    return width;
  }

  /** The glyphs of a text as a string of PDF. */
  encode(text: string): string {
    return `<${Array.from(text, (character) => hex(this.#glyphs.get(character) ?? 0)).join('')}>`;
  }

  /** Writes the font into `font`, an object that pages already refer to. */
  embed(font: PdfObject, object: NewObject): void {
    const name = `RMEET+NotoSans-${this.#weight === 'bold' ? 'Bold' : 'Regular'}`;
    const content = trueTypeOf(this.#outlines);
    const file = object({ Length1: content.length });
    file.end(content);
    const descriptor = object({
      Type: 'FontDescriptor',
      FontName: name,
      Flags: 4,
      FontBBox: [-1_000, DESCENT, 3_000, ASCENT],
      ItalicAngle: 0,
      Ascent: ASCENT,
      Descent: DESCENT,
      CapHeight: 714,
      StemV: this.#weight === 'bold' ? 140 : 80,
      FontFile2: file,
    });
    descriptor.end();
    const descendant = object({
      Type: 'Font',
      Subtype: 'CIDFontType2',
      BaseFont: name,
      // oxlint-disable-next-line no-new-wrappers -- the library writes boxed texts as strings, others as names
      CIDSystemInfo: { Registry: new String('Adobe'), Ordering: new String('Identity'), Supplement: 0 },
      FontDescriptor: descriptor,
      CIDToGIDMap: 'Identity',
      W: [0, this.#outlines.map(({ advance }) => Math.round(advance))],
    });
    descendant.end();
    const unicode = object();
    unicode.end(toUnicode(this.#characters));
    Object.assign(font.data, {
      Type: 'Font',
      Subtype: 'Type0',
      BaseFont: name,
      Encoding: 'Identity-H',
      DescendantFonts: [descendant],
      ToUnicode: unicode,
    });
    font.end();
  }
}
