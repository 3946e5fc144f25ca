import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { EngineOptions } from '@rmeet/sfu';
import { transportOption } from './transport.ts';

/** A media engine of which only address and key are known. */
export interface MediaEngine {
  kind: 'embedded' | 'livekit';
  /** `ws://host:port` */
  url: string;
  apiKey: string;
  apiSecret: string;
  stop(): Promise<void>;
}

interface EngineProcessOptions extends Partial<Omit<EngineOptions, 'log' | 'apiKey' | 'apiSecret' | 'webhooks'>> {
  /** URL that receives webhooks on rooms, signed with the engine's key. */
  webhookUrls?: string[];
}

/** An embedded engine in its own process, without the product. */
async function startEngineProcess({ webhookUrls, ...options }: EngineProcessOptions): Promise<MediaEngine> {
  const key = { apiKey: 'testkey', apiSecret: 'a-secret-that-is-32-characters-long' };
  const given = {
    host: '127.0.0.1',
    port: 0,
    udpPort: 0,
    ...transportOption(),
    ...key,
    ...(webhookUrls ? { webhooks: { urls: webhookUrls, ...key } } : {}),
    ...options,
  };
  const child = fork(join(import.meta.dirname, 'engine-process.ts'), [JSON.stringify(given)], { execArgv: [] });
  const exit = once(child, 'exit');
  const first = await Promise.race([
    once(child, 'message'),
    exit.then(([code]) => Promise.reject(new Error(`the engine ended with code ${String(code)}`))),
  ]);
  const { port } = (first as [{ port: number }])[0];
  return {
    kind: 'embedded',
    url: `ws://127.0.0.1:${port}`,
    ...key,
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill();
      await exit;
    },
  };
}

/**
 * The engine of this run: the LiveKit server of the test matrix, else an embedded one, only over `/rtc` with
 * RMEET_TEST_SIGNALLING=v0, and on the transport of RMEET_TEST_TRANSPORT.
 */
export async function startMediaEngine(options: EngineProcessOptions = {}): Promise<MediaEngine> {
  const url = process.env['RMEET_TEST_LIVEKIT_URL'];
  if (url === undefined)
    return startEngineProcess({ disableV1: process.env['RMEET_TEST_SIGNALLING'] === 'v0', ...options });
  const [apiKey, apiSecret] = [
    process.env['RMEET_TEST_LIVEKIT_API_KEY'] ?? '',
    process.env['RMEET_TEST_LIVEKIT_API_SECRET'] ?? '',
  ];
  return { kind: 'livekit', url, apiKey, apiSecret, stop: () => Promise.resolve() };
}
