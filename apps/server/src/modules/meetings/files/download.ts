import type { Db } from '../../../platform/db/index.ts';
import { AppError, FileAnswer, type Context, type UserCaller } from '../../../platform/http/index.ts';
import { FileMissing, type Storage } from '../../../platform/storage/index.ts';
import { relationIn } from '../access/access.ts';
import { findFile, findMeetingOfFile } from './files.ts';

type UserContext = Context<UserCaller>;

/** Downloads of files that belong to meetings. */
export function createFileDownloads({ db, storage }: { db: Db; storage: Storage }) {
  return {
    /** @throws AppError NOT_FOUND if its meeting is not visible to the caller */
    async download({ caller }: UserContext, id: string): Promise<FileAnswer> {
      const file = await db.tenant(caller.tenantId, async (tx) => {
        const row = await findFile(tx, id);
        const meeting = row && (await findMeetingOfFile(tx, row));
        if (!row || !meeting || (await relationIn(tx, caller, meeting)) === 'none') throw new AppError('NOT_FOUND');
        return row;
      });
      try {
        // The type of the upload is ignored, so that no uploaded file is executed in the page.
        return new FileAnswer({
          name: file.name,
          type: 'application/octet-stream',
          body: await storage.get(file.storageKey),
        });
      } catch (error) {
        throw error instanceof FileMissing ? new AppError('NOT_FOUND') : error;
      }
    },
  };
}

export type FileDownloads = ReturnType<typeof createFileDownloads>;
