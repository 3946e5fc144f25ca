import type { DocumentMark, DocumentNode } from '@rmeet/documents';
import { attributeOf, textOf } from '@rmeet/documents';
import { partsOf, Pdf, type TextStyle } from '../../platform/pdf/index.ts';
import { placesOf, taskNote, WORDS, type Printed, type Thread } from './content.ts';
import { withNote } from './word.ts';

/** Points. */
const MARGIN = 60;
const BODY = 11;
const HEADINGS = [18, 15, 13] as const;
const LEADING = 1.6;
const INDENT = 18;
const PADDING = 5;
const COLORS = { link: '#0b57d0', note: '#666666', rule: '#999999', cell: '#b9c0c9', head: '#eef1f5', code: '#f2f2f2' };

/** Something of a height that is drawn at a place; it does not go over the end of a page. */
interface Line {
  height: number;
  draw: (x: number, y: number) => void;
}

/** A part of a text in one style. */
interface Run {
  text: string;
  style: TextStyle;
  url?: string | undefined;
  isStruck?: boolean;
  isUnderlined?: boolean;
}

const has = (marks: readonly DocumentMark[], type: string): boolean => marks.some((mark) => mark.type === type);

interface RunOptions {
  size: number;
  bold: boolean;
  /** Comments that end at a text. */
  ends: (node: DocumentNode) => readonly Thread[];
}

/** The numbers of comments that end at a text. */
function referenceOf(threads: readonly Thread[], size: number): Run[] {
  if (threads.length === 0) return [];
  const text = threads.map(({ number }) => `[${number}]`).join('');
  return [{ text, style: { size: size * 0.75, color: COLORS.note } }];
}

const runsOf = (nodes: readonly DocumentNode[], options: RunOptions): Run[] =>
  nodes.flatMap((node) => [runOf(node, options), ...referenceOf(options.ends(node), options.size)]);

function runOf({ type, text = '', marks = [] }: DocumentNode, { size, bold }: RunOptions): Run {
  if (type === 'hardBreak') return { text: '\n', style: { size } };
  const href = marks.find((mark) => mark.type === 'link')?.attrs?.['href'];
  const url = typeof href === 'string' ? href : undefined;
  return {
    text,
    url,
    isStruck: has(marks, 'strike'),
    isUnderlined: has(marks, 'underline') || url !== undefined,
    style: {
      size,
      bold: bold || has(marks, 'bold'),
      italic: has(marks, 'italic'),
      ...(url !== undefined && { color: COLORS.link }),
    },
  };
}

/** Lays a content out in lines, and these on pages. */
class Printer {
  readonly #pdf: Pdf;
  readonly #printed: Printed;
  readonly #ends: (node: DocumentNode) => readonly Thread[];

  constructor(pdf: Pdf, printed: Printed) {
    this.#pdf = pdf;
    this.#printed = printed;
    const { last } = placesOf(printed);
    this.#ends = (node) => last.get(node) ?? [];
  }

