import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { and, asc, eq, gt, lte } from 'drizzle-orm';
import { MEETING_FILE_LIMITS, MEGABYTE, type contract, type Input, type MeetingUpload } from '@rmeet/contract';
import { newId, type Db, type TenantTx } from '../../platform/db/index.ts';
import { AppError, fileNameOf, type Context, type UploadHandlers, type UserCaller } from '../../platform/http/index.ts';
import type { Storage } from '../../platform/storage/index.ts';
import { recordAudit } from '../audit/index.ts';
import { ownDocument, seenMeeting, targetOf } from './access.ts';
import { headOf, keyOf, mustBeNoProgram, natureOf, whatArrives, type Nature, type Received } from './content.ts';
import { dropUploads, dropVersion } from './drop.ts';
import { foldersOf, pathTo } from './folders.ts';
import { presentUpload } from './present.ts';
import { mustHavePlace, mustHaveSpace } from './space.ts';
import { meetingDocument, meetingDocumentVersion, meetingUpload, type Piece, type UploadRow } from './tables.ts';

type UserContext = Context<UserCaller>;
type StartBody = Input<typeof contract.meetingFiles.startUpload>['body'];

const HOUR = 3_600_000;

export interface UploadDeps {
  db: Db;
  storage: Storage;
  now: () => Date;
  /** Files are scanned before they can be downloaded. */
  scans: boolean;
  /** Called in the transaction that completes a file that is to be scanned. */
  scanSoon: (tx: TenantTx) => void;
}

const expiryOf = (now: Date): Date => new Date(now.getTime() + MEETING_FILE_LIMITS.uploadHours * HOUR);

/** Checks what is known before the first byte. @throws AppError FILE_EMPTY, FILE_TOO_LARGE, FILE_KIND_REFUSED */
function mustFit({ size }: StartBody, name: string): void {
  if (size === 0) throw new AppError('FILE_EMPTY', { name });
  if (size > MEETING_FILE_LIMITS.bytes)
    throw new AppError('FILE_TOO_LARGE', { name, megabytes: MEETING_FILE_LIMITS.bytes / MEGABYTE });
  mustBeNoProgram(Buffer.alloc(0), name);
}

/** An upload of the caller that can be continued. @throws AppError NOT_FOUND */
async function openUpload(tx: TenantTx, caller: UserCaller, id: string, now: Date): Promise<UploadRow> {
  const where = and(
    eq(meetingUpload.id, id),
    eq(meetingUpload.createdBy, caller.userId),
    gt(meetingUpload.expiresAt, now),
  );
  const row = await tx.findOne(meetingUpload, where);
  if (!row) throw new AppError('NOT_FOUND');
  await seenMeeting(tx, caller, row.meetingId, now);
  return row;
}

/** The caller's uploads to a meeting that are not complete. */
export function uploadsOf(tx: TenantTx, meetingId: string, userId: string, now: Date): Promise<UploadRow[]> {
  const where = and(
    eq(meetingUpload.meetingId, meetingId),
    eq(meetingUpload.createdBy, userId),
    gt(meetingUpload.expiresAt, now),
  );
  return tx.find(meetingUpload, where, { orderBy: [asc(meetingUpload.createdAt), asc(meetingUpload.id)] });
}

/** Stores the file that an upload has brought, as a new one or as the next version of one. */
async function complete(deps: UploadDeps, tx: TenantTx, row: UploadRow, nature: Nature): Promise<void> {
  const at = deps.now();
  const existing =
    row.documentId === null
      ? undefined
      : await tx.findOne(meetingDocument, eq(meetingDocument.id, row.documentId), { lock: 'update' });
  const version = (existing?.version ?? 0) + 1;
  const documentId = existing?.id ?? newId();
  if (existing) await tx.update(meetingDocument, { version }, eq(meetingDocument.id, existing.id));
  else
    await tx.insert(meetingDocument, {
      id: documentId,
      meetingId: row.meetingId,
      folderId: row.folderId,
      name: row.name,
      audience: row.audience,
      secretUntilStart: row.secretUntilStart,
      version,
      createdBy: row.createdBy,
      createdAt: at,
    });
  await tx.insert(meetingDocumentVersion, {
    id: row.id,
    documentId,
    version,
    size: row.size,
    crc: row.crc,
    pieces: row.pieces,
    ...nature,
    scan: deps.scans ? 'pending' : 'off',
    uploadedBy: row.createdBy,
    createdAt: at,
  });
  await tx.delete(meetingUpload, eq(meetingUpload.id, row.id));
  const old = await tx.find(
    meetingDocumentVersion,
    and(
      eq(meetingDocumentVersion.documentId, documentId),
      lte(meetingDocumentVersion.version, version - MEETING_FILE_LIMITS.versions),
    ),
  );
  for (const { id } of old) await dropVersion(tx, deps.storage, id);
  if (deps.scans) deps.scanSoon(tx);
}

/** Deletes an upload that turned out to be a program, or cannot go on. */
async function giveUp({ db, storage }: UploadDeps, { tenantId, id }: UploadRow): Promise<void> {
  await db.tenant(tenantId, (tx) => dropUploads(tx, storage, eq(meetingUpload.id, id)));
}

/** Stores the bytes of a request as one piece; undefined if none arrived. */
async function storePiece(
  { storage }: UploadDeps,
  row: UploadRow,
  body: Readable,
): Promise<(Received & { piece: Piece }) | undefined> {
  const received: Received = { size: 0, crc: row.crc, head: Buffer.alloc(0) };
  const piece = { key: randomUUID(), size: 0 };
  await storage.put(keyOf(row.id, piece), Readable.from(whatArrives(body, received, row.size - row.received)));
  if (received.size > 0) return { ...received, piece: { ...piece, size: received.size } };
  await storage.delete(keyOf(row.id, piece));
  return undefined;
}

