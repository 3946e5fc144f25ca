import { and, desc, ilike, or, sql, type SQL } from 'drizzle-orm';
import { containing, type Db, type TenantTx } from '../../platform/db/index.ts';
import { FileMissing, type Storage } from '../../platform/storage/index.ts';
import { filesOfMeetings, ownMeetings } from '../meetings/index.ts';
import { meetingFile } from '../meetings/tables.ts';
import { seenMeeting, seesDocument, type Person, type Seen } from './access.ts';
import { contentOf } from './content.ts';
import { isClean } from './download.ts';
import { foldersOf, pathTo } from './folders.ts';
import { newestOf } from './present.ts';
import { meetingDocument, type DocumentRow, type VersionRow } from './tables.ts';

/** A file of a person's meeting, as that person sees it. */
export interface ReadFile {
  id: string;
  meetId: string;
  subject: string;
  /** Names of its folders, the outermost first. */
  folder: string;
  name: string;
  /** The beginning of a text; empty for other kinds. */
  text: string;
}

/** The newest files, and those with a word in their name: this many of each. */
const LOOKED_AT = 60;
const MEETINGS = 40;
const TEXTS = 20;
/** Of a text, bytes. */
const TEXT_BYTES = 32 * 1024;

type Candidate = Omit<ReadFile, 'text'> & { version?: VersionRow };

interface SearchDeps {
  db: Db;
  storage: Storage;
  now: () => Date;
}

/** The newest files of a person's meetings, and those whose names have a word. Rights are checked afterwards. */
async function rowsFor(tx: TenantTx, { userId }: Person, words: readonly string[]): Promise<DocumentRow[]> {
  const own = sql`${meetingDocument.meetingId} = any(${ownMeetings(userId)})`;
  const find = (where: SQL | undefined): Promise<DocumentRow[]> =>
    tx.find(meetingDocument, and(own, where), { orderBy: desc(meetingDocument.createdAt), limit: LOOKED_AT });
  const named =
    words.length === 0 ? [] : await find(or(...words.map((word) => ilike(meetingDocument.name, containing(word)))));
  const rows = [...named, ...(await find(undefined))];
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

/** Meetings of a person that have files of their booking with a word in their name. */
async function bookedIn(tx: TenantTx, { userId }: Person, words: readonly string[]): Promise<string[]> {
  if (words.length === 0) return [];
  const named = or(...words.map((word) => ilike(meetingFile.name, containing(word))));
  const own = sql`${meetingFile.meetingId} = any(${ownMeetings(userId)})`;
  const rows = await tx.find(meetingFile, and(own, named), { orderBy: desc(meetingFile.createdAt), limit: LOOKED_AT });
  return rows.map(({ meetingId }) => meetingId);
}

/** The files of one meeting that its person sees; infected ones and those not scanned yet are left out. */
async function seenOf(tx: TenantTx, seen: Seen, rows: readonly DocumentRow[]): Promise<Candidate[]> {
  const { id: meetId, subject } = seen.meeting;
  const versions = await newestOf(tx, rows);
  const folders = rows.some(({ folderId }) => folderId !== null) ? await foldersOf(tx, meetId) : [];
  return rows.flatMap(({ id, name, folderId }) => {
    const version = versions.get(id);
    if (!version || !isClean(version)) return [];
    const path = pathTo(folders, folderId);
    return [{ id, meetId, subject, name, folder: path.map((one) => one.name).join('/'), version }];
  });
}

async function candidatesFor(tx: TenantTx, person: Person, words: readonly string[], now: Date): Promise<Candidate[]> {
  const byMeeting = Map.groupBy(await rowsFor(tx, person, words), ({ meetingId }) => meetingId);
  const meetIds = [...new Set([...byMeeting.keys(), ...(await bookedIn(tx, person, words))])].slice(0, MEETINGS);
  const booked = await filesOfMeetings(tx, meetIds);
  const found: Candidate[] = [];
  for (const meetId of meetIds) {
    const seen = await seenMeeting(tx, person, meetId, now);
    const rows = (byMeeting.get(meetId) ?? []).filter((row) => seesDocument(seen, row));
    found.push(...(await seenOf(tx, seen, rows)));
    const { subject } = seen.meeting;
    found.push(...(booked.get(meetId) ?? []).map(({ id, name }) => ({ id, meetId, subject, folder: '', name })));
  }
  return found;
}

/** The beginning of a text file; empty if its content was deleted meanwhile. */
async function textOf(storage: Storage, version: VersionRow): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    const end = Math.min(version.size, TEXT_BYTES) - 1;
    for await (const chunk of contentOf(storage, version, { start: 0, end })) chunks.push(chunk as Buffer);
  } catch (error) {
    if (error instanceof FileMissing) return '';
    throw error;
  }
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * Reads files of the meetings that a person hosts, was granted or is invited to: names, folders and the beginning of
 * texts, as far as the person may open them now. `words` are looked for in names, beyond the newest files.
 */
export function createFileReader({ db, storage, now }: SearchDeps) {
  return async (person: Person, words: readonly string[]): Promise<ReadFile[]> => {
    const found = await db.tenant(person.tenantId, (tx) => candidatesFor(tx, person, words, now()));
    let left = TEXTS;
    const read: ReadFile[] = [];
    for (const { version, ...file } of found) {
      const isRead = version?.preview === 'text' && left > 0;
      if (isRead) left -= 1;
      read.push({ ...file, text: isRead ? await textOf(storage, version) : '' });
    }
    return read;
  };
}

export type FileReader = ReturnType<typeof createFileReader>;
