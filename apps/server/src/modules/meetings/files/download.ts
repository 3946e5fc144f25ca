import type { TenantTx } from '../../../platform/db/index.ts';
import { AppError, type UserCaller } from '../../../platform/http/index.ts';
import { relationIn } from '../access/access.ts';
import type { MeetingFileRow } from '../tables.ts';
import { findFile, findMeetingOfFile } from './files.ts';

/**
 * A file that was sent with a booking; undefined if there is none with this id.
 *
 * @throws AppError NOT_FOUND if its meeting is not visible to the caller
 */
export async function findFileOfMeeting(
  tx: TenantTx,
  caller: UserCaller,
  id: string,
): Promise<MeetingFileRow | undefined> {
  const row = await findFile(tx, id);
  if (!row) return undefined;
  const meeting = await findMeetingOfFile(tx, row);
  if (!meeting || (await relationIn(tx, caller, meeting)) === 'none') throw new AppError('NOT_FOUND');
  return row;
}
