import { buffer } from 'node:stream/consumers';
// oxlint-disable-next-line import/no-named-as-default -- its types know the default export only
import PDFDocument from 'pdfkit';
import { UsedFont, type PdfObject } from './font.ts';
import type { Weight } from './typeface.ts';

export interface TextStyle {
  /** Points. */
  size: number;
  bold?: boolean;
  italic?: boolean;
  /** `#rrggbb`; black. */
  color?: string;
}

export interface PdfOptions {
  title: string;
  /** A language tag (RFC 5646); Chinese. */
  language?: string;
  author: string;
  /** When it was made. */
  at: Date;
}

/** Slant of italic texts: the typeface has none of its own. */
const SLANT = 0.2;
const NO_TEXT = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
/** Where a line may end: after spaces and hyphens, and around each character of Chinese or Japanese. */
const BREAKS = /\s+|[^\s\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u3000-\u303f\uff00-\uffef]+|[^\s]/gu;

/** The parts of a text between which a line may end. */
export const partsOf = (text: string): string[] => text.match(BREAKS) ?? [];

const drawn = (text: string): string => text.normalize('NFC').replaceAll(NO_TEXT, '');

/** `0.5 0.5 0.5` from `#808080`. */
function rgb(color: string): string {
  return [1, 3, 5].map((at) => (Number.parseInt(color.slice(at, at + 2), 16) / 255).toFixed(3)).join(' ');
}

/**
 * A PDF file of A4 pages in points, from the upper left corner, with Chinese and Latin characters in one typeface, of
 * which it contains what it uses. Texts must be loaded (`load`) before they are measured or drawn.
 */
export class Pdf {
  readonly width = 595.28;
  readonly height = 841.89;
  readonly #doc: PDFKit.PDFDocument;
  readonly #content: Promise<Buffer>;
  readonly #fonts: Record<Weight, { used: UsedFont; object: PdfObject; name: string }>;
  #pages = 0;

  constructor({ title, author, at, language = 'zh-CN' }: PdfOptions) {
    this.#doc = new PDFDocument({
      size: 'A4',
      margin: 0,
      autoFirstPage: false,
      bufferPages: true,
      // Its standard fonts have no Chinese characters.
      font: null as unknown as string,
      info: { Title: title, Author: author, CreationDate: at, ModDate: at, Creator: 'Rmeet', Producer: 'Rmeet' },
      lang: language,
      displayTitle: true,
    });
    this.#content = buffer(this.#doc);
    const font = (weight: Weight, name: string) => ({ used: new UsedFont(weight), object: this.#object(), name });
    this.#fonts = { normal: font('normal', 'F1'), bold: font('bold', 'F2') };
  }

  get pageCount(): number {
    return this.#pages;
  }

  /** Adds a page, on which everything is drawn from then on. */
  addPage(): void {
    this.#doc.addPage();
    this.#pages += 1;
    const page = this.#doc.page as unknown as { fonts: Record<string, unknown> };
    for (const { name, object } of Object.values(this.#fonts)) page.fonts[name] = object;
  }

  /** Draws on an earlier page again, the first is 0. */
  toPage(page: number): void {
    this.#doc.switchToPage(page);
  }

  /** Loads the characters of a text in both weights. */
  async load(text: string): Promise<void> {
    await this.#fonts.normal.used.load(drawn(text));
    await this.#fonts.bold.used.load(drawn(text));
  }

  widthOf(text: string, { size, bold = false }: TextStyle): number {
    return (this.#fonts[bold ? 'bold' : 'normal'].used.widthOf(drawn(text)) * size) / 1_000;
  }

  /** The text, or as much of its beginning as fits with three dots. */
  fit(text: string, width: number, style: TextStyle): string {
    if (this.widthOf(text, style) <= width) return text;
    const characters = Array.from(text);
    while (characters.length > 0 && this.widthOf(`${characters.join('')}...`, style) > width) characters.pop();
    return `${characters.join('').trimEnd()}...`;
  }

  /** The lines of a text within a width; words that are wider are broken. */
  wrap(text: string, width: number, style: TextStyle): string[] {
    return text.split('\n').flatMap((paragraph) => {
      const lines: string[] = [];
      let line = '';
      const add = (part: string): void => {
        if (this.widthOf(line + part.trimEnd(), style) <= width) line += part;
        else if (part.length > 1 && line === '') {
          for (const character of part) add(character);
        } else if (line === '') lines.push(part);
        else {
          lines.push(line.trimEnd());
          line = '';
          add(part.trimStart());
        }
      };
      partsOf(paragraph).forEach(add);
      lines.push(line.trimEnd());
      return lines;
    });
  }

  /** One line of text; `y` is its base line. */
  text(x: number, y: number, text: string, { size, bold = false, italic = false, color = '#000000' }: TextStyle): void {
    const { used, name } = this.#fonts[bold ? 'bold' : 'normal'];
    this.#doc.save();
    this.#doc.transform(1, 0, 0, -1, 0, this.height);
    const place = `1 0 ${italic ? SLANT : 0} 1 ${x.toFixed(2)} ${(this.height - y).toFixed(2)} Tm`;
    this.#doc.addContent(`BT ${rgb(color)} rg /${name} ${size} Tf ${place} ${used.encode(drawn(text))} Tj ET`);
    this.#doc.restore();
  }

  line(x1: number, y1: number, x2: number, y2: number, { color = '#000000', width = 0.5 } = {}): void {
    this.#doc.save().moveTo(x1, y1).lineTo(x2, y2).lineWidth(width).stroke(color).restore();
  }

  box(x: number, y: number, width: number, height: number, { fill, stroke }: { fill?: string; stroke?: string }): void {
    this.#doc.save().lineWidth(0.5);
    if (fill !== undefined) this.#doc.rect(x, y, width, height).fill(fill);
    if (stroke !== undefined) this.#doc.rect(x, y, width, height).stroke(stroke);
    this.#doc.restore();
  }

  /** A PNG or JPEG file. @throws Error if it is broken */
  picture(content: Buffer, x: number, y: number, width: number, height: number): void {
    this.#doc.image(content, x, y, { width, height });
  }

  /** An area that opens an address. */
  link(x: number, y: number, width: number, height: number, url: string): void {
    this.#doc.link(x, y, width, height, url);
  }

  /** The finished file. */
  async finish(): Promise<Buffer> {
    if (this.#pages === 0) this.addPage();
    for (const { used, object } of Object.values(this.#fonts)) used.embed(object, (data) => this.#object(data));
    this.#doc.end();
    return this.#content;
  }

  #object(data: Record<string, unknown> = {}): PdfObject {
    return this.#doc.ref(data);
  }
}
