import { AccessToken, RoomServiceClient, TrackSource, type VideoGrant } from 'livekit-server-sdk';
import type { Log } from '../log/log.ts';
import type { Media, MediaSource } from './types.ts';

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

async function unlessMissing(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isNotFound(error)) throw error;
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
    deleteRoom: (name) => unlessMissing(rooms.deleteRoom(name)),
    listRooms: async () => (await rooms.listRooms()).map(({ name, numParticipants }) => ({ name, participantCount: numParticipants })),
    listParticipants: async (room) =>
      (await rooms.listParticipants(room)).map(({ identity, name, joinedAt }) => ({ identity, name, joinedAt: new Date(Number(joinedAt) * 1_000) })),
    removeParticipant: (room, identity) => unlessMissing(rooms.removeParticipant(room, identity)),
    async token({ room, identity, name, metadata, ttlSeconds, canPublish, canPublishSources, canSubscribe, hidden = false }) {
      const grant: VideoGrant = {
        room, roomJoin: true, canPublish, canSubscribe, canPublishData: canPublish, hidden, canUpdateOwnMetadata: false,
        ...(canPublishSources ? { canPublishSources: canPublishSources.map((source) => sources[source]) } : {}),
      };
      const token = new AccessToken(apiKey, apiSecret, { identity, name, ttl: ttlSeconds, ...(metadata === undefined ? {} : { metadata }) });
      token.addGrant(grant);
      return token.toJwt();
    },
  };
}
