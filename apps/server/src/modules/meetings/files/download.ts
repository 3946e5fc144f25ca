import type { Db } from '../../../platform/db/index.ts';
import { AppError, type Context, type FileAnswer, type UserCaller } from '../../../platform/http/index.ts';
import type { Storage } from '../../../platform/storage/index.ts';
import { answerWithFile } from '../../files/index.ts';
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
      return answerWithFile(storage, file);
    },
  };
}

export type FileDownloads = ReturnType<typeof createFileDownloads>;
