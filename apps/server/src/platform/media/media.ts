import { AccessToken, RoomServiceClient, TrackSource, TrackType, type ParticipantInfo, type VideoGrant } from 'livekit-server-sdk';
import type { Log } from '../log/log.ts';
import { MEDIA_SOURCES, type Media, type MediaParticipant, type MediaSource } from './types.ts';

export interface MediaOptions {
  /** The engine's server API: the loopback port of the media process, or LIVEKIT_URL. */
  serverUrl: string;
  /** What browsers are told: LIVEKIT_URL; undefined when this server passes the engine on under its own address. */
  publicUrl: string | undefined;
  apiKey: string;
  apiSecret: string;
  log: Log;
}

export interface MediaClient extends Media {
  /** Asks the engine now whether it answers. */
  check(): Promise<boolean>;
  close(): void;
}

const CHECK_EVERY = 2_000;
const REQUEST_SECONDS = 5;
/** Rooms are made explicitly and may wait for their first terminal; an empty one stays for those who reload. */
const EMPTY_SECONDS = 3_600;
const DEPARTURE_SECONDS = 300;

const sources: Record<MediaSource, TrackSource> = {
  camera: TrackSource.CAMERA,
  microphone: TrackSource.MICROPHONE,
  screenShare: TrackSource.SCREEN_SHARE,
  screenShareAudio: TrackSource.SCREEN_SHARE_AUDIO,
};

/** The product's word for a source; undefined for those it does not know. */
function sourceOf(source: TrackSource | undefined): MediaSource | undefined {
  return MEDIA_SOURCES.find((name) => sources[name] === source);
}

function participantOf({ identity, name, metadata, joinedAt, permission, tracks }: ParticipantInfo): MediaParticipant {
  return {
    identity, name, metadata, joinedAt: new Date(Number(joinedAt) * 1_000),
    permission: {
      canPublish: permission?.canPublish ?? false,
      canPublishSources: (permission?.canPublishSources ?? []).flatMap((source) => sourceOf(source) ?? []),
    },
    tracks: tracks.map((track) => ({
      sid: track.sid, kind: track.type === TrackType.AUDIO ? 'audio' : 'video', source: sourceOf(track.source) ?? 'unknown', muted: track.muted,
    })),
  };
}

/** The same address for another protocol, secure when it was. */
function withScheme(url: string, scheme: 'http' | 'ws'): string {
  const { protocol, host, pathname } = new URL(url);
  const isSecure = protocol === 'https:' || protocol === 'wss:';
  return `${scheme}${isSecure ? 's' : ''}://${host}${pathname.replace(/\/$/, '')}`;
}

/** Twirp's code for what is not there (twitchtv.github.io/twirp, errors). */
function isNotFound(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'not_found' || (error as { status?: unknown }).status === 404;
}

/** False when what the call is about is not there. */
async function unlessMissing(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return false;
  }
}

/** The media engine by its server API; asks it every two seconds whether it is there. */
export function createMedia({ serverUrl, publicUrl, apiKey, apiSecret, log }: MediaOptions): MediaClient {
  const rooms = new RoomServiceClient(withScheme(serverUrl, 'http'), apiKey, apiSecret, { requestTimeout: REQUEST_SECONDS, failover: false });
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

  return {
    check,
    close: () => clearInterval(timer),
    available: () => isAvailable,
    url: ({ origin }) => withScheme(publicUrl ?? origin, 'ws'),
    createRoom: async (name, { capacity }) => {
      await rooms.createRoom({ name, maxParticipants: capacity, emptyTimeout: EMPTY_SECONDS, departureTimeout: DEPARTURE_SECONDS });
    },
    deleteRoom: async (name) => {
      await unlessMissing(rooms.deleteRoom(name));
    },
    listRooms: async () => (await rooms.listRooms()).map(({ name, numParticipants, metadata }) => ({ name, participantCount: numParticipants, metadata })),
    listParticipants: async (room) => (await rooms.listParticipants(room)).map(participantOf),
    removeParticipant: async (room, identity) => {
      await unlessMissing(rooms.removeParticipant(room, identity));
    },
    updateParticipant: (room, identity, { permission, name }) =>
      unlessMissing(rooms.updateParticipant(room, identity, {
        // The engine takes a permission as a whole: the rest is as tokens of terminals have it.
        ...(permission ? { permission: { ...permission, canPublishSources: permission.canPublishSources.map((source) => sources[source]), canSubscribe: true } } : {}),
        ...(name === undefined ? {} : { name }),
      })),
    setRoomMetadata: async (room, metadata) => {
      await unlessMissing(rooms.updateRoomMetadata(room, metadata));
    },
    async token({ room, identity, name, metadata, ttlSeconds, canPublish, canPublishSources, canSubscribe, hidden = false }) {
      const grant: VideoGrant = {
        room, roomJoin: true, canPublish, canSubscribe, canPublishData: false, hidden, canUpdateOwnMetadata: false,
        ...(canPublishSources ? { canPublishSources: canPublishSources.map((source) => sources[source]) } : {}),
      };
      const token = new AccessToken(apiKey, apiSecret, { identity, name, ttl: ttlSeconds, ...(metadata === undefined ? {} : { metadata }) });
      token.addGrant(grant);
      return token.toJwt();
    },
  };
}
