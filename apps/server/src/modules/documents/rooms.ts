import { applyChange, ChangeRefused } from '@rmeet/documents';
import type { DocumentMessage, DocumentRight, ErrorCode } from '@rmeet/contract';
import { eq } from 'drizzle-orm';
import { applyUpdate, encodeStateAsUpdate, encodeStateVector, mergeUpdates, type Doc } from 'yjs';
import type { Db, TenantTx } from '../../platform/db/index.ts';
import { AppError, type UserCaller } from '../../platform/http/index.ts';
import type { Log } from '../../platform/log/log.ts';
import { documentFor, rightOf } from './access.ts';
import { appendUpdate, CHANNEL, checkSpace, loadDocument, updatesAfter, type Announcement } from './store.ts';
import { document } from './tables.ts';

/** An open editor: one socket. */
export interface Editor {
  caller: UserCaller;
  right: DocumentRight;
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

interface Room {
  tenantId: string;
  id: string;
  doc: Doc;
  seq: number;
  editors: Set<Editor>;
  /** The end of what is being done; one thing after the other. */
  turn: Promise<void>;
}

const keyOf = (tenantId: string, id: string): string => `${tenantId} ${id}`;
const base64 = (data: Uint8Array): string => Buffer.from(data).toString('base64');

/**
 * The documents that are edited at this server process. The database is the truth: each change is checked against the
 * rights, cleaned and stored in one transaction, then passed on. Changes at other processes are read from there.
 */
export class Rooms {
  readonly #db: Db;
  readonly #log: Log;
  readonly #now: () => Date;
  readonly #rooms = new Map<string, { opening: Promise<Room>; users: number }>();
  #listening: Promise<void> | undefined;

  constructor({ db, log, now }: { db: Db; log: Log; now: () => Date }) {
    this.#db = db;
    this.#log = log;
    this.#now = now;
  }

