import type { DocumentCursor, DocumentMessage, DocumentPerson, DocumentRight, ErrorCode } from '@rmeet/contract';
import type { Doc } from 'yjs';
import type { UserCaller } from '../../platform/http/index.ts';

/** An open editor: one socket. */
export interface Editor {
  caller: UserCaller;
  right: DocumentRight;
  /** Of this connection, for other people. */
  key: string;
  /** Where its cursor is, as it says. */
  cursor: DocumentCursor | null;
  tell(message: DocumentMessage): void;
  /** Sends a Yjs update. */
  pass(update: Uint8Array): void;
  /** Sends the reason and closes for good. */
  refuse(code: ErrorCode): void;
  /** Closes: the client connects again, and both exchange what they lack. */
  resync(): void;
  /** The caller as the session says now. */
  identify(): Promise<UserCaller | ErrorCode>;
}

/** A person at another server process, and when it was last announced, in milliseconds. */
interface Distant {
  person: DocumentPerson;
  seenAt: number;
}

/** A document that is open at this server process. */
export interface Room {
  tenantId: string;
  id: string;
  doc: Doc;
  seq: number;
  editors: Set<Editor>;
  /** People at other processes, by the keys of their connections. */
  distant: Map<string, Distant>;
  /** The end of what is being done; one thing after the other. */
  turn: Promise<void>;
}
