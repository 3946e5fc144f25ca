import { buffer } from 'node:stream/consumers';
import type { Locale } from '@rmeet/contract';
import { readDocument, type DocumentNode } from '@rmeet/documents';
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
}

/** Texts in files. */
export const WORDS = {
  zh: { meeting: '会议：', due: '截止', missing: '[图片]' },
  en: { meeting: 'Meeting: ', due: 'due', missing: '[picture]' },
} as const;

/** Person and date of a task: ` (Bob, due 2026-11-20)`; empty without both. */
export function taskNote({ attrs = {} }: DocumentNode, locale: Locale): string {
  const [person, due] = [attrs['person'], attrs['due']].map((value) => (typeof value === 'string' ? value : ''));
  const parts = [person, due && `${WORDS[locale].due} ${due}`].filter(Boolean);
  if (parts.length === 0) return '';
  return locale === 'zh' ? `（${parts.join('，')}）` : ` (${parts.join(', ')})`;
}

/** Reads a document with its pictures, for a file. */
export async function readPrinted(
  tx: TenantTx,
  storage: Storage,
  row: DocumentTableRow,
  locale: Locale,
): Promise<Printed> {
  const content = readDocument((await loadDocument(tx, row.id)).doc);
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
  };
}
