import {
  AccessToken,
  RoomServiceClient,
  TrackSource,
  TrackType,
  type ParticipantInfo,
  type VideoGrant,
} from 'livekit-server-sdk';
import type { Log } from '../log/log.ts';
import {
  MEDIA_SOURCES,
  type Media,
  type MediaParticipant,
  type MediaSource,
  type MediaServer,
  type ParticipantChange,
  type TokenOptions,
  type ZoneNames,
} from './types.ts';
import type { MediaFront } from './front.ts';

export interface MediaOptions {
  /** The engine's server API: the loopback port of the media process, or LIVEKIT_URL. */
  serverUrl: string;
  /** The address for browsers: LIVEKIT_URL; undefined if this server forwards to the engine under its own address. */
  publicUrl: string | undefined;
  apiKey: string;
  apiSecret: string;
  log: Log;
  zone?: ZoneNames;
  /** For the embedded engine: its media processes, which are the zone's media servers. */
  processes?: MediaFront['processes'];
  udpPorts?: readonly number[];
}

/** The zone of this server's own engine, or of the cluster at LIVEKIT_URL. */
export const OWN_ZONE: ZoneNames = { id: 'local', name: '' };
/** The weight of a room on a server that does not report its load, in addition to one per participant. */
const ROOM_WEIGHT = 4;

export interface MediaClient extends Media {
  /** Checks now whether the engine answers. */
  check(): Promise<boolean>;
  close(): void;
}

const CHECK_EVERY = 2_000;
const REQUEST_SECONDS = 5;
const CALL_TOKEN_SECONDS = 60;
/** Maximum number of concurrent calls to a LiveKit server for one room. */
const PARALLEL = 16;
/**
 * Rooms are created explicitly and may wait for their first terminal; an empty one is kept for terminals that reload.
 */
const EMPTY_SECONDS = 3_600;
const DEPARTURE_SECONDS = 300;

const sources: Record<MediaSource, TrackSource> = {
  camera: TrackSource.CAMERA,
  microphone: TrackSource.MICROPHONE,
  screenShare: TrackSource.SCREEN_SHARE,
  screenShareAudio: TrackSource.SCREEN_SHARE_AUDIO,
};

/** The product's name for a source; undefined for unknown ones. */
function sourceOf(source: TrackSource | undefined): MediaSource | undefined {
  return MEDIA_SOURCES.find((name) => sources[name] === source);
}

function participantOf({ identity, name, metadata, joinedAt, permission, tracks }: ParticipantInfo): MediaParticipant {
  return {
    identity,
    name,
    metadata,
    joinedAt: new Date(Number(joinedAt) * 1_000),
    permission: {
      canPublish: permission?.canPublish ?? false,
      canPublishSources: (permission?.canPublishSources ?? []).flatMap((source) => sourceOf(source) ?? []),
    },
    tracks: tracks.map((track) => ({
      sid: track.sid,
      kind: track.type === TrackType.AUDIO ? 'audio' : 'video',
      source: sourceOf(track.source) ?? 'unknown',
      muted: track.muted,
    })),
  };
}

/** The same address for another protocol, secure if it was before. */
function withScheme(url: string, scheme: 'http' | 'ws'): string {
  const { protocol, host, pathname } = new URL(url);
  const isSecure = protocol === 'https:' || protocol === 'wss:';
  return `${scheme}${isSecure ? 's' : ''}://${host}${pathname.replace(/\/$/, '')}`;
}

/** Twirp's code for a missing object (twitchtv.github.io/twirp, errors). */
function isNotFound(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'not_found' || (error as { status?: unknown }).status === 404;
}

/** False if the object of the call does not exist. */
async function unlessMissing(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return false;
  }
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const lane = async (): Promise<void> => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(PARALLEL, items.length) }, lane));
}

/** The engine replaces a permission as a whole; the other fields are those of terminals' tokens. */
const onWire = ({ permission, name }: ParticipantChange) => ({
  ...(permission
    ? {
        permission: {
          ...permission,
          canPublishSources: permission.canPublishSources.map((source) => sources[source]),
          canSubscribe: true,
        },
      }
    : {}),
  ...(name === undefined ? {} : { name }),
});

/** LiveKit's server API changes one participant at a time. */
async function updateEach(
  rooms: RoomServiceClient,
  log: Log,
  room: string,
  changes: readonly ParticipantChange[],
): Promise<string[]> {
  const failed: string[] = [];
  await inParallel(changes, async (change) => {
    try {
      await unlessMissing(rooms.updateParticipant(room, change.identity, onWire(change)));
    } catch (error) {
      log.warn({ error, room, termId: change.identity }, 'The media engine did not change a terminal');
      failed.push(change.identity);
    }
  });
  return failed;
}

/**
 * The embedded engine changes all participants in one call of its own: a hundred calls of LiveKit's API take it and
 * this server a tenth of a second each.
 */
async function updateTogether(
  { serverUrl, apiKey, apiSecret, log }: Pick<MediaOptions, 'serverUrl' | 'apiKey' | 'apiSecret' | 'log'>,
  room: string,
  changes: readonly ParticipantChange[],
): Promise<string[]> {
  const token = new AccessToken(apiKey, apiSecret, { ttl: CALL_TOKEN_SECONDS });
  token.addGrant({ room, roomAdmin: true });
  const participants = changes.map((change) => ({ identity: change.identity, ...onWire(change) }));
  try {
    const answer = await fetch(`${withScheme(serverUrl, 'http')}/twirp/rmeet.RoomService/UpdateParticipants`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await token.toJwt()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ room, participants }),
      signal: AbortSignal.timeout(REQUEST_SECONDS * 1_000),
    });
    if (!answer.ok) throw new Error(`The media engine answered ${answer.status}: ${await answer.text()}`);
    const { failed } = (await answer.json()) as { failed: string[] };
    if (failed.length > 0) log.warn({ room, termIds: failed }, 'The media engine did not change some terminals');
    return failed;
  } catch (error) {
    log.warn({ error, room }, 'The media engine did not change terminals');
    return changes.map(({ identity }) => identity);
  }
}