/** Adds a piece to an upload, and completes it with the last one. @throws AppError UPLOAD_OFFSET */
async function addPiece(
  deps: UploadDeps,
  row: UploadRow,
  { piece, crc }: Received & { piece: Piece },
): Promise<UploadRow> {
  const received = row.received + piece.size;
  const pieces = [...row.pieces, piece];
  const nature = received === row.size ? natureOf(await headOf(deps.storage, { ...row, pieces }), row.name) : undefined;
  if (nature?.kind === 'program') throw new AppError('FILE_KIND_REFUSED', { name: row.name });
  return deps.db.tenant(row.tenantId, async (tx) => {
    const [changed] = await tx.update(
      meetingUpload,
      { received, crc, pieces, expiresAt: expiryOf(deps.now()) },
      and(eq(meetingUpload.id, row.id), eq(meetingUpload.received, row.received)),
    );
    if (!changed) throw new AppError('UPLOAD_OFFSET');
    if (nature) await complete(deps, tx, changed, nature);
    return changed;
  });
}

/** Takes the bytes of uploads by tus. */
function createTus(deps: UploadDeps): UploadHandlers {
  const { db, storage, now } = deps;

  /** The state of an upload; of a completed one, that of its version, whose answer a client may have missed. */
  async function stateOf(caller: UserCaller, id: string) {
    return db.tenant(caller.tenantId, async (tx) => {
      const where = and(eq(meetingDocumentVersion.id, id), eq(meetingDocumentVersion.uploadedBy, caller.userId));
      const done = await tx.findOne(meetingDocumentVersion, where);
      if (done) return { offset: done.size, length: done.size, expiresAt: expiryOf(done.createdAt) };
      const { received, size, expiresAt } = await openUpload(tx, caller, id, now());
      return { offset: received, length: size, expiresAt };
    });
  }

  return {
    state: stateOf,

    async receive(caller, id, offset, body) {
      const row = await db.tenant(caller.tenantId, (tx) => openUpload(tx, caller, id, now()));
      if (row.received !== offset) throw new AppError('UPLOAD_OFFSET');
      if (row.pieces.length >= MEETING_FILE_LIMITS.pieces) {
        await giveUp(deps, row);
        throw new AppError('UPLOAD_BROKEN', { name: row.name });
      }
      const stored = await storePiece(deps, row, body);
      if (!stored) return stateOf(caller, id);
      try {
        if (offset === 0) mustBeNoProgram(stored.head, row.name);
        const { received, size, expiresAt } = await addPiece(deps, row, stored);
        return { offset: received, length: size, expiresAt };
      } catch (error) {
        await storage.delete(keyOf(row.id, stored.piece));
        if (error instanceof AppError && error.code === 'FILE_KIND_REFUSED') await giveUp(deps, row);
        throw error;
      }
    },

    async remove(caller, id) {
      await db.tenant(caller.tenantId, async (tx) => {
        await openUpload(tx, caller, id, now());
        await dropUploads(tx, storage, eq(meetingUpload.id, id));
      });
    },
  };
}

/** Begins uploads. */
function starting({ db, now }: UploadDeps) {
  return {
    /**
     * @throws AppError NOT_FOUND, FORBIDDEN, FILE_EMPTY, FILE_TOO_LARGE, FILE_KIND_REFUSED, MEETING_FILES_FULL,
     *   MEETING_FILE_SPACE_FULL, UPLOADS_TOO_MANY
     */
    async start(context: UserContext, body: StartBody): Promise<MeetingUpload> {
      const { caller } = context;
      const name = fileNameOf(body.name);
      return db.tenant(caller.tenantId, async (tx) => {
        const seen = await seenMeeting(tx, caller, body.meetId, now(), { lock: true });
        const existing = body.fileId === null ? undefined : (await ownDocument(tx, caller, body.fileId, now())).row;
        if (existing && existing.meetingId !== body.meetId) throw new AppError('NOT_FOUND');
        pathTo(await foldersOf(tx, body.meetId), body.folderId);
        if (!seen.manages && (body.audience !== 'members' || body.secretUntilStart)) throw new AppError('FORBIDDEN');
        mustFit(body, name);
        await mustHavePlace(tx, body.meetId, caller.userId, now());
        await mustHaveSpace(tx, body.size);
        const [row] = await tx.insert(meetingUpload, {
          id: newId(),
          meetingId: body.meetId,
          folderId: existing ? existing.folderId : body.folderId,
          documentId: body.fileId,
          name: existing?.name ?? name,
          size: body.size,
          received: 0,
          crc: 0,
          pieces: [],
          audience: body.audience,
          secretUntilStart: body.secretUntilStart,
          createdBy: caller.userId,
          createdAt: now(),
          expiresAt: expiryOf(now()),
        });
        if (!row) throw new Error('The row of an upload was not stored.');
        await recordAudit(tx, context, now(), {
          target: targetOf(seen),
          after: { file: row.name, bytes: row.size, audience: row.audience, secretUntilStart: row.secretUntilStart },
        });
        return presentUpload(row);
      });
    },
  };
}

/** Takes files: startUpload, then their bytes by tus. */
export function createUploads(deps: UploadDeps) {
  return { tus: createTus(deps), ...starting(deps) };
}
