import { z } from 'zod';
import type { ErrorCode } from '../errors.ts';
import type { DocumentRight } from './documents.ts';

/**
 * What the editor sends on the socket as text. Changes are binary: four bytes with a number of the client (big endian),
 * then a Yjs update.
 */
export const documentHello = z.object({
  token: z.string().min(1).max(200),
  documentId: z.uuid(),
  /** The Yjs state vector of what the client has, base64. */
  has: z.string().max(200_000).default(''),
});
export type DocumentHello = z.infer<typeof documentHello>;

const position = z.string().min(1).max(100);
/** Where the editor's cursor is, sent as text after the first message: both ends of the selection; null without one. */
export const documentMove = z.object({
  /** Yjs relative positions, base64. */
  cursor: z.object({ anchor: position, head: position }).nullable(),
});
export type DocumentCursor = NonNullable<z.infer<typeof documentMove>['cursor']>;

/** Someone else who has the document open, at one place; the name is that of the account. */
export interface DocumentPerson {
  /** Of the connection: a person may have several. */
  key: string;
  userId: string;
  name: string;
  /** Null also for people who may only read. */
  cursor: DocumentCursor | null;
}

/** What the server sends as text. Binary messages are Yjs updates. */
export type DocumentMessage =
  /** The server's Yjs state vector, base64: the client sends what the server lacks. */
  | { ready: true; right: DocumentRight; has: string }
  /** The change with this number is stored. */
  | { stored: number }
  /** The caller's right is another one now. */
  | { right: DocumentRight }
  /** A person has come or moved the cursor. */
  | { person: DocumentPerson }
  /** The connection with this key has gone. */
  | { left: string }
  /** Why a change was refused, or why the socket is closed. */
  | { error: ErrorCode };

/** Codes with which the server closes the socket; after the others the client connects again. */
export const DOCUMENT_CLOSE = {
  /** For good: the reason is in the last message. */
  refused: 4401,
  /** Changes are missing: the client connects again and sends them. */
  resync: 4409,
} as const;
