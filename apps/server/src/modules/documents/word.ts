import {
  AlignmentType,
  BorderStyle,
  CommentRangeEnd,
  CommentRangeStart,
  CommentReference,
  Document,
  ExternalHyperlink,
  HeadingLevel,
  ImageRun,
  LevelFormat,
  Packer,
  Paragraph,
  Table,
  TableCell,
  TableRow,
  TextRun,
  WidthType,
  type ICommentOptions,
  type IParagraphOptions,
  type ParagraphChild,
} from 'docx';
import { attributeOf, type DocumentMark, type DocumentNode } from '@rmeet/documents';
import { placesOf, taskNote, WORDS, type Printed, type Thread } from './content.ts';

const LEVELS = [HeadingLevel.HEADING_1, HeadingLevel.HEADING_2, HeadingLevel.HEADING_3] as const;
/** Pixels of the text's width, and of the tallest picture. */
const PICTURE = { width: 600, height: 800 };
const LIST_LEVELS = 9;
const STEP = 480;
const FONT = { ascii: 'Arial', hAnsi: 'Arial', eastAsia: 'Microsoft YaHei', cs: 'Arial' };

/** Where a block is: its list and what stands before its first paragraph. */
interface Place {
  depth: number;
  /** Options of the first paragraph of a list item; used once. */
  first?: IParagraphOptions | undefined;
  quoted?: boolean;
}

type Block = Paragraph | Table;

const has = (marks: readonly DocumentMark[], type: string): boolean => marks.some((mark) => mark.type === type);

function runOf({ text = '', marks = [] }: DocumentNode): ParagraphChild {
  const link = marks.find(({ type }) => type === 'link')?.attrs?.['href'];
  const run = new TextRun({
    text,
    bold: has(marks, 'bold'),
    italics: has(marks, 'italic'),
    strike: has(marks, 'strike'),
    ...(has(marks, 'underline') && { underline: {} }),
    ...(has(marks, 'code') && { font: 'Courier New' }),
    ...(typeof link === 'string' && { style: 'Hyperlink' }),
  });
  return typeof link === 'string' ? new ExternalHyperlink({ link, children: [run] }) : run;
}

interface WordComments {
  all: readonly ICommentOptions[];
  /** The ids of a comment and its answers. */
  ids: ReadonlyMap<Thread, readonly number[]>;
}

/** Comments as Word has them: answers name the comment they belong to. */
function commentsOf(threads: readonly Thread[]): WordComments {
  const all: ICommentOptions[] = [];
  const ids = new Map<Thread, number[]>();
  for (const thread of threads) {
    const parentId = all.length;
    for (const { name, at, text } of [thread, ...thread.answers]) {
      const id = all.length;
      const children = text.split('\n').map((line) => new Paragraph({ children: [new TextRun(line)] }));
      const { resolved } = thread;
      all.push({ id, author: name, date: new Date(at), children, resolved, ...(id !== parentId && { parentId }) });
      ids.set(thread, [...(ids.get(thread) ?? []), id]);
    }
  }
  return { all, ids };
}

/** Writes a content as the blocks of a Word file. */
class WordWriter {
  readonly #printed: Printed;
  /** Where numbered lists start, in order. */
  readonly starts: number[] = [];
  readonly #places: ReturnType<typeof placesOf>;
  readonly #comments: WordComments;

  constructor(printed: Printed) {
    this.#printed = printed;
    this.#places = placesOf(printed);
    this.#comments = commentsOf(printed.comments);
  }

  get comments(): readonly ICommentOptions[] {
    return this.#comments.all;
  }

