import { constants, publicEncrypt } from 'node:crypto';
import { auth, createClient, meetings, PUSH_PATH, type Envelope, type Method } from '@rmeet/contract';
import { createDatabase, startServer, type RunningServer } from '@rmeet/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEMO_PASSWORD } from '../../src/seed/index.ts';
import { adminUrl } from '../modules/support/template.ts';
import { PushClient } from './support/socket.ts';

describe('two server processes on one PostgreSQL', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let one: RunningServer;
  let two: RunningServer;

  beforeAll(async () => {
    database = await createDatabase(adminUrl());
    // Sealed texts and sign-ins of one server must be valid at the other.
    const env = { DATABASE_URL: database.url, RMEET_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') };
    one = await startServer({ env: { ...env, RMEET_SEED: 'demo' } });
    two = await startServer({ env });
  }, 120_000);
  afterAll(async () => {
    await one.stop();
    await two.stop();
    await database.drop();
  });

  const sender =
    (server: RunningServer, token?: string) =>
    async (method: Method, path: string, body: unknown): Promise<unknown> => {
      const answer = await fetch(`${server.url}${path}`, {
        method,
        headers: {
          ...(token ? { authorization: token } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const envelope = (await answer.json()) as Envelope;
      if (!envelope.status) throw new Error(`${answer.status} ${envelope.statusCode}`);
      return envelope.data;
    };

  async function signIn(server: RunningServer, account: string): Promise<string> {
    const client = createClient(auth, sender(server));
    const { publicKey } = await client.loginMode({ query: {} });
    const password = publicEncrypt(
      { key: publicKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
      Buffer.from(DEMO_PASSWORD),
    ).toString('base64');
    return (await client.login({ body: { account, password } })).token;
  }

  test('a sign-in is valid at both, and events of one reach the other', async () => {
    const token = await signIn(one, 'alice');
    const push = await PushClient.open(`${two.url.replace('http', 'ws')}${PUSH_PATH}`, { token });
    expect(await push.subscribe('activity')).toMatchObject({ subscribed: 'activity' });
    const startTime = new Date(Date.now() + 3_600_000).toISOString();
    const { meetId } = await createClient(meetings, sender(one, token)).createNetwork({
      body: { subject: 'Ward round', startTime, duration: 30, password: '4821' },
    });
    expect(await push.next()).toMatchObject({ topic: 'activity', event: { type: 'meetingsChanged', meetId } });
    expect(await createClient(meetings, sender(two, token)).detail({ params: { id: meetId } })).toMatchObject({
      subject: 'Ward round',
      password: '4821',
    });
    await createClient(auth, sender(one, token)).logout();
    expect(await push.closed).toBe(4401);
  });
});
