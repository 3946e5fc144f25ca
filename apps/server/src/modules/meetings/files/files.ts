import { and, asc, eq, inArray, notInArray } from 'drizzle-orm';
import { LIMITS, type MeetingFile, type ReceivedFile } from '@rmeet/contract';
import { allOf } from '../../../platform/db/conditions.ts';
import { newId, type TenantTx } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/http/index.ts';
import type { Storage } from '../../../platform/storage/index.ts';
import { meeting, meetingFile, type MeetingFileRow, type MeetingRow } from '../tables.ts';

/** A stored file that a booking brings: received with it, or one of another meeting of its series. */
export type BookedFile = Pick<ReceivedFile, 'name' | 'size' | 'key'>;

function findFiles(tx: TenantTx, meetingIds: readonly string[]): Promise<MeetingFileRow[]> {
  if (meetingIds.length === 0) return Promise.resolve([]);
  return tx.find(meetingFile, inArray(meetingFile.meetingId, [...meetingIds]), {
    orderBy: [asc(meetingFile.position), asc(meetingFile.id)],
  });
}

/** The files of meetings as the contract shows them; meetings without any are missing. */
export async function filesOfMeetings(
  tx: TenantTx,
  meetingIds: readonly string[],
): Promise<Map<string, MeetingFile[]>> {
  const byMeeting = Map.groupBy(await findFiles(tx, meetingIds), (row) => row.meetingId);
  return new Map(
    [...byMeeting].map(([id, rows]) => [id, rows.map(({ id: fileId, name, size }) => ({ id: fileId, name, size }))]),
  );
}

/** The stored files of a meeting's booking, in their order. */
export function storedFilesOf(tx: TenantTx, meetingId: string): Promise<MeetingFileRow[]> {
  return findFiles(tx, [meetingId]);
}

export function findFile(tx: TenantTx, id: string): Promise<MeetingFileRow | undefined> {
  return tx.findOne(meetingFile, eq(meetingFile.id, id));
}

/** The meeting of a file, even if it was cancelled. */
export function findMeetingOfFile(
  tx: TenantTx,
  { meetingId }: Pick<MeetingFileRow, 'meetingId'>,
): Promise<MeetingRow | undefined> {
  return tx.findOne(meeting, eq(meeting.id, meetingId));
}

/**
 * Appends files to a meeting. Several meetings can share the same ones, as in a series.
 *
 * @throws AppError FILES_TOO_MANY
 */
export async function addFiles(
  tx: TenantTx,
  meetingId: string,
  received: readonly BookedFile[],
  createdAt: Date,
): Promise<void> {
  if (received.length === 0) return;
  const there = await findFiles(tx, [meetingId]);
  if (there.length + received.length > LIMITS.files) throw new AppError('FILES_TOO_MANY', { limit: LIMITS.files });
  const first = (there.at(-1)?.position ?? -1) + 1;
  await tx.insert(
    meetingFile,
    received.map(({ name, size, key }, at) => ({
      id: newId(),
      meetingId,
      name,
      size,
      storageKey: key,
      position: first + at,
      createdAt,
    })),
  );
}

/** Deletes stored files that no meeting references any more, after the commit. */
async function dropStored(tx: TenantTx, storage: Storage, rows: readonly MeetingFileRow[]): Promise<void> {
  if (rows.length === 0) return;
  const keys = [...new Set(rows.map((row) => row.storageKey))];
  const shared = new Set(
    (await tx.find(meetingFile, inArray(meetingFile.storageKey, keys))).map((row) => row.storageKey),
  );
  tx.afterCommit(async () => {
    for (const key of keys) if (!shared.has(key)) await storage.delete(key);
  });
}

/**
 * Removes all files of a meeting except these.
 *
 * @throws AppError FILE_UNKNOWN for one that it does not have
 */
export async function keepFiles(
  tx: TenantTx,
  storage: Storage,
  meetingId: string,
  fileIds: readonly string[],
): Promise<void> {
  const kept = new Set((await findFiles(tx, [meetingId])).map(({ id }) => id));
  if (fileIds.some((id) => !kept.has(id))) throw new AppError('FILE_UNKNOWN');
  const others = fileIds.length > 0 ? notInArray(meetingFile.id, [...fileIds]) : undefined;
  await dropStored(tx, storage, await tx.delete(meetingFile, and(eq(meetingFile.meetingId, meetingId), others)));
}

/** Deletes the files of meetings; to be called before a meeting's row is deleted. */
export async function removeFiles(tx: TenantTx, storage: Storage, meetingIds: readonly string[]): Promise<void> {
  if (meetingIds.length === 0) return;
  await dropStored(tx, storage, await tx.delete(meetingFile, allOf(inArray(meetingFile.meetingId, [...meetingIds]))));
}