  /** The title; comments whose text was deleted are shown at it. */
  title(): Paragraph {
    const { comments, title } = this.#printed;
    const placed = new Set([...this.#places.first.values()].flat());
    const others = comments.filter((thread) => !placed.has(thread));
    return new Paragraph({
      heading: HeadingLevel.TITLE,
      children: [...this.#starts(others), new TextRun(title), ...this.#ends(others)],
    });
  }

  #starts(threads: readonly Thread[] = []): ParagraphChild[] {
    return this.#idsOf(threads).map((id) => new CommentRangeStart(id));
  }

  #ends(threads: readonly Thread[] = []): ParagraphChild[] {
    return this.#idsOf(threads).flatMap((id) => [
      new CommentRangeEnd(id),
      new TextRun({ children: [new CommentReference(id)] }),
    ]);
  }

  #idsOf(threads: readonly Thread[]): number[] {
    return threads.flatMap((thread) => this.#comments.ids.get(thread) ?? []);
  }

  #run(node: DocumentNode): ParagraphChild[] {
    if (node.type === 'hardBreak') return [new TextRun({ break: 1 })];
    const { first, last } = this.#places;
    return [...this.#starts(first.get(node)), runOf(node), ...this.#ends(last.get(node))];
  }

  blocks(nodes: readonly DocumentNode[] = [], place: Place = { depth: 0 }): Block[] {
    return nodes.flatMap((node) => this.#block(node, place));
  }

  #block(node: DocumentNode, place: Place): Block[] {
    switch (node.type) {
      case 'heading':
        return [this.#paragraph(node, place, { heading: LEVELS[Number(node.attrs?.['level'] ?? 1) - 1] ?? LEVELS[0] })];
      case 'codeBlock':
        return this.#code(node, place);
      case 'bulletList':
      case 'orderedList':
      case 'taskList':
        return this.#list(node, place);
      case 'blockquote':
        return this.blocks(node.content, { ...place, quoted: true });
      case 'table':
        return this.#table(node);
      case 'picture':
        return [this.#picture(node)];
      case 'horizontalRule':
        return [
          new Paragraph({ border: { bottom: { style: BorderStyle.SINGLE, size: 6, space: 1, color: '999999' } } }),
        ];
      default:
        return [this.#paragraph(node, place)];
    }
  }

  #options(place: Place): IParagraphOptions {
    const { first } = place;
    place.first = undefined;
    const left = place.depth * STEP + (place.quoted ? STEP : 0);
    return first ?? (left > 0 ? { indent: { left } } : {});
  }

  #paragraph({ content = [] }: DocumentNode, place: Place, options: IParagraphOptions = {}): Paragraph {
    const children = content.flatMap((node) => this.#run(node));
    const { children: before = [], ...around } = this.#options(place);
    return new Paragraph({ spacing: { after: 120 }, ...around, ...options, children: [...before, ...children] });
  }

  #code({ content = [] }: DocumentNode, place: Place): Block[] {
    const lines = content
      .map(({ text = '' }) => text)
      .join('')
      .split('\n');
    return lines.map(
      (text) =>
        new Paragraph({
          ...this.#options(place),
          shading: { fill: 'F2F2F2' },
          children: [new TextRun({ text, font: 'Courier New', size: 19 })],
        }),
    );
  }

  #list({ type, attrs, content = [] }: DocumentNode, { depth }: Place): Block[] {
    const level = Math.min(depth, LIST_LEVELS - 1);
    const instance = this.starts.length;
    if (type === 'orderedList') this.starts.push(Number(attrs?.['start'] ?? 1));
    return content.flatMap((item) => {
      const first: IParagraphOptions =
        type === 'bulletList'
          ? { bullet: { level } }
          : type === 'orderedList'
            ? { numbering: { reference: `list${instance}`, level } }
            : {
                indent: { left: (depth + 1) * STEP, hanging: STEP / 2 },
                children: [new TextRun(item.attrs?.['checked'] === true ? '☑ ' : '☐ ')],
              };
      const note = type === 'taskList' ? taskNote(item, this.#printed.locale) : '';
      return this.blocks(withNote(item.content, note), { depth: depth + 1, first });
    });
  }

  #picture(node: DocumentNode): Paragraph {
    const picture = this.#printed.pictures.get(attributeOf(node, 'fileId'));
    const alt = attributeOf(node, 'alt');
    if (!picture) return new Paragraph({ children: [new TextRun(alt || WORDS[this.#printed.locale].missing)] });
    const scale = Math.min(1, PICTURE.width / picture.width, PICTURE.height / picture.height);
    return new Paragraph({
      children: [
        new ImageRun({
          type: picture.type === 'image/png' ? 'png' : 'jpg',
          data: picture.content,
          transformation: { width: Math.round(picture.width * scale), height: Math.round(picture.height * scale) },
          altText: { name: alt || 'picture', description: alt, title: alt },
        }),
      ],
    });
  }

  #table({ content = [] }: DocumentNode): Block[] {
    const rows = content.map(
      (row) =>
        new TableRow({
          children: (row.content ?? []).map((cell) => {
            const blocks = this.blocks(cell.content);
            return new TableCell({
              columnSpan: Number(cell.attrs?.['colspan'] ?? 1),
              rowSpan: Number(cell.attrs?.['rowspan'] ?? 1),
              ...(cell.type === 'tableHeader' && { shading: { fill: 'EEF1F5' } }),
              margins: { left: 100, right: 100, top: 60, bottom: 60 },
              children: blocks.at(-1) instanceof Paragraph ? blocks : [...blocks, new Paragraph({})],
            });
          }),
        }),
    );
    if (rows.length === 0) return [];
    return [
      new Table({ rows, width: { size: 100, type: WidthType.PERCENTAGE } }),
      new Paragraph({ spacing: { after: 60 } }),
    ];
  }
}

/** A list item's blocks, with a note behind its first paragraph. */
export function withNote(content: readonly DocumentNode[] = [], note: string): DocumentNode[] {
  if (note === '') return [...content];
  const at = content.findIndex(({ type }) => type === 'paragraph');
  const added: DocumentNode = { type: 'text', text: note, marks: [{ type: 'italic' }] };
  if (at === -1) return [{ type: 'paragraph', content: [added] }, ...content];
  return content.map((node, place) => (place === at ? { ...node, content: [...(node.content ?? []), added] } : node));
}

/** A document as a Word file (Office Open XML). */
export function wordOf(printed: Printed): Promise<Buffer> {
  const writer = new WordWriter(printed);
  const children = writer.blocks(printed.content.content);
  const subtitle = printed.meeting === '' ? [] : [`${WORDS[printed.locale].meeting}${printed.meeting}`];
  return Packer.toBuffer(
    new Document({
      title: printed.title,
      creator: printed.author,
      ...(writer.comments.length > 0 && { comments: { children: writer.comments } }),
      styles: {
        default: { document: { run: { font: FONT, size: 22 } } },
      },
      numbering: {
        config: writer.starts.map((start, at) => ({
          reference: `list${at}`,
          levels: Array.from({ length: LIST_LEVELS }, (_, level) => ({
            level,
            format: LevelFormat.DECIMAL,
            text: `%${level + 1}.`,
            start,
            alignment: AlignmentType.START,
            style: { paragraph: { indent: { left: (level + 1) * STEP, hanging: STEP / 2 } } },
          })),
        })),
      },
      sections: [
        {
          children: [
            writer.title(),
            ...subtitle.map((text) => new Paragraph({ children: [new TextRun({ text, color: '666666' })] })),
            ...children,
          ],
        },
      ],
    }),
  );
}
