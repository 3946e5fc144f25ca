import { randomUUID } from 'node:crypto';
import type { DocumentMessage, DocumentPerson } from '@rmeet/contract';
import type { Db } from '../../platform/db/index.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Editor, Room } from './room.ts';

/** Tells the server processes who has a document open, and where the cursors are. */
export const PEOPLE_CHANNEL = 'rmeet_document_people';

/** What a process says of a document. */
type Said =
  | { person: DocumentPerson }
  | { left: string }
  /** The process has opened the document and asks the others who is there. */
  | { ask: true };
export type PeopleAnnouncement = Said & {
  /** The process that says so. */
  server: string;
  tenantId: string;
  id: string;
};

/** Milliseconds after which a person at another process that is not announced again has gone with the process. */
const GONE_AFTER = 90_000;

/** The name is that of the account; people who may only read have no cursor. */
const personOf = ({ key, caller, right, cursor }: Editor): DocumentPerson => ({
  key,
  userId: caller.userId,
  name: caller.name,
  cursor: right === 'read' ? null : cursor,
});

/** Who has a document open: those at this process, and those whom other processes announce. Nothing is stored. */
export class Presence {
  readonly #db: Db;
  readonly #log: Log;
  readonly #now: () => Date;
  readonly #server = randomUUID();
  /** What is being announced of an editor; true: it has changed since. */
  readonly #announcing = new Map<Editor, boolean>();

  constructor({ db, log, now }: { db: Db; log: Log; now: () => Date }) {
    this.#db = db;
    this.#log = log;
    this.#now = now;
  }

  /** Introduces an editor to the others in its room and them to it. */
  entered(editor: Editor, room: Room): void {
    for (const other of room.editors) if (other !== editor) editor.tell({ person: personOf(other) });
    for (const { person } of room.distant.values()) editor.tell({ person });
    this.changed(editor, room);
    if (room.editors.size === 1) void this.#say(room, { ask: true });
  }

  /** Tells the others what an editor's person and cursor are now. */
  changed(editor: Editor, room: Room): void {
    tellAll(room, { person: personOf(editor) }, editor);
    void this.#announce(editor, room);
  }

  /** Tells the others that an editor has gone. */
  left(editor: Editor, room: Room): void {
    this.#announcing.delete(editor);
    tellAll(room, { left: editor.key });
    void this.#say(room, { left: editor.key });
  }

  /** Announces an editor to other processes again, and removes people whose process has gone. */
  beat(editor: Editor, room: Room): void {
    void this.#announce(editor, room);
    const oldest = this.#now().getTime() - GONE_AFTER;
    for (const [key, { seenAt }] of room.distant)
      if (seenAt < oldest) {
        room.distant.delete(key);
        tellAll(room, { left: key });
      }
  }

  /** Takes what a process has said of a document that is open here. */
  heard(said: PeopleAnnouncement, room: Room): void {
    if (said.server === this.#server) return;
    if ('ask' in said) for (const editor of room.editors) void this.#announce(editor, room);
    else if ('left' in said) {
      room.distant.delete(said.left);
      tellAll(room, { left: said.left });
    } else {
      const { person } = said;
      room.distant.set(person.key, { person, seenAt: this.#now().getTime() });
      tellAll(room, { person });
    }
  }

  /** One announcement of an editor at a time, so that the last one is the newest. */
  async #announce(editor: Editor, room: Room): Promise<void> {
    if (this.#announcing.has(editor)) {
      this.#announcing.set(editor, true);
      return;
    }
    do {
      this.#announcing.set(editor, false);
      await this.#say(room, { person: personOf(editor) });
    } while (this.#announcing.get(editor) === true && room.editors.has(editor));
    this.#announcing.delete(editor);
    // It left meanwhile: its last announcement may have come after that of its leaving.
    if (!room.editors.has(editor)) await this.#say(room, { left: editor.key });
  }

  async #say({ tenantId, id }: Room, said: Said): Promise<void> {
    const announcement: PeopleAnnouncement = { server: this.#server, tenantId, id, ...said };
    try {
      await this.#db.notify(PEOPLE_CHANNEL, JSON.stringify(announcement));
    } catch (error) {
      this.#log.warn({ error }, 'Other servers do not learn who has a document open');
    }
  }
}

function tellAll(room: Room, message: DocumentMessage, without?: Editor): void {
  for (const editor of room.editors) if (editor !== without) editor.tell(message);
}
