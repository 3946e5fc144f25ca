import { transportOption } from '@rmeet/testkit';
import { AccessToken, RoomServiceClient, TrackSource, type VideoGrant } from 'livekit-server-sdk';
import { start, type Engine, type EngineOptions } from '../../src/index.ts';
import { needNative } from './native.ts';

export const apiKey = 'testkey';
export const apiSecret = 'a-secret-that-is-32-characters-long';

/**
 * An engine on free ports, on the transport of RMEET_TEST_TRANSPORT. `SFU_LOG=1` in the environment prints its log.
 * Where the native transport is missing, a test whose options select it is skipped.
 */
export async function startEngine(options: Partial<EngineOptions> = {}): Promise<Engine> {
  if (options.transport === 'native') needNative();
  const print = process.env['SFU_LOG'] !== undefined;
  return await start({
    host: '127.0.0.1',
    port: 0,
    udpPort: 0,
    ...transportOption(),
    apiKey,
    apiSecret,
    log: (level, message, fields) => {
      if (print) process.stderr.write(`${level} ${message} ${JSON.stringify(fields)}\n`);
    },
    ...options,
  });
}

export interface TokenOptions extends VideoGrant {
  ttl?: number | string;
  name?: string;
}

export async function joinToken(identity: string, room: string, options: TokenOptions = {}): Promise<string> {
  const { ttl = 600, name = identity, ...grant } = options;
  const token = new AccessToken(apiKey, apiSecret, { identity, name, ttl });
  token.addGrant({ roomJoin: true, room, ...grant });
  return await token.toJwt();
}

export function roomService(engine: { port: number }): RoomServiceClient {
  return new RoomServiceClient(`http://127.0.0.1:${engine.port}`, apiKey, apiSecret);
}

export { TrackSource };

/** Waits until `probe` returns a truthy value; rejects with the last value. */
export async function until<T>(what: string, probe: () => T | Promise<T>, timeoutMs = 15_000): Promise<NonNullable<T>> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const value = await probe();
    if (value) return value;
    if (performance.now() > deadline) throw new Error(`timed out waiting until ${what}`);
    const { promise, resolve } = Promise.withResolvers<void>();
    setTimeout(resolve, 50);
    await promise;
  }
}
