/** A node of a document as JSON; its names are those of the editor's schema. */
export interface DocumentNode {
  type: NodeType;
  attrs?: Record<string, unknown>;
  content?: DocumentNode[];
  /** Of `text` nodes only. */
  text?: string;
  marks?: DocumentMark[];
}

/** An attribute that is a text; empty if there is none. */
export function attributeOf({ attrs = {} }: DocumentNode, name: string): string {
  const value = attrs[name];
  return typeof value === 'string' ? value : '';
}

export interface DocumentMark {
  type: MarkType;
  attrs?: Record<string, unknown>;
}

/** A comment on a part of the text; the mark `comment` with the same id says on which. */
export interface DocumentComment {
  id: string;
  userId: string;
  name: string;
  /** ISO 8601; empty until the server has put it in. */
  at: string;
  text: string;
  resolved: boolean;
  /** The comment that this one answers; absent if it is about the text. */
  to?: string;
}

/** Names of the shared types in the Yjs document. */
export const CONTENT = 'content';
export const COMMENTS = 'comments';

export const DOCUMENT_LIMITS = {
  /** Bytes of the whole document as a Yjs update. */
  bytes: 8 * 1024 * 1024,
  /** Bytes of one update on the socket. */
  updateBytes: 1024 * 1024,
  /** Levels of lists, tables and quotations in each other. */
  depth: 12,
  /** Characters of a comment. */
  comment: 2_000,
  comments: 1_000,
} as const;

type Check = (value: unknown) => boolean;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const text =
  (most: number): Check =>
  (value) =>
    typeof value === 'string' && value.length <= most;
const whole =
  (least: number, most: number): Check =>
  (value) =>
    Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const isId: Check = (value) => typeof value === 'string' && UUID.test(value);
const isDate: Check = (value) => typeof value === 'string' && (value === '' || DATE.test(value));
const isFlag: Check = (value) => typeof value === 'boolean';
const widths: Check = (value) => Array.isArray(value) && value.length <= 50 && value.every(whole(0, 4_000));

/** Whether an address may be a link in a document: https or mailto, nothing that runs in the page. */
export function isSafeLink(href: unknown): boolean {
  if (typeof href !== 'string' || href.length > 2_000) return false;
  try {
    return ['https:', 'mailto:'].includes(new URL(href).protocol);
  } catch {
    return false; // no address
  }
}

const BLOCKS = [
  'paragraph',
  'heading',
  'bulletList',
  'orderedList',
  'taskList',
  'blockquote',
  'codeBlock',
  'table',
  'picture',
  'horizontalRule',
] as const;
const cell = { colspan: whole(1, 50), rowspan: whole(1, 500), colwidth: orNull(widths), align: orNull(text(10)) };

interface NodeSpec {
  /** Types of its children. */
  children: readonly string[];
  attrs: Record<string, Check>;
}

/** What may be in a document; everything else is taken out, whatever a client sends. */
export const NODES = {
  doc: { children: BLOCKS, attrs: {} },
  paragraph: { children: ['text', 'hardBreak'], attrs: {} },
  heading: { children: ['text', 'hardBreak'], attrs: { level: whole(1, 3) } },
  bulletList: { children: ['listItem'], attrs: {} },
  orderedList: { children: ['listItem'], attrs: { start: whole(0, 1_000_000), type: orNull(text(10)) } },
  listItem: { children: BLOCKS, attrs: {} },
  taskList: { children: ['taskItem'], attrs: {} },
  taskItem: {
    children: BLOCKS,
    attrs: {
      checked: isFlag,
      /** The person who does it: account and name; empty for none. */
      personId: (value) => value === '' || isId(value),
      person: text(100),
      /** YYYY-MM-DD, or empty. */
      due: isDate,
    },
  },
  blockquote: { children: BLOCKS, attrs: {} },
  codeBlock: { children: ['text'], attrs: { language: orNull(text(40)) } },
  table: { children: ['tableRow'], attrs: {} },
  tableRow: { children: ['tableCell', 'tableHeader'], attrs: {} },
  tableCell: { children: BLOCKS, attrs: cell },
  tableHeader: { children: BLOCKS, attrs: cell },
  /** A stored file of the document. */
  picture: { children: [], attrs: { fileId: isId, alt: text(300) } },
  horizontalRule: { children: [], attrs: {} },
  hardBreak: { children: [], attrs: {} },
  text: { children: [], attrs: {} },
} as const satisfies Record<string, NodeSpec>;
export type NodeType = keyof typeof NODES;

const noAttributes = {};
/** Marks with their attributes; the value of a mark without attributes is an empty object. */
export const MARKS = {
  bold: noAttributes,
  italic: noAttributes,
  underline: noAttributes,
  strike: noAttributes,
  code: noAttributes,
  link: {
    href: isSafeLink,
    target: orNull((value) => value === '_blank'),
    rel: orNull((value) => value === 'noopener noreferrer nofollow' || value === 'noopener noreferrer'),
    class: (value) => value === null,
    title: orNull(text(300)),
  },
  comment: { id: isId },
} as const satisfies Record<string, Record<string, Check>>;
export type MarkType = keyof typeof MARKS;

export const specOf = (type: string): NodeSpec | undefined =>
  Object.hasOwn(NODES, type) ? NODES[type as NodeType] : undefined;

/** The mark of a format of the text: formats of marks that may overlap have a hash behind `--`. */
export const markOf = (format: string): string => format.split('--', 1)[0] ?? format;

/** Whether a format of a text is a mark of a document with valid attributes. */
export function isMark(format: string, value: unknown): boolean {
  const name = markOf(format);
  if (!Object.hasOwn(MARKS, name) || typeof value !== 'object' || value === null) return false;
  const checks: Record<string, Check> = MARKS[name as MarkType];
  const given = Object.entries(value);
  const needed = name === 'link' ? 'href' : name === 'comment' ? 'id' : undefined;
  if (needed !== undefined && !Object.hasOwn(value, needed)) return false;
  return given.every(([key, one]) => checks[key]?.(one) ?? false);
}

/** The text of a node and all in it; blocks end with a line break. */
export function textOf(node: DocumentNode): string {
  if (node.type === 'text') return node.text ?? '';
  if (node.type === 'hardBreak') return '\n';
  const inner = (node.content ?? []).map(textOf).join('');
  const isBlock = node.type === 'paragraph' || node.type === 'heading' || node.type === 'codeBlock';
  return isBlock ? `${inner}\n` : inner;
}

/** All nodes of a type in a document, in order. */
export function nodesOf(node: DocumentNode, type: NodeType): DocumentNode[] {
  const inner = (node.content ?? []).flatMap((child) => nodesOf(child, type));
  return node.type === type ? [node, ...inner] : inner;
}
