import { randomBytes } from 'node:crypto';
import type { Media } from './types.ts';

/** `check-<creation time, ms>-<random>` */
const ROOM_NAME = /^check-(\d{13,})-[\w-]{16}$/;
/** How long the room of a check can be entered. */
const CHECK_SECONDS = 120;
/** A browser and its second attempt. */
const CAPACITY = 2;

interface CheckRoom {
  zone: Media;
  now: Date;
  /** The media server; any if missing. */
  server?: string;
  /** Whether the browser may send something, to measure the loss. */
  canPublish: boolean;
  /** How long the room is kept while nobody is in it. */
  emptySeconds?: number;
}

/** Whether a media room belongs to a check and can still be entered. */
export function isOpenCheck(room: string, now: Date): boolean {
  const madeAt = ROOM_NAME.exec(room)?.[1];
  return madeAt !== undefined && now.getTime() - Number(madeAt) < CHECK_SECONDS * 1_000;
}

/** Creates a room in which one browser tries its connection, and its token. Throws if the media server accepts none. */
export async function openCheckRoom({
  zone,
  now,
  server,
  canPublish,
  emptySeconds = CHECK_SECONDS,
}: CheckRoom): Promise<string> {
  const room = `check-${now.getTime()}-${randomBytes(12).toString('base64url')}`;
  await zone.createRoom(room, { capacity: CAPACITY, emptySeconds, ...(server === undefined ? {} : { server }) });
  return zone.token({
    room,
    identity: `check-${randomBytes(9).toString('base64url')}`,
    name: '',
    ttlSeconds: CHECK_SECONDS,
    canPublish,
    canSubscribe: true,
  });
}

/**
 * Deletes the rooms of finished checks, because LiveKit keeps a room as long as it has participants.
 *
 * @returns how many checks are still running
 */
export async function dropClosedChecks(zone: Media, now: Date): Promise<number> {
  let open = 0;
  for (const { name } of await zone.listRooms()) {
    if (!ROOM_NAME.test(name)) continue;
    if (isOpenCheck(name, now)) open += 1;
    else await zone.deleteRoom(name);
  }
  return open;
}
