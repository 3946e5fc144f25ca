import type { LocalTrack, RemoteTrack } from '@rmeet/participant/rtc';
import { AccessToken } from 'livekit-server-sdk';

/** The sent and received tracks of a load that is set up. */
export interface Running {
  sent: LocalTrack[];
  received: () => RemoteTrack[];
}

/** An access token for the benchmark's one room. */
export function benchToken(apiKey: string, apiSecret: string, identity: string): Promise<string> {
  const token = new AccessToken(apiKey, apiSecret, { identity });
  token.addGrant({ room: 'bench', roomJoin: true, canPublish: true, canSubscribe: true });
  return token.toJwt();
}

/** Creates `count` objects, ten at a time. */
export async function inGroups<T>(count: number, make: (n: number) => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  for (let n = 0; n < count; n += 10) {
    made.push(...(await Promise.all(Array.from({ length: Math.min(10, count - n) }, (_, i) => make(n + i)))));
  }
  return made;
}