  /** Listens to changes and rights, from the first room on. */
  #listen(): Promise<void> {
    this.#listening ??= this.#db.listen(
      CHANNEL,
      (payload) => this.#announced(JSON.parse(payload) as Announcement),
      () => {
        for (const { opening } of this.#rooms.values())
          void this.#quietly(async () => {
            const room = await opening;
            await this.#inTurn(room, () => this.#pull(room));
            await this.#checkRights(room);
          });
      },
    );
    return this.#listening;
  }

  /**
   * Lets an editor in: it gets the right, what the server has, and what it lacks itself.
   *
   * @throws AppError NOT_FOUND; Error if `has` is no state vector
   */
  async join(editor: Editor, id: string, has: Uint8Array | undefined): Promise<Room> {
    const { tenantId } = editor.caller;
    editor.right = await this.#db.tenant(tenantId, async (tx) => {
      return (await documentFor(tx, editor.caller, id, 'read')).right;
    });
    const room = await this.#open(tenantId, id);
    try {
      await this.#inTurn(room, async () => {
        const missing = encodeStateAsUpdate(room.doc, has);
        room.editors.add(editor);
        editor.tell({ ready: true, right: editor.right, has: base64(encodeStateVector(room.doc)) });
        editor.pass(missing);
      });
    } catch (error) {
      this.leave(editor, room);
      throw error;
    }
    return room;
  }

  /** Ends what join() has begun. */
  leave(editor: Editor, room: Room): void {
    room.editors.delete(editor);
    this.#release(keyOf(room.tenantId, room.id));
  }

  #release(key: string): void {
    const entry = this.#rooms.get(key);
    if (!entry) return;
    entry.users -= 1;
    if (entry.users === 0) this.#rooms.delete(key);
  }

  /** Stores a change of an editor and passes it on. */
  submit(editor: Editor, room: Room, number: number, update: Uint8Array): Promise<void> {
    return this.#inTurn(room, async () => {
      if (!room.editors.has(editor)) return;
      try {
        const change = await this.#store(editor, room, update);
        if (change) {
          for (const other of room.editors) if (other !== editor) other.pass(change.stored);
          if (change.correction) editor.pass(change.correction);
        }
        editor.tell({ stored: number });
      } catch (error) {
        if (!(error instanceof AppError)) await this.#reload(room);
        this.#refuse(editor, error);
      }
    });
  }

  /** Reads the rights of all editors of a room again. */
  async #checkRights(room: Room): Promise<void> {
    for (const editor of room.editors) await this.recheck(editor, room);
  }

  /** Reads the session and the right of an editor again, and tells it what has changed. */
  async recheck(editor: Editor, room: Room): Promise<void> {
    const caller = await editor.identify();
    if (typeof caller === 'string') return editor.refuse(caller);
    editor.caller = caller;
    const right = await this.#db.tenant(room.tenantId, async (tx) => {
      const row = await tx.findOne(document, eq(document.id, room.id));
      return row ? rightOf(tx, caller, row) : null;
    });
    if (right === null) return editor.refuse('NOT_FOUND');
    if (right === editor.right) return;
    editor.right = right;
    editor.tell({ right });
  }

  #refuse(editor: Editor, error: unknown): void {
    if (error instanceof AppError && error.code === 'DOCUMENT_READ_ONLY') {
      editor.right = 'read';
      editor.tell({ right: 'read' });
      editor.tell({ error: error.code });
    } else if (error instanceof AppError) editor.refuse(error.code);
    else if (error instanceof ChangeRefused && error.reason === 'malformed') editor.refuse('DOCUMENT_CHANGE_REFUSED');
    else {
      if (!(error instanceof ChangeRefused)) this.#log.error({ error }, 'A change of a document was not stored');
      editor.resync();
    }
  }

  async #store(editor: Editor, room: Room, update: Uint8Array) {
    const caller = await editor.identify();
    if (typeof caller === 'string') throw new AppError(caller);
    editor.caller = caller;
    return this.#db.tenant(room.tenantId, async (tx) => {
      const { row } = await documentFor(tx, caller, room.id, 'write', true);
      await this.#pullIn(tx, room);
      await checkSpace(tx, row, update.length);
      const now = this.#now();
      const change = applyChange(room.doc, update, { userId: caller.userId, name: caller.name, at: now });
      if (change) room.seq = await appendUpdate(tx, row, change.stored, { by: caller.name, now });
      return change;
    });
  }

  /** Opens the document of a room again, as it is stored. */
  async #reload(room: Room): Promise<void> {
    await this.#quietly(async () => {
      const { doc, seq } = await this.#db.tenant(room.tenantId, (tx) => loadDocument(tx, room.id));
      room.doc.destroy();
      Object.assign(room, { doc, seq });
    });
  }

  async #open(tenantId: string, id: string): Promise<Room> {
    const key = keyOf(tenantId, id);
    const entry = this.#rooms.get(key) ?? { opening: this.#load(tenantId, id), users: 0 };
    this.#rooms.set(key, entry);
    entry.users += 1;
    try {
      return await entry.opening;
    } catch (error) {
      this.#release(key);
      throw error;
    }
  }

  async #load(tenantId: string, id: string): Promise<Room> {
    await this.#listen();
    const loaded = await this.#db.tenant(tenantId, (tx) => loadDocument(tx, id));
    return { tenantId, id, ...loaded, editors: new Set(), turn: Promise.resolve() };
  }

  /** Runs after what was begun before, in this room. */
  #inTurn<T>(room: Room, work: () => Promise<T>): Promise<T> {
    const done = room.turn.then(work);
    room.turn = done.then(
      () => undefined,
      () => undefined,
    );
    return done;
  }

  /** Reads what other processes have stored, and passes it on. */
  async #pullIn(tx: TenantTx, room: Room): Promise<void> {
    const { updates, seq } = await updatesAfter(tx, room.id, room.seq);
    if (updates.length === 0) return;
    const merged = mergeUpdates(updates);
    applyUpdate(room.doc, merged, 'stored');
    room.seq = seq;
    for (const editor of room.editors) editor.pass(merged);
  }

  #pull(room: Room): Promise<void> {
    return this.#db.tenant(room.tenantId, (tx) => this.#pullIn(tx, room));
  }

  #announced({ tenantId, id, seq }: Announcement): void {
    const entry = this.#rooms.get(keyOf(tenantId, id));
    if (!entry) return;
    void this.#quietly(async () => {
      const room = await entry.opening;
      if (seq === undefined) await this.#checkRights(room);
      else
        await this.#inTurn(room, async () => {
          if (room.seq < seq) await this.#pull(room);
        });
    });
  }

  async #quietly(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#log.error({ error }, 'An open document could not follow the database');
    }
  }
}

export type OpenRoom = Room;
