import type { Media } from '../../../platform/media/index.ts';
import type { ConferenceRow } from '../tables.ts';

/** The name of a conference's LiveKit room. */
export function roomName(conference: Pick<ConferenceRow, 'id' | 'generation'>): string {
  return `${conference.id}.${conference.generation}`;
}

const ROOM_NAME = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(\d+)$/;

/** Conference id and generation of a room name; undefined for the name of another kind of room. */
export function parseRoomName(name: string): { id: string; generation: number } | undefined {
  const [, id, generation] = ROOM_NAME.exec(name) ?? [];
  return id === undefined ? undefined : { id, generation: Number(generation) };
}

/** Milliseconds that terminals have to move to a new room before the old one is deleted. */
export const MOVE_GRACE = 20_000;

/** The engine of a conference's media zone. */
export function mediaOf(media: Media, { zoneId }: Pick<ConferenceRow, 'zoneId'>): Media {
  return media.in(zoneId);
}

/** A room that terminals of a conference may be in, and the engine that hosts it. */
export interface OpenRoom {
  media: Media;
  name: string;
}

/** The room of a conference and, while terminals move to it, the previous one. */
export function openRooms(
  media: Media,
  conference: Pick<ConferenceRow, 'id' | 'generation' | 'zoneId' | 'previousZoneId' | 'movedAt'>,
  now: Date,
): OpenRoom[] {
  const { id, generation, previousZoneId, movedAt } = conference;
  const isMoving = previousZoneId !== null && movedAt !== null && now.getTime() - movedAt.getTime() < MOVE_GRACE;
  const previous = isMoving
    ? [{ media: media.in(previousZoneId), name: roomName({ id, generation: generation - 1 }) }]
    : [];
  return [{ media: mediaOf(media, conference), name: roomName(conference) }, ...previous];
}
