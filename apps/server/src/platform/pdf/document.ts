import { deflateSync } from 'node:zlib';
import { DocumentFont, GLYPH_BOX, UNITS_PER_EM, type Drawn } from './font.ts';

/** Red, green and blue, 0 to 1. */
export type Colour = readonly [number, number, number];

interface TextOptions {
  /** Points. */
  size?: number;
  colour?: Colour;
  /** Where `x` is in the text. */
  align?: 'left' | 'right';
  /** Points; longer texts end with three dots. */
  width?: number;
}

/** A4, in points. */
export const PAGE = { width: 595, height: 842 } as const;
const BLACK: Colour = [0, 0, 0];
const DOTS = '…';

const round = (value: number): string => String(Math.round(value * 100) / 100);
const fill = (colour: Colour): string => `${colour.map(round).join(' ')} rg`;
/** A text string of the document's information (ISO 32000-1, 7.9.2.2): UTF-16, so that every character is possible. */
const textString = (text: string): string => {
  const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le').swap16();
  return `<${bytes.toString('hex')}>`;
};

/**
 * A PDF document (ISO 32000-1) of texts and rectangles. Places are points from the upper left corner of the page; texts
 * stand on `y`. Its texts can be searched and copied.
 */
export class PdfDocument {
  readonly #font: DocumentFont;
  readonly #title: string;
  readonly #language: string;
  readonly #pages: string[][] = [];

  private constructor(font: DocumentFont, title: string, language: string) {
    this.#font = font;
    this.#title = title;
    this.#language = language;
  }

  /** @param texts all texts that will be drawn, because their outlines are read first */
  static async create(texts: Iterable<string>, { title, language }: { title: string; language: string }) {
    return new PdfDocument(await DocumentFont.of([...texts, DOTS, '0123456789/ ']), title, language);
  }

  get pageCount(): number {
    return this.#pages.length;
  }

  addPage(): void {
    this.#pages.push([]);
  }

  widthOf(text: string, size: number): number {
    return this.#font.widthOf(text, size);
  }

  text(
    x: number,
    y: number,
    text: string,
    { size = 10, colour = BLACK, align = 'left', width }: TextOptions = {},
  ): void {
    const shown = width === undefined ? text : this.#shortened(text, size, width);
    const left = align === 'right' ? x - this.widthOf(shown, size) : x;
    const parts = this.#font.encode(shown).map(({ font, hex }) => `/F${font} ${round(size)} Tf <${hex}> Tj`);
    if (parts.length === 0) return;
    this.#draw(`BT ${fill(colour)} ${round(left)} ${round(PAGE.height - y)} Td ${parts.join(' ')} ET`);
  }

  rectangle(x: number, y: number, width: number, height: number, colour: Colour): void {
    this.#draw(`${fill(colour)} ${[x, PAGE.height - y - height, width, height].map(round).join(' ')} re f`);
  }

  /** Draws on an earlier page, counted from 0. */
  on(page: number, draw: () => void): void {
    const later = this.#pages.splice(page + 1);
    draw();
    this.#pages.push(...later);
  }

  finish(): Buffer {
    return writeFile(this.#objects());
  }

  #draw(operators: string): void {
    this.#pages.at(-1)?.push(operators);
  }

  #shortened(text: string, size: number, width: number): string {
    if (this.widthOf(text, size) <= width) return text;
    const characters = Array.from(text);
    while (characters.length > 0 && this.widthOf(characters.join('') + DOTS, size) > width) characters.pop();
    return characters.join('') + DOTS;
  }

  /** Objects from number 1: catalogue, page tree, information, then fonts and pages. */
  #objects(): (string | Buffer)[] {
    const objects: (string | Buffer)[] = ['', '', ''];
    const add = (object: string | Buffer): number => objects.push(object);
    const fonts = this.#font.fonts.map((characters, n) => `/F${n} ${addFont(characters, add)} 0 R`);
    const pages = this.#pages.map((operators) => {
      const content = add(stream('', operators.join('\n')));
      return add(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${PAGE.width} ${PAGE.height}] /Contents ${content} 0 R ` +
          `/Resources << /Font << ${fonts.join(' ')} >> >> >>`,
      );
    });
    const view = '/ViewerPreferences << /DisplayDocTitle true >>';
    objects[0] = `<< /Type /Catalog /Pages 2 0 R /Lang (${this.#language}) ${view} >>`;
    objects[1] = `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((page) => `${page} 0 R`).join(' ')}] >>`;
    objects[2] = `<< /Title ${textString(this.#title)} /Producer (Rmeet) >>`;
    return objects;
  }
}

/** A font whose characters are drawn by the document (type 3), and its map to Unicode. Returns its number. */
function addFont(characters: readonly Drawn[], add: (object: string | Buffer) => number): number {
  const procedures = characters.map(({ procedure }, code) => `/g${code} ${add(stream('', procedure))} 0 R`);
  const unicode = add(stream('', unicodeMap(characters)));
  const names = characters.map((_, code) => `/g${code}`).join(' ');
  return add(
    `<< /Type /Font /Subtype /Type3 /FontBBox [${GLYPH_BOX}] /FontMatrix [${1 / UNITS_PER_EM} 0 0 ` +
      `${1 / UNITS_PER_EM} 0 0] /CharProcs << ${procedures.join(' ')} >> /Encoding << /Type /Encoding ` +
      `/Differences [0 ${names}] >> /FirstChar 0 /LastChar ${characters.length - 1} ` +
      `/Widths [${characters.map(({ width }) => width).join(' ')}] /ToUnicode ${unicode} 0 R /Resources << >> >>`,
  );
}

/** Entries of one block of a character map. */
const BLOCK = 100;

/** ISO 32000-1, 9.10.3. */
function unicodeMap(characters: readonly Drawn[]): string {
  const entries = characters.map(({ character }, code) => {
    const utf16 = Buffer.from(character, 'utf16le').swap16().toString('hex');
    return `<${code.toString(16).padStart(2, '0')}> <${utf16}>`;
  });
  const blocks: string[] = [];
  for (let i = 0; i < entries.length; i += BLOCK) {
    const block = entries.slice(i, i + BLOCK);
    blocks.push(`${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`);
  }
  return [
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap',
    '/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def',
    '/CMapName /Adobe-Identity-UCS def /CMapType 2 def',
    '1 begincodespacerange\n<00> <ff>\nendcodespacerange',
    ...blocks,
    'endcmap CMapName currentdict /CMap defineresource pop end end',
  ].join('\n');
}

function stream(entries: string, content: string): Buffer {
  const bytes = deflateSync(content);
  return Buffer.concat([
    Buffer.from(`<< ${entries} /Length ${bytes.length} /Filter /FlateDecode >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ]);
}

/** The objects with their table of places (ISO 32000-1, 7.5). */
function writeFile(objects: readonly (string | Buffer)[]): Buffer {
  // The comment tells programs that the file is binary.
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
  let at = parts[0]?.length ?? 0;
  const places: number[] = [];
  const put = (bytes: Buffer): void => {
    parts.push(bytes);
    at += bytes.length;
  };
  objects.forEach((object, n) => {
    places.push(at);
    put(
      Buffer.concat([
        Buffer.from(`${n + 1} 0 obj\n`),
        typeof object === 'string' ? Buffer.from(object) : object,
        Buffer.from('\nendobj\n'),
      ]),
    );
  });
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  put(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R /Info 3 0 R >>\n` +
        `startxref\n${at}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}
