import { AccessToken, RoomServiceClient, type VideoGrant } from 'livekit-server-sdk';
import { start, type EngineOptions } from '@rmeet/sfu';
import { transportOption } from '../../testkit/src/transport.ts';
import { Participant, type ConnectOptions } from '../src/index.ts';

/** A media engine with one room: the embedded one, or the LiveKit server of the test matrix. */
export interface TestEngine {
  url: string;
  room: string;
  /** The server API. */
  service: RoomServiceClient;
  token(identity: string, grant?: Partial<VideoGrant>): Promise<string>;
  /** Joins under an identity. */
  join(identity: string, options?: Partial<ConnectOptions>): Promise<Participant>;
  /** Removes a participant through the server API. */
  remove(identity: string): Promise<void>;
  close(): Promise<void>;
}

/** `embedded`: options of the embedded one. */
export async function startEngine(embedded: Partial<EngineOptions> = {}): Promise<TestEngine> {
  const served = process.env['RMEET_TEST_LIVEKIT_URL'];
  const apiKey = served ? process.env['RMEET_TEST_LIVEKIT_API_KEY']! : 'test';
  const apiSecret = served
    ? process.env['RMEET_TEST_LIVEKIT_API_SECRET']!
    : 'a secret of the tests of at least 32 bytes';
  const engine = served
    ? undefined
    : await start({ host: '127.0.0.1', port: 0, udpPort: 0, ...transportOption(), apiKey, apiSecret, ...embedded });
  const url = served ?? `ws://127.0.0.1:${engine!.port}`;
  const room = `test-${process.pid}-${Math.random().toString(36).slice(2)}`;
  const joined: Participant[] = [];
  const service = new RoomServiceClient(url.replace('ws', 'http'), apiKey, apiSecret);
  const token = (identity: string, grant: Partial<VideoGrant> = {}): Promise<string> => {
    const accessToken = new AccessToken(apiKey, apiSecret, { identity, name: identity });
    accessToken.addGrant({
      room,
      roomJoin: true,
      canPublish: true,
      canSubscribe: true,
      canPublishData: true,
      ...grant,
    });
    return accessToken.toJwt();
  };
  return {
    url,
    room,
    service,
    token,
    join: async (identity, options = {}) => {
      const participant = await Participant.connect({ url, token: await token(identity), ...options });
      joined.push(participant);
      return participant;
    },
    remove: (identity) => service.removeParticipant(room, identity),
    close: async () => {
      for (const participant of joined) if (!participant.ended) participant.leave();
      await engine?.close();
    },
  };
}