/** The media servers of a zone: the embedded engine's processes, or one external server, even if it is a cluster. */
function createServers(
  rooms: RoomServiceClient,
  zone: ZoneNames,
  processes: MediaOptions['processes'],
  isAvailable: () => boolean,
) {
  const serverId = (index: number): string => `${zone.id}-${index + 1}`;

  return {
    async list(): Promise<MediaServer[]> {
      if (processes)
        return (await processes.statuses()).map(({ index, state, load }) => ({
          id: serverId(index),
          state,
          load: state === 'up' || state === 'full' ? load : null,
        }));
      try {
        const all = await rooms.listRooms();
        const load = all.reduce((sum, { numParticipants }) => sum + numParticipants + ROOM_WEIGHT, 0);
        return [{ id: serverId(0), state: 'up', load }];
      } catch {
        return [{ id: serverId(0), state: isAvailable() ? 'silent' : 'away', load: null }];
      }
    },

    /** The server that hosts a room; null if none does. */
    async of(room: string): Promise<string | null> {
      if (!processes) return serverId(0);
      const found = await processes.find(room);
      return found ? serverId(found.index) : null;
    },

    /** Makes sure that a room will be created on a server. Throws if the server accepts no rooms. */
    async choose(name: string, server: string): Promise<void> {
      const isChosen = processes
        ? await processes.choose(name, Number(server.slice(zone.id.length + 1)) - 1)
        : server === serverId(0);
      if (!isChosen) throw new Error(`Media server ${server} takes no rooms.`);
    },
  };
}

/** A LiveKit access token. */
async function accessToken(
  { apiKey, apiSecret }: Pick<MediaOptions, 'apiKey' | 'apiSecret'>,
  {
    room,
    identity,
    name,
    metadata,
    ttlSeconds,
    canPublish,
    canPublishSources,
    canSubscribe,
    hidden = false,
  }: TokenOptions,
): Promise<string> {
  const grant: VideoGrant = {
    room,
    roomJoin: true,
    canPublish,
    canSubscribe,
    canPublishData: false,
    hidden,
    canUpdateOwnMetadata: false,
    ...(canPublishSources ? { canPublishSources: canPublishSources.map((source) => sources[source]) } : {}),
  };
  const token = new AccessToken(apiKey, apiSecret, {
    identity,
    name,
    ttl: ttlSeconds,
    ...(metadata === undefined ? {} : { metadata }),
  });
  token.addGrant(grant);
  return token.toJwt();
}

/** The media engine through its server API. Checks every two seconds whether it responds. */
// oxlint-disable-next-line max-lines-per-function -- a flat list of the engine's calls
export function createMedia({
  serverUrl,
  publicUrl,
  apiKey,
  apiSecret,
  log,
  zone = OWN_ZONE,
  processes,
  udpPorts = [],
}: MediaOptions): MediaClient {
  const rooms = new RoomServiceClient(withScheme(serverUrl, 'http'), apiKey, apiSecret, {
    requestTimeout: REQUEST_SECONDS,
    failover: false,
  });
  const keys = { apiKey, apiSecret };
  let isAvailable = false;

  async function check(): Promise<boolean> {
    let answers = true;
    try {
      await rooms.listRooms(['-']);
    } catch (error) {
      answers = false;
      if (isAvailable) log.warn({ error }, 'The media engine does not answer');
    }
    if (answers && !isAvailable) log.info('The media engine answers');
    isAvailable = answers;
    return answers;
  }

  const timer = setInterval(() => void check(), CHECK_EVERY);

  const servers = createServers(rooms, zone, processes, () => isAvailable);

  const media: MediaClient = {
    zone,
    zones: () => [media],
    in: () => media,
    udpPorts,
    servers: () => servers.list(),
    serverOf: (room) => servers.of(room),
    check,
    close: () => clearInterval(timer),
    available: () => isAvailable,
    url: ({ origin }) => withScheme(publicUrl ?? origin, 'ws'),
    createRoom: async (name, { capacity, server = null, emptySeconds }) => {
      if (server !== null) await servers.choose(name, server);
      await rooms.createRoom({
        name,
        maxParticipants: capacity,
        emptyTimeout: emptySeconds ?? EMPTY_SECONDS,
        departureTimeout: emptySeconds ?? DEPARTURE_SECONDS,
      });
    },
    deleteRoom: async (name) => {
      await unlessMissing(rooms.deleteRoom(name));
    },
    listRooms: async () =>
      (await rooms.listRooms()).map(({ name, numParticipants, metadata }) => ({
        name,
        participantCount: numParticipants,
        metadata,
      })),
    listParticipants: async (room) => (await rooms.listParticipants(room)).map(participantOf),
    removeParticipant: async (room, identity) => {
      await unlessMissing(rooms.removeParticipant(room, identity));
    },
    updateParticipants: async (room, changes) => {
      if (changes.length === 0) return [];
      return publicUrl === undefined
        ? updateTogether({ ...keys, serverUrl, log }, room, changes)
        : updateEach(rooms, log, room, changes);
    },
    setRoomMetadata: async (room, metadata) => {
      await unlessMissing(rooms.updateRoomMetadata(room, metadata));
    },
    token: (options) => accessToken(keys, options),
  };
  return media;
}