  lines(nodes: readonly DocumentNode[] = [], width: number): Line[] {
    return nodes.flatMap((node) => this.#block(node, width));
  }

  #block(node: DocumentNode, width: number): Line[] {
    const { type, content = [], attrs = {} } = node;
    switch (type) {
      case 'heading': {
        const size = HEADINGS[Number(attrs['level'] ?? 1) - 1] ?? HEADINGS[0];
        return [space(6), ...this.#text(this.#runs(content, size, true), width, size), space(4)];
      }
      case 'bulletList':
      case 'orderedList':
      case 'taskList':
        return this.#list(node, width);
      case 'blockquote':
        return this.lines(content, width - INDENT).map((line) => this.#quoted(line));
      case 'codeBlock':
        return this.#code(textOf(node).replace(/\n$/, ''), width);
      case 'table':
        return [...this.#table(node, width), space(8)];
      case 'picture':
        return this.#picture(node, width);
      case 'horizontalRule':
        return [{ height: 12, draw: (x, y) => this.#pdf.line(x, y + 6, x + width, y + 6, { color: COLORS.rule }) }];
      default:
        return [...this.#text(this.#runs(content, BODY, false), width, BODY), space(4)];
    }
  }

  #runs(content: readonly DocumentNode[], size: number, bold: boolean): Run[] {
    return runsOf(content, { size, bold, ends: this.#ends });
  }

  /** Breaks runs into lines. */
  #text(runs: readonly Run[], width: number, size: number): Line[] {
    const lines: Run[][] = [[]];
    let used = 0;
    const next = (): void => {
      lines.push([]);
      used = 0;
    };
    const put = (run: Run, part: string): void => {
      const wide = this.#pdf.widthOf(part, run.style);
      if (used + this.#pdf.widthOf(part.trimEnd(), run.style) > width) {
        if (used > 0) next();
        else if (part.length > 1) {
          for (const character of part) put(run, character);
          return;
        }
        if (part.trim() === '') return;
      }
      lines.at(-1)?.push({ ...run, text: part });
      used += used === 0 && wide > width ? width : wide;
    };
    for (const run of runs)
      run.text.split('\n').forEach((text, at) => {
        if (at > 0) next();
        for (const part of partsOf(text)) put(run, part);
      });
    return lines.map((parts) => this.#line(merged(parts), size));
  }

  #line(runs: readonly Run[], size: number): Line {
    const height = size * LEADING;
    return {
      height,
      draw: (x, y) => {
        let at = x;
        const base = y + height * 0.72;
        for (const { text, style, url, isStruck, isUnderlined } of runs) {
          const wide = this.#pdf.widthOf(text, style);
          const color = style.color ?? '#000000';
          this.#pdf.text(at, base, text, style);
          if (isUnderlined) this.#pdf.line(at, base + 1.5, at + wide, base + 1.5, { color });
          if (isStruck) this.#pdf.line(at, base - size * 0.3, at + wide, base - size * 0.3, { color });
          if (url !== undefined) this.#pdf.link(at, y, wide, height, url);
          at += wide;
        }
      },
    };
  }

  #quoted(line: Line): Line {
    return {
      height: line.height,
      draw: (x, y) => {
        this.#pdf.line(x + 3, y, x + 3, y + line.height, { color: COLORS.rule, width: 2 });
        line.draw(x + INDENT, y);
      },
    };
  }

  #code(text: string, width: number): Line[] {
    const style = { size: 9.5 };
    return [
      ...this.#pdf.wrap(text, width - 2 * PADDING, style).map((line): Line => {
        const height = style.size * LEADING;
        return {
          height,
          draw: (x, y) => {
            this.#pdf.box(x, y, width, height, { fill: COLORS.code });
            this.#pdf.text(x + PADDING, y + height * 0.7, line, style);
          },
        };
      }),
      space(6),
    ];
  }

  #list({ type, attrs = {}, content = [] }: DocumentNode, width: number): Line[] {
    const start = Number(attrs['start'] ?? 1);
    return content.flatMap((item, place) => {
      const note = type === 'taskList' ? taskNote(item, this.#printed.locale) : '';
      const lines = this.lines(withNote(item.content, note), width - INDENT);
      return lines.map((line, at): Line => ({
        height: line.height,
        draw: (x, y) => {
          if (at === 0) this.#bullet(type, { x, y, number: start + place, isDone: item.attrs?.['checked'] === true });
          line.draw(x + INDENT, y);
        },
      }));
    });
  }

  #bullet(
    type: DocumentNode['type'],
    { x, y, number, isDone }: { x: number; y: number; number: number; isDone: boolean },
  ): void {
    const base = y + BODY * LEADING * 0.72;
    if (type === 'orderedList') this.#pdf.text(x, base, `${number}.`, { size: BODY });
    else if (type === 'bulletList') this.#pdf.text(x + 4, base, '•', { size: BODY });
    else {
      this.#pdf.box(x + 1, base - 8, 9, 9, { stroke: '#333333' });
      if (!isDone) return;
      this.#pdf.line(x + 3, base - 4, x + 5, base - 1.5, { width: 1.2 });
      this.#pdf.line(x + 5, base - 1.5, x + 9, base - 7, { width: 1.2 });
    }
  }

  #picture(node: DocumentNode, width: number): Line[] {
    const picture = this.#printed.pictures.get(attributeOf(node, 'fileId'));
    const alt = attributeOf(node, 'alt');
    const missing = alt || WORDS[this.#printed.locale].missing;
    if (!picture) return this.#text([{ text: missing, style: { size: BODY, color: COLORS.note } }], width, BODY);
    // Pixels of 96 per inch.
    const scale = Math.min(0.75, width / picture.width, (this.#pdf.height - 3 * MARGIN) / picture.height);
    const [wide, high] = [picture.width * scale, picture.height * scale];
    return [
      {
        height: high + 8,
        draw: (x, y) => this.#pdf.picture(picture.content, x, y + 2, wide, high),
      },
    ];
  }

  #table({ content = [] }: DocumentNode, width: number): Line[] {
    const spanOf = (cell: DocumentNode, name: string): number => Number(cell.attrs?.[name] ?? 1);
    const columns = Math.max(
      1,
      ...content.map((row) => (row.content ?? []).reduce((sum, cell) => sum + spanOf(cell, 'colspan'), 0)),
    );
    const column = width / columns;
    // Rows below that a cell still covers, by column.
    const covered = Array.from({ length: columns }, () => 0);
    return content.flatMap((row) => {
      const cells: { at: number; span: number; isHead: boolean; lines: Line[] }[] = [];
      let at = 0;
      for (const cell of row.content ?? []) {
        while ((covered[at] ?? 0) > 0) at += 1;
        const span = Math.min(spanOf(cell, 'colspan'), columns - at);
        if (span <= 0) break;
        const lines = this.lines(cell.content, span * column - 2 * PADDING);
        cells.push({ at, span, isHead: cell.type === 'tableHeader', lines });
        for (let i = at; i < at + span; i++) covered[i] = spanOf(cell, 'rowspan');
        at += span;
      }
      for (let i = 0; i < columns; i++) covered[i] = Math.max(0, (covered[i] ?? 0) - 1);
      return this.#row(cells, column);
    });
  }

  /** A row of a table; one that is higher than a page comes in several parts. */
  #row(cells: { at: number; span: number; isHead: boolean; lines: Line[] }[], column: number): Line[] {
    const most = this.#pdf.height - 3 * MARGIN;
    const parts = cells.map(({ lines }) => chunks(lines, most));
    const count = Math.max(1, ...parts.map(({ length }) => length));
    return Array.from({ length: count }, (_, part): Line => {
      const heights = parts.map((all) => (all[part] ?? []).reduce((sum, line) => sum + line.height, 0));
      const height = Math.max(BODY * LEADING, ...heights) + 2 * PADDING;
      return {
        height,
        draw: (x, y) =>
          cells.forEach(({ at, span, isHead }, place) => {
            const [left, wide] = [x + at * column, span * column];
            this.#pdf.box(left, y, wide, height, { stroke: COLORS.cell, ...(isHead && { fill: COLORS.head }) });
            let top = y + PADDING;
            for (const line of parts[place]?.[part] ?? []) {
              line.draw(left + PADDING, top);
              top += line.height;
            }
          }),
      };
    });
  }

  /** Draws lines on pages, and the numbers of the pages. */
  print(lines: readonly Line[]): void {
    const bottom = this.#pdf.height - MARGIN;
    let y = Infinity;
    for (const line of lines) {
      if (y + line.height > bottom) {
        this.#pdf.addPage();
        y = MARGIN;
      }
      line.draw(MARGIN, y);
      y += line.height;
    }
    const style = { size: 9, color: COLORS.note };
    for (let page = 0; page < this.#pdf.pageCount; page++) {
      const text = `${page + 1} / ${this.#pdf.pageCount}`;
      this.#pdf.toPage(page);
      this.#pdf.text((this.#pdf.width - this.#pdf.widthOf(text, style)) / 2, this.#pdf.height - 30, text, style);
    }
  }

  /** The comments, behind the text. */
  comments(width: number): Line[] {
    const { comments, locale } = this.#printed;
    if (comments.length === 0) return [];
    const of = (text: string, wide: number, style: Partial<TextStyle> = {}): Line[] =>
      this.#text([{ text, style: { size: BODY, ...style } }], wide, BODY);
    const rule: Line = {
      height: 24,
      draw: (x, y) => this.#pdf.line(x, y + 12, x + width, y + 12, { color: COLORS.rule }),
    };
    return [
      rule,
      ...this.#text([{ text: WORDS[locale].comments, style: { size: HEADINGS[2], bold: true } }], width, HEADINGS[2]),
      space(4),
      ...comments.flatMap((thread) =>
        [
          of(headOf(thread, locale), width, { color: COLORS.note }),
          of(saidIn(thread), width),
          thread.answers.flatMap((answer) => of(saidIn(answer), width - INDENT).map(indented)),
          [space(6)],
        ].flat(),
      ),
    ];
  }

  /** Title and meeting. */
  head(width: number): Line[] {
    const { title, meeting, locale } = this.#printed;
    const subtitle = meeting === '' ? '' : `${WORDS[locale].meeting}${meeting}`;
    return [
      ...this.#text([{ text: title, style: { size: 22, bold: true } }], width, 22),
      ...(subtitle === ''
        ? []
        : this.#text([{ text: subtitle, style: { size: BODY, color: COLORS.note } }], width, BODY)),
      space(10),
    ];
  }
}

/** What a file says of a comment, and of each answer. */
const saidIn = ({ name, text }: { name: string; text: string }): string => `${name}: ${text}`;

const QUOTED = 80;
/** The number of a comment, the text it is about, and whether it is resolved. */
function headOf({ number, on, resolved }: Thread, locale: Printed['locale']): string {
  const characters = Array.from(on);
  const part = characters.length > QUOTED ? `${characters.slice(0, QUOTED).join('')}…` : on;
  const quote = locale === 'zh' ? `「${part}」` : `“${part}”`;
  return [`[${number}]`, on === '' ? '' : ` ${quote}`, resolved ? WORDS[locale].resolved : ''].join('');
}

const space = (height: number): Line => ({ height, draw: () => undefined });

const indented = ({ height, draw }: Line): Line => ({ height, draw: (x, y) => draw(x + INDENT, y) });

/** Neighbouring runs of one style as one, so that texts can be searched. */
function merged(runs: readonly Run[]): Run[] {
  const all: Run[] = [];
  for (const run of runs) {
    const last = all.at(-1);
    if (last && last.style === run.style && last.url === run.url) last.text += run.text;
    else all.push({ ...run });
  }
  return all;
}

/** Lines in parts of at most this height. */
function chunks(lines: readonly Line[], most: number): Line[][] {
  const parts: Line[][] = [[]];
  let height = 0;
  for (const line of lines) {
    if (height > 0 && height + line.height > most) {
      parts.push([]);
      height = 0;
    }
    parts.at(-1)?.push(line);
    height += line.height;
  }
  return parts;
}

/** A document as a PDF file. */
export async function pdfOf(printed: Printed): Promise<Buffer> {
  const { title, author, at, content, meeting, locale } = printed;
  const pdf = new Pdf({ title, author, at });
  const words = Object.values(WORDS[locale]).join('');
  const notes = notesOf(content, printed).join('');
  const said = printed.comments.flatMap((thread) => [thread, ...thread.answers].map(saidIn)).join('');
  const signs = '0123456789./•[]…「」“”';
  await pdf.load(`${title}${meeting}${words}${textOf(content)}${altsOf(content).join('')}${notes}${said}${signs}`);
  const width = pdf.width - 2 * MARGIN;
  const printer = new Printer(pdf, printed);
  printer.print([...printer.head(width), ...printer.lines(content.content, width), ...printer.comments(width)]);
  return pdf.finish();
}

const notesOf = (node: DocumentNode, printed: Printed): string[] => [
  ...(node.type === 'taskItem' ? [taskNote(node, printed.locale)] : []),
  ...(node.content ?? []).flatMap((child) => notesOf(child, printed)),
];
const altsOf = (node: DocumentNode): string[] => [
  ...(node.type === 'picture' ? [attributeOf(node, 'alt')] : []),
  ...(node.content ?? []).flatMap(altsOf),
];
