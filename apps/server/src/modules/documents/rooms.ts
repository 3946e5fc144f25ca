import { applyChange, ChangeRefused } from '@rmeet/documents';
import type { DocumentCursor } from '@rmeet/contract';
import { eq } from 'drizzle-orm';
import { applyUpdate, encodeStateAsUpdate, encodeStateVector, mergeUpdates } from 'yjs';
import type { Db, TenantTx } from '../../platform/db/index.ts';
import { AppError } from '../../platform/http/index.ts';
import type { Log } from '../../platform/log/log.ts';
import { documentFor, rightOf } from './access.ts';
import { PEOPLE_CHANNEL, Presence, type PeopleAnnouncement } from './presence.ts';
import type { Editor, Room } from './room.ts';
import { appendUpdate, CHANNEL, checkSpace, loadDocument, updatesAfter, type Announcement } from './store.ts';
import { document } from './tables.ts';

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
  readonly #presence: Presence;
  #listening: Promise<void> | undefined;

  constructor({ db, log, now }: { db: Db; log: Log; now: () => Date }) {
    this.#presence = new Presence({ db, log, now });
    this.#db = db;
    this.#log = log;
    this.#now = now;
  }

  /** Listens to changes and rights, from the first room on. */
  #listen(): Promise<void> {
    this.#listening ??= this.#listenToAll();
    return this.#listening;
  }

  async #listenToAll(): Promise<void> {
    const nothing = (): void => undefined;
    // After a gap, people are announced again at the next beat.
    await this.#db.listen(PEOPLE_CHANNEL, (payload) => this.#heard(JSON.parse(payload) as PeopleAnnouncement), nothing);
    await this.#db.listen(
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
  }

  #heard(said: PeopleAnnouncement): void {
    const entry = this.#rooms.get(keyOf(said.tenantId, said.id));
    if (entry) void this.#quietly(async () => this.#presence.heard(said, await entry.opening));
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
        this.#presence.entered(editor, room);
      });
    } catch (error) {
      this.leave(editor, room);
      throw error;
    }
    return room;
  }

  /** Ends what join() has begun. */
  leave(editor: Editor, room: Room): void {
    if (room.editors.delete(editor)) this.#presence.left(editor, room);
    this.#release(keyOf(room.tenantId, room.id));
  }

  /** Shows others in the room where an editor's cursor is. */
  move(editor: Editor, room: Room, cursor: DocumentCursor | null): void {
    editor.cursor = cursor;
    if (editor.right !== 'read' && room.editors.has(editor)) this.#presence.changed(editor, room);
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
        this.#refuse(editor, room, error);
      }
    });
  }

  /** Reads the rights of all editors of a room again. */
  async #checkRights(room: Room): Promise<void> {
    for (const editor of room.editors) await this.#recheck(editor, room);
  }

  /** Reads the session and the right of an editor again, and tells it what has changed. */
  async #recheck(editor: Editor, room: Room): Promise<void> {
    const caller = await editor.identify();
    if (typeof caller === 'string') return editor.refuse(caller);
    editor.caller = caller;
    const right = await this.#db.tenant(room.tenantId, async (tx) => {
      const row = await tx.findOne(document, eq(document.id, room.id));
      return row ? rightOf(tx, caller, row) : null;
    });
    if (right === null) return editor.refuse('NOT_FOUND');
    if (right !== editor.right) {
      editor.right = right;
      editor.tell({ right });
      this.#presence.changed(editor, room);
    }
  }

  /** Does what is due from time to time while an editor is open. */
  async beat(editor: Editor, room: Room): Promise<void> {
    await this.#recheck(editor, room);
    if (room.editors.has(editor)) this.#presence.beat(editor, room);
  }

  #refuse(editor: Editor, room: Room, error: unknown): void {
    if (error instanceof AppError && error.code === 'DOCUMENT_READ_ONLY') {
      editor.right = 'read';
      editor.tell({ right: 'read' });
      editor.tell({ error: error.code });
      this.#presence.changed(editor, room);
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
    return { tenantId, id, ...loaded, editors: new Set(), distant: new Map(), turn: Promise.resolve() };
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
