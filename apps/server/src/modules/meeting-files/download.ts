import { crc32 } from 'node:zlib';
import { Readable } from 'node:stream';
import { extname } from 'node:path';
import { and, asc, eq } from 'drizzle-orm';
import type { contract, Input } from '@rmeet/contract';
import type { Db, TenantTx } from '../../platform/db/index.ts';
import { AppError, FileAnswer, type Context, type UserCaller } from '../../platform/http/index.ts';
import { FileMissing, type Storage } from '../../platform/storage/index.ts';
import { answerWithFile } from '../files/index.ts';
import { findFileOfMeeting, storedFilesOf } from '../meetings/index.ts';
import { seenDocument, seenDocuments, seenFolder, seenMeeting, type Seen } from './access.ts';
import { contentOf } from './content.ts';
import { foldersOf, pathTo } from './folders.ts';
import { findVersions } from './present.ts';
import { meetingDocument, meetingDocumentVersion, meetingFolder, type FolderRow, type VersionRow } from './tables.ts';
import { zipOf, zipSize, type ZipEntry } from './zip.ts';

type UserContext = Context<UserCaller>;
type Routes = typeof contract.meetingFiles;

/** Nothing runs, wherever the answer is opened: no script, no form, no frame, no other origin. */
export const HARMLESS = {
  'content-security-policy': "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox",
};

/** @throws AppError FILE_BEING_SCANNED, FILE_INFECTED, FILE_NOT_SCANNED for a file that must not be read */
export function mustBeClean({ scan }: Pick<VersionRow, 'scan'>, name: string): void {
  if (scan === 'pending') throw new AppError('FILE_BEING_SCANNED', { name });
  if (scan === 'infected') throw new AppError('FILE_INFECTED', { name });
  if (scan === 'tooLarge') throw new AppError('FILE_NOT_SCANNED', { name });
}

export const isClean = ({ scan }: Pick<VersionRow, 'scan'>): boolean => scan === 'off' || scan === 'clean';

/** The content of a version as a body that can be read in parts. */
export function bodyOf(storage: Storage, stored: VersionRow) {
  return {
    size: stored.size,
    open: async (range?: { start: number; end: number }) => contentOf(storage, stored, range),
  };
}

/** A file of a ZIP file before its path is settled. */
interface Found {
  folder: string;
  name: string;
  size: number;
  modifiedAt: Date;
  crc: ZipEntry['crc'];
  open: ZipEntry['open'];
}

/** The path of each folder below `top`: `Slides/Old/`. */
function pathsBelow(all: readonly FolderRow[], top: string | null): Map<string | null, string> {
  const outer = pathTo(all, top).length;
  const paths = new Map<string | null, string>([[top, '']]);
  for (const { id } of all) {
    const path = pathTo(all, id);
    if (top !== null && path[outer - 1]?.id !== top) continue;
    paths.set(
      id,
      path
        .slice(outer)
        .map(({ name }) => `${name}/`)
        .join(''),
    );
  }
  return paths;
}

/** Entries with paths of their own: of equal ones, the second is `plan (2).pdf`. */
function withPaths(found: readonly Found[]): ZipEntry[] {
  const taken = new Set<string>();
  return found.map(({ folder, name, ...entry }) => {
    const ending = extname(name);
    const stem = name.slice(0, name.length - ending.length);
    let path = folder + name;
    for (let n = 2; taken.has(path.toLowerCase()); n += 1) path = `${folder}${stem} (${n})${ending}`;
    taken.add(path.toLowerCase());
    return { ...entry, path };
  });
}

/** The files that a person sees below folders, and may read, in the order of their folders and names. */
async function readable(tx: TenantTx, seen: Seen, folders: ReadonlyMap<string | null, string>) {
  const documents = tx.scoped(meetingDocument);
  const versions = tx.scoped(meetingDocumentVersion);
  const visible = await tx.find(
    meetingDocument,
    and(eq(meetingDocument.meetingId, seen.meeting.id), seenDocuments(seen)),
    { orderBy: [asc(meetingDocument.name), asc(meetingDocument.id)] },
  );
  const inside = visible.filter(({ folderId }) => folders.has(folderId));
  const rows = await tx
    .select({
      id: versions.id,
      documentId: versions.documentId,
      size: versions.size,
      crc: versions.crc,
      scan: versions.scan,
      createdAt: versions.createdAt,
    })
    .from(versions)
    .innerJoin(documents, and(eq(documents.id, versions.documentId), eq(documents.version, versions.version)))
    .where(eq(documents.meetingId, seen.meeting.id));
  const byDocument = new Map(rows.map((row) => [row.documentId, row]));
  return inside.flatMap((row) => {
    const version = byDocument.get(row.id);
    return version && isClean(version) ? [{ folder: folders.get(row.folderId) ?? '', name: row.name, version }] : [];
  });
}

