import {
  DOCUMENT_CLOSE,
  DOCUMENTS_PATH,
  type DocumentCursor,
  type DocumentMessage,
  type DocumentPerson,
  type DocumentRight,
  type ErrorCode,
} from '@rmeet/contract';
import * as Y from 'yjs';

/** What an editor shows of its connection. */
export interface ConnectionState {
  /** `open` once server and page have exchanged what they lacked; `refused` for good. */
  phase: 'connecting' | 'open' | 'lost' | 'refused';
  right: DocumentRight;
  /** The server has stored everything that was typed here. */
  isSaved: boolean;
  /** Why it was refused, or why a change was not stored. */
  error: ErrorCode | null;
}

interface ConnectionOptions {
  /** https://host */
  origin: string;
  token: string;
  documentId: string;
  doc: Y.Doc;
  onChange: (state: ConnectionState) => void;
  /** Gets the others who have the document open, whenever they change. */
  onPeople?: (people: readonly DocumentPerson[]) => void;
  /** Milliseconds until the next attempt, after so many that failed. */
  retryAfter?: (failures: number) => number;
}

const CHANGE_NUMBER_BYTES = 4;
const LONGEST_WAIT = 10_000;
/** Milliseconds between two positions of the cursor that are sent. */
const MOVE_EVERY = 100;

const defaultRetry = (failures: number): number =>
  Math.min(LONGEST_WAIT, 250 * 2 ** failures) * (0.5 + Math.random() / 2);

function base64(data: Uint8Array): string {
  let text = '';
  for (const byte of data) text += String.fromCharCode(byte);
  return btoa(text);
}
const bytesOf = (text: string): Uint8Array => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

/**
 * Keeps a Yjs document and the server's equal. Changes are sent one at a time, those made meanwhile together as the
 * next. After a lost connection both sides send what the other lacks, so that nothing is lost.
 */
export class DocumentConnection {
  readonly #options: ConnectionOptions;
  #state: ConnectionState = { phase: 'connecting', right: 'read', isSaved: true, error: null };
  #socket: WebSocket | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #number = 0;
  #sent: number | undefined;
  #waiting: Uint8Array[] = [];
  #isClosed = false;
  #isApplying = false;
  readonly #people = new Map<string, DocumentPerson>();
  #cursor: DocumentCursor | null = null;
  #moveTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    options.doc.on('update', this.#changed);
    this.#connect();
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** Closes the present socket and connects again. */
  reconnect(): void {
    if (this.#isClosed || this.#state.phase === 'refused') return;
    clearTimeout(this.#timer);
    this.#drop();
    this.#set({ phase: 'connecting' });
    this.#connect();
  }

  /** Shows others where the cursor is: Yjs relative positions; null without one. */
  moveCursor(positions: { anchor: Uint8Array; head: Uint8Array } | null): void {
    const cursor = positions && { anchor: base64(positions.anchor), head: base64(positions.head) };
    if (cursor?.anchor === this.#cursor?.anchor && cursor?.head === this.#cursor?.head) return;
    this.#cursor = cursor;
    this.#moveTimer ??= setTimeout(() => this.#sendCursor(), MOVE_EVERY);
  }

  #sendCursor(): void {
    clearTimeout(this.#moveTimer);
    this.#moveTimer = undefined;
    if (this.#state.phase !== 'open' || this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#socket.send(JSON.stringify({ cursor: this.#cursor }));
  }

  /** Ends the connection; what was not sent is lost with the page. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#moveTimer);
    this.#options.doc.off('update', this.#changed);
    this.#drop();
  }

  readonly #changed = (update: Uint8Array, origin: unknown): void => {
    // Yjs removes marks without effect where it receives changes: readers do not send that.
    if (origin === this || (this.#isApplying && this.#state.right === 'read')) return;
    this.#waiting.push(update);
    this.#set({ isSaved: false });
    this.#flush();
  };

  #set(change: Partial<ConnectionState>): void {
    this.#state = { ...this.#state, ...change };
    this.#options.onChange(this.#state);
  }

  #drop(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    this.#sent = undefined;
    this.#people.clear();
    this.#options.onPeople?.([]);
    socket?.close();
  }

  #connect(): void {
    const { origin, token, documentId, doc } = this.#options;
    const socket = new WebSocket(new URL(DOCUMENTS_PATH, origin.replace(/^http/, 'ws')));
    socket.binaryType = 'arraybuffer';
    this.#socket = socket;
    const isCurrent = (): boolean => this.#socket === socket;
    socket.addEventListener('open', () => {
      if (isCurrent()) socket.send(JSON.stringify({ token, documentId, has: base64(Y.encodeStateVector(doc)) }));
    });
    socket.addEventListener('message', (event) => {
      const data: unknown = event.data;
      if (!isCurrent()) return;
      if (typeof data === 'string') this.#told(JSON.parse(data) as DocumentMessage);
      else this.#apply(new Uint8Array(data as ArrayBuffer));
    });
    socket.addEventListener('close', ({ code }) => {
      if (isCurrent()) this.#lost(code);
    });
  }

  #apply(update: Uint8Array): void {
    this.#isApplying = true;
    try {
      Y.applyUpdate(this.#options.doc, update, this);
    } finally {
      this.#isApplying = false;
    }
  }

  #lost(code: number): void {
    this.#drop();
    if (code === DOCUMENT_CLOSE.refused) return this.#set({ phase: 'refused' });
    this.#set({ phase: 'lost' });
    const wait = (this.#options.retryAfter ?? defaultRetry)(this.#failures);
    this.#failures += 1;
    this.#timer = setTimeout(() => this.#connect(), wait);
  }

  #told(message: DocumentMessage): void {
    if ('ready' in message) this.#ready(message);
    else if ('stored' in message) {
      if (message.stored !== this.#sent) return;
      this.#sent = undefined;
      this.#failures = 0;
      this.#flush();
    } else if ('right' in message) {
      const gains = this.#state.right === 'read' && message.right !== 'read';
      this.#set({ right: message.right, ...(gains && { error: null }) });
      // What was typed while it could not be stored.
      if (gains) this.reconnect();
    } else if ('person' in message || 'left' in message) this.#met(message);
    else {
      this.#sent = undefined;
      this.#set({ error: message.error });
    }
  }

  #met(message: Extract<DocumentMessage, { person: unknown } | { left: unknown }>): void {
    if ('person' in message) this.#people.set(message.person.key, message.person);
    else this.#people.delete(message.left);
    this.#options.onPeople?.([...this.#people.values()]);
  }

  #ready({ right, has }: Extract<DocumentMessage, { ready: true }>): void {
    // Contains everything that waited.
    const missing = Y.encodeStateAsUpdate(this.#options.doc, bytesOf(has));
    this.#waiting = this.#state.isSaved ? [] : [missing];
    this.#set({ phase: 'open', right });
    if (this.#cursor) this.#sendCursor();
    this.#flush();
  }

  #flush(): void {
    const isReady = this.#state.phase === 'open' && this.#socket?.readyState === WebSocket.OPEN;
    if (!isReady || this.#sent !== undefined || this.#state.right === 'read') return;
    if (this.#waiting.length === 0) {
      if (!this.#state.isSaved) this.#set({ isSaved: true });
      return;
    }
    const update = Y.mergeUpdates(this.#waiting);
    this.#waiting = [];
    this.#number += 1;
    this.#sent = this.#number;
    const data = new Uint8Array(CHANGE_NUMBER_BYTES + update.length);
    new DataView(data.buffer).setUint32(0, this.#number);
    data.set(update, CHANGE_NUMBER_BYTES);
    this.#socket?.send(data);
  }
}
