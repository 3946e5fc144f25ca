import { asc, eq } from 'drizzle-orm';
import { MEETING_FILE_LIMITS, type contract, type Input, type MeetingFolder } from '@rmeet/contract';
import { isUniqueViolation, newId, type Db, type TenantTx } from '../../platform/db/index.ts';
import { AppError, fileNameOf, type Context, type UserCaller } from '../../platform/http/index.ts';
import type { Storage } from '../../platform/storage/index.ts';
import { recordAudit } from '../audit/index.ts';
import { owns, seenFolder, seenMeeting, targetOf, type Seen } from './access.ts';
import { dropDocuments, dropUploads } from './drop.ts';
import { meetingDocument, meetingFolder, meetingUpload, type FolderRow } from './tables.ts';

type UserContext = Context<UserCaller>;

export function presentFolder(seen: Seen, row: FolderRow): MeetingFolder {
  const isOwn = owns(seen, row);
  const { id, name, createdAt } = row;
  return { id, name, createdAt: createdAt.toISOString(), can: { change: isOwn, remove: isOwn } };
}

/** All folders of a meeting, by name; 500 at most. */
export function foldersOf(tx: TenantTx, meetingId: string): Promise<FolderRow[]> {
  return tx.find(meetingFolder, eq(meetingFolder.meetingId, meetingId), {
    orderBy: [asc(meetingFolder.name), asc(meetingFolder.id)],
  });
}

/** The folders from the outermost one to this one; empty for null. @throws AppError NOT_FOUND for one of elsewhere */
export function pathTo(all: readonly FolderRow[], id: string | null): FolderRow[] {
  if (id === null) return [];
  const row = all.find((one) => one.id === id);
  if (!row) throw new AppError('NOT_FOUND');
  return [...pathTo(all, row.parentId), row];
}

/** A folder and all folders in it. */
function within(all: readonly FolderRow[], id: string): string[] {
  return [id, ...all.filter(({ parentId }) => parentId === id).flatMap((row) => within(all, row.id))];
}

/** Runs a change of a folder's name. @throws AppError FOLDER_EXISTS */
async function named<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isUniqueViolation(error, 'meeting_folder_name_key') ? new AppError('FOLDER_EXISTS', { name }) : error;
  }
}

export interface FolderDeps {
  db: Db;
  storage: Storage;
  now: () => Date;
}

/** Creates folders. */
function creating({ db, now }: FolderDeps) {
  return {
    /** @throws AppError NOT_FOUND, FOLDER_EXISTS, FOLDERS_TOO_MANY, FOLDER_TOO_DEEP */
    create(context: UserContext, { body }: Input<typeof contract.meetingFiles.createFolder>): Promise<MeetingFolder> {
      const { caller } = context;
      const name = fileNameOf(body.name);
      return named(name, () =>
        db.tenant(caller.tenantId, async (tx) => {
          const seen = await seenMeeting(tx, caller, body.meetId, now(), { lock: true });
          const all = await foldersOf(tx, body.meetId);
          if (all.length >= MEETING_FILE_LIMITS.folders)
            throw new AppError('FOLDERS_TOO_MANY', { limit: MEETING_FILE_LIMITS.folders });
          if (pathTo(all, body.parentId).length >= MEETING_FILE_LIMITS.depth)
            throw new AppError('FOLDER_TOO_DEEP', { limit: MEETING_FILE_LIMITS.depth });
          const [row] = await tx.insert(meetingFolder, {
            id: newId(),
            meetingId: body.meetId,
            parentId: body.parentId,
            name,
            createdBy: caller.userId,
            createdAt: now(),
          });
          if (!row) throw new Error('The row of a folder was not stored.');
          await recordAudit(tx, context, now(), { target: targetOf(seen), after: { folder: name } });
          return presentFolder(seen, row);
        }),
      );
    },
  };
}

/** Renames folders. */
function renaming({ db, now }: FolderDeps) {
  return {
    /** @throws AppError NOT_FOUND, FORBIDDEN, FOLDER_EXISTS */
    rename(
      context: UserContext,
      { params, body }: Input<typeof contract.meetingFiles.renameFolder>,
    ): Promise<MeetingFolder> {
      const { caller } = context;
      const name = fileNameOf(body.name);
      return named(name, () =>
        db.tenant(caller.tenantId, async (tx) => {
          const { row, seen } = await seenFolder(tx, caller, params.id, now());
          if (!owns(seen, row)) throw new AppError('FORBIDDEN');
          const [changed] = await tx.update(meetingFolder, { name }, eq(meetingFolder.id, row.id));
          await recordAudit(tx, context, now(), {
            target: targetOf(seen),
            before: { folder: row.name },
            after: { folder: name },
          });
          return presentFolder(seen, changed ?? row);
        }),
      );
    },
  };
}

/** Deletes folders. */
function removing({ db, storage, now }: FolderDeps) {
  return {
    /** @throws AppError NOT_FOUND, FORBIDDEN */
    async remove(context: UserContext, id: string): Promise<null> {
      const { caller } = context;
      await db.tenant(caller.tenantId, async (tx) => {
        const { row, seen } = await seenFolder(tx, caller, id, now());
        const ids = within(await foldersOf(tx, row.meetingId), id);
        let files = 0;
        for (const folderId of ids) {
          const inside = await tx.count(meetingDocument, eq(meetingDocument.folderId, folderId));
          const arriving = await tx.count(meetingUpload, eq(meetingUpload.folderId, folderId));
          files += inside;
          if (!seen.manages && (row.createdBy !== caller.userId || ids.length > 1 || inside + arriving > 0))
            throw new AppError('FORBIDDEN');
        }
        for (const folderId of ids) {
          await dropDocuments(tx, storage, eq(meetingDocument.folderId, folderId));
          await dropUploads(tx, storage, eq(meetingUpload.folderId, folderId));
        }
        await tx.delete(meetingFolder, eq(meetingFolder.id, id));
        await recordAudit(tx, context, now(), {
          target: targetOf(seen),
          before: { folder: row.name, files },
        });
      });
      return null;
    },
  };
}

/** Creates, renames and deletes folders. */
export function createFolders(deps: FolderDeps) {
  return { ...creating(deps), ...renaming(deps), ...removing(deps) };
}