/** CRC-32 of a stream. */
async function crcOf(chunks: AsyncIterable<Buffer>): Promise<number> {
  let crc = 0;
  for await (const chunk of chunks) crc = crc32(chunk, crc);
  return crc;
}

export interface DownloadDeps {
  db: Db;
  storage: Storage;
  now: () => Date;
}

/** Serves one file. */
function serving({ db, storage, now }: DownloadDeps) {
  return {
    /** @throws AppError NOT_FOUND, FILE_BEING_SCANNED, FILE_INFECTED, FILE_NOT_SCANNED */
    async file({ caller }: UserContext, { params: { id }, query }: Input<Routes['download']>): Promise<FileAnswer> {
      const booked = await db.tenant(caller.tenantId, (tx) => findFileOfMeeting(tx, caller, id));
      if (booked) return answerWithFile(storage, booked);
      const { name, version } = await db.tenant(caller.tenantId, async (tx) => {
        const { row } = await seenDocument(tx, caller, id, now());
        const where = and(
          eq(meetingDocumentVersion.documentId, id),
          eq(meetingDocumentVersion.version, query.version ?? row.version),
        );
        return { name: row.name, version: await tx.findOne(meetingDocumentVersion, where) };
      });
      if (!version) throw new AppError('NOT_FOUND');
      mustBeClean(version, name);
      return new FileAnswer({
        name,
        type: 'application/octet-stream',
        body: bodyOf(storage, version),
        headers: HARMLESS,
      });
    },
  };
}

/** Serves all files of a folder, zipped. */
function zipping({ db, storage, now }: DownloadDeps) {
  async function* openVersion(tenantId: string, id: string): AsyncGenerator<Buffer> {
    const [row] = await db.tenant(tenantId, (tx) => findVersions(tx, [id]));
    if (!row) throw new FileMissing(id);
    yield* contentOf(storage, row) as AsyncIterable<Buffer>;
  }
  async function* openStored(key: string): AsyncGenerator<Buffer> {
    yield* (await storage.get(key)) as AsyncIterable<Buffer>;
  }

  /** What a ZIP file of a folder, or of a meeting, contains. */
  async function contentsOf(tx: TenantTx, caller: UserCaller, id: string): Promise<{ name: string; found: Found[] }> {
    const folder = await tx.findOne(meetingFolder, eq(meetingFolder.id, id));
    const seen = folder ? (await seenFolder(tx, caller, id, now())).seen : await seenMeeting(tx, caller, id, now());
    const paths = pathsBelow(await foldersOf(tx, seen.meeting.id), folder ? id : null);
    const found: Found[] = (await readable(tx, seen, paths)).map(({ folder: path, name, version }) => ({
      folder: path,
      name,
      size: version.size,
      modifiedAt: version.createdAt,
      crc: async () => version.crc,
      open: () => openVersion(caller.tenantId, version.id),
    }));
    const booked = folder ? [] : await storedFilesOf(tx, id);
    for (const { name, size, storageKey, createdAt } of booked)
      found.push({
        folder: '',
        name,
        size,
        modifiedAt: createdAt,
        crc: () => crcOf(openStored(storageKey)),
        open: () => openStored(storageKey),
      });
    return { name: folder?.name ?? seen.meeting.subject, found };
  }

  return {
    /** @throws AppError NOT_FOUND, FOLDER_EMPTY */
    async folder({ caller }: UserContext, id: string): Promise<FileAnswer> {
      const { name, found } = await db.tenant(caller.tenantId, (tx) => contentsOf(tx, caller, id));
      if (found.length === 0) throw new AppError('FOLDER_EMPTY');
      const entries = withPaths(found);
      return new FileAnswer({
        name: `${name}.zip`,
        type: 'application/zip',
        body: Readable.from(zipOf(entries), { objectMode: false }),
        headers: { ...HARMLESS, 'content-length': String(zipSize(entries)) },
      });
    },
  };
}

/** Serves files, one or all of a folder. */
export function createDownloads(deps: DownloadDeps) {
  return { ...serving(deps), ...zipping(deps) };
}
