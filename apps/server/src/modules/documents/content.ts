import { buffer } from 'node:stream/consumers';
import type { Locale } from '@rmeet/contract';
import { nodesOf, readComments, readDocument, type DocumentComment, type DocumentNode } from '@rmeet/documents';
import type { TenantTx } from '../../platform/db/index.ts';
import { FileMissing, type Storage } from '../../platform/storage/index.ts';
import { meeting } from '../meetings/tables.ts';
import { eq } from 'drizzle-orm';
import { picturesOf } from './pictures.ts';
import { loadDocument } from './store.ts';
import type { DocumentTableRow } from './tables.ts';

/** A picture as files contain it. */
export interface Picture {
  content: Buffer;
  type: 'image/png' | 'image/jpeg';
  width: number;
  height: number;
}

/** What a file of a document contains. */
export interface Printed {
  title: string;
  author: string;
  at: Date;
  locale: Locale;
  /** Subject of its meeting; empty without one. */
  meeting: string;
  content: DocumentNode;
  /** By their file ids. */
  pictures: ReadonlyMap<string, Picture>;
  /** Comments on the text, each with its answers; empty if the file has none. */
  comments: readonly Thread[];
}

/** A comment in a file. */
export interface Thread extends DocumentComment {
  /** Counts from 1 in the order of the text. */
  number: number;
  /** The part of the text it is about; empty if that was deleted. */
  on: string;
  answers: readonly DocumentComment[];
}

/** Ids of the comments on a text. */
const commentsOn = ({ marks = [] }: DocumentNode): string[] =>
  marks.flatMap(({ type, attrs }) => (type === 'comment' && typeof attrs?.['id'] === 'string' ? [attrs['id']] : []));

/** Comments by the texts at which they begin or end. */
type AtTexts = ReadonlyMap<DocumentNode, readonly Thread[]>;

/** Where the comments of a file begin and end. */
export function placesOf({ content, comments }: Printed): { first: AtTexts; last: AtTexts } {
  const texts = nodesOf(content, 'text');
  const about = (thread: Thread) => (node: DocumentNode) => commentsOn(node).includes(thread.id);
  const at = (find: (thread: Thread) => DocumentNode | undefined): AtTexts => {
    const places = new Map<DocumentNode, Thread[]>();
    for (const thread of comments) {
      const node = find(thread);
      if (node) places.set(node, [...(places.get(node) ?? []), thread]);
    }
    return places;
  };
  return {
    first: at((thread) => texts.find(about(thread))),
    last: at((thread) => texts.findLast(about(thread))),
  };
}

/** Comments in the order of the text; those whose text was deleted come last. */
function threadsOf(content: DocumentNode, all: readonly DocumentComment[]): Thread[] {
  const parts = new Map<string, string>();
  for (const node of nodesOf(content, 'text'))
    for (const id of commentsOn(node)) parts.set(id, `${parts.get(id) ?? ''}${node.text ?? ''}`);
  const places = [...parts.keys()];
  const placeOf = ({ id }: DocumentComment): number => (parts.has(id) ? places.indexOf(id) : places.length);
  return all
    .filter(({ to }) => to === undefined)
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .map((comment, at) =>
      Object.assign({}, comment, {
        number: at + 1,
        on: parts.get(comment.id) ?? '',
        answers: all.filter(({ to }) => to === comment.id),
      }),
    );
}

/** Texts in files. */
export const WORDS = {
  zh: { meeting: '会议：', due: '截止', missing: '[图片]', comments: '批注', resolved: '（已解决）' },
  en: { meeting: 'Meeting: ', due: 'due', missing: '[picture]', comments: 'Comments', resolved: ' (resolved)' },
} as const;

/** Person and date of a task: ` (Bob, due 2026-11-20)`; empty without both. */
export function taskNote({ attrs = {} }: DocumentNode, locale: Locale): string {
  const [person, due] = [attrs['person'], attrs['due']].map((value) => (typeof value === 'string' ? value : ''));
  const parts = [person, due && `${WORDS[locale].due} ${due}`].filter(Boolean);
  if (parts.length === 0) return '';
  return locale === 'zh' ? `（${parts.join('，')}）` : ` (${parts.join(', ')})`;
}

/** Reads a document with its pictures, for a file; mails have no comments. */
export async function readPrinted(
  tx: TenantTx,
  storage: Storage,
  row: DocumentTableRow,
  { locale, hasComments }: { locale: Locale; hasComments: boolean },
): Promise<Printed> {
  const { doc } = await loadDocument(tx, row.id);
  const content = readDocument(doc);
  const pictures = new Map<string, Picture>();
  for (const [id, file] of await picturesOf(tx, row.id, content)) {
    const { pictureType: type, pictureWidth: width, pictureHeight: height } = file;
    if ((type !== 'image/png' && type !== 'image/jpeg') || !width || !height) continue;
    try {
      pictures.set(id, { content: await buffer(await storage.get(file.storageKey)), type, width, height });
    } catch (error) {
      // The file says that a picture is missing.
      if (!(error instanceof FileMissing)) throw error;
    }
  }
  const of = row.meetingId === null ? undefined : await tx.findOne(meeting, eq(meeting.id, row.meetingId));
  return {
    title: row.title,
    author: row.updatedBy,
    at: row.updatedAt,
    locale,
    meeting: of?.subject ?? '',
    content,
    pictures,
    comments: hasComments ? threadsOf(content, readComments(doc)) : [],
  };
}
