import type { Media, MediaParticipant } from '../../../platform/media/index.ts';
import type { PlatformTx } from '../../../platform/db/index.ts';
import { authorizedWatchers } from '../desk/index.ts';
import type { RecordingPort } from '../recording/port.ts';
import type { ConferenceRow, TerminalRow } from '../tables.ts';
import { mediaOf, parseRoomName, type OpenRoom } from './media-rooms.ts';

/** A room on one of the engines, and the conference that it belongs to. */
export interface ObservedRoom extends OpenRoom {
  metadata: string;
  id: string;
  generation: number;
}

/** The state of one conference on the media engine. */
export interface ObservedConference {
  participants: MediaParticipant[];
  /** Metadata of the room. */
  metadata: string;
  /** Previous rooms that still exist, and who is in them. */
  previous: (OpenRoom & { participants: MediaParticipant[] })[];
}

/** Everybody on the media engine, in the current room and in previous ones. */
export function participantsOf({ participants, previous }: ObservedConference): MediaParticipant[] {
  return [...participants, ...previous.flatMap((room) => room.participants)];
}

/** The rooms of conferences on all engines, and the engines that did not answer. */
export async function observeRooms(
  media: Media,
): Promise<{ rooms: ObservedRoom[]; unavailable: Set<Media>; failure: unknown }> {
  const rooms: ObservedRoom[] = [];
  const unavailable = new Set<Media>();
  let failure: unknown;
  const observe = async (engine: Media): Promise<void> => {
    try {
      if (!engine.available()) unavailable.add(engine);
      else
        for (const { name, metadata } of await engine.listRooms()) {
          const parts = parseRoomName(name);
          if (parts) rooms.push({ media: engine, name, metadata, ...parts });
        }
    } catch (error) {
      unavailable.add(engine);
      failure = error;
    }
  };
  await Promise.all(media.zones().map(observe));
  return { rooms, unavailable, failure };
}

/** The current room of a conference among the observed ones. */
export function currentRoom(
  media: Media,
  conference: ConferenceRow,
  rooms: readonly ObservedRoom[],
): ObservedRoom | undefined {
  return rooms.find(
    ({ media: engine, id, generation }) =>
      id === conference.id && generation === conference.generation && engine === mediaOf(media, conference),
  );
}

/**
 * Lists the participants of a conference's rooms.
 *
 * @param room its current room
 * @param rooms all observed rooms of the conference
 */
export async function observeConference(
  { generation }: ConferenceRow,
  room: ObservedRoom,
  rooms: readonly ObservedRoom[],
): Promise<ObservedConference> {
  const previous = rooms
    .filter((one) => one.generation < generation)
    .map(async ({ media: engine, name }) => ({
      media: engine,
      name,
      participants: await engine.listParticipants(name),
    }));
  return {
    participants: await room.media.listParticipants(room.name),
    metadata: room.metadata,
    previous: await Promise.all(previous),
  };
}

/**
 * Identities of desks and recorders that are authorized to watch. Queried only for conferences with other
 * participants.
 */
export async function findWatchers(
  tx: PlatformTx,
  observed: ReadonlyMap<string, ObservedConference>,
  present: readonly TerminalRow[],
  recordings: Pick<RecordingPort, 'recordersIn'>,
  now: Date,
): Promise<Set<string>> {
  const terminals = new Set(present.map((row) => row.termId));
  const ids = [...observed]
    .filter(([, one]) => participantsOf(one).some(({ identity }) => !terminals.has(identity)))
    .map(([id]) => id);
  const desks = (await authorizedWatchers(tx, ids, now)).map(({ identity }) => identity);
  return new Set([...desks, ...(await recordings.recordersIn(tx, ids))]);
}
