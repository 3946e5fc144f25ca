import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contract, pathOf } from '@rmeet/contract';
import { createDiagnostics } from '../../src/modules/diagnostics/index.ts';
import { readConfig } from '../../src/platform/config/index.ts';
import type { Context, OperatorCaller } from '../../src/platform/http/index.ts';
import { createLog } from '../../src/platform/log/log.ts';
import { send, signIn, type Person } from './support/client.ts';
import { startTestServer, type TestServer } from './support/server.ts';

/** A made-up secret of each kind that the product or its surroundings have. */
const SECRETS = {
  password: 'Planted-password-1',
  smtpPassword: 'planted-smtp-9a8b',
  databasePassword: 'planted-db-7c6d',
  s3Secret: 'PlantedS3SecretPlantedS3Secret1234567890',
  metricsToken: 'planted-metrics-token-0001',
  turnSecret: 'planted-turn-secret',
  liveKitSecret: 'planted-livekit-secret-planted-livekit',
  zoneSecret: 'planted-zone-secret-4711',
  smsSecret: 'planted-sms-secret',
  certificateSecret: 'planted-certificate-secret',
  secretKey: Buffer.from('planted-key-planted-key-planted!').toString('base64'),
  sessionToken: 'v2Hq8sT4kLm1nP0rXw7zYbCdEfGhJk3u',
  jwt: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbGljZSJ9.cGxhbnRlZA',
  argon: '$argon2id$v=19$m=19456,t=2,p=1$cGxhbnRlZHNhbHQ$cGxhbnRlZGhhc2g',
  apiSecret: 'rms_planted0123456789',
  phone: '13800138000',
  phoneAbroad: '+4915112345678',
  fixedPhone: '010-62345678',
  mail: 'planted.person@example.org',
} as const;
const FIELDS = ['password', 'token', 'secret', 'authorization', 'cookie', 'phone', 'email', 'ticket'] as const;
const IN_LOGS = Object.values(SECRETS);

let server: TestServer;
let root: Person;
beforeAll(async () => {
  server = await startTestServer();
  root = await signIn(server, 'root');
  const log = createLog('planted', 'info', { write: () => undefined });
  for (const secret of IN_LOGS) {
    // In a field of its name, in texts, in errors and in JSON within text.
    for (const field of FIELDS) log.info({ [field]: secret, body: { [field]: secret } }, 'Planted in a field');
    log.warn({ error: new Error(`could not use password "${secret}"`) }, 'Planted in an error');
    log.info({ note: JSON.stringify({ secret }) }, `Planted in a text: token=${secret}`);
    log.info({ url: `https://user:${encodeURIComponent(secret)}@example.org/?password=${secret}` }, 'Planted in a URL');
  }
  // What looks like a secret on its own, without a name.
  for (const secret of [SECRETS.jwt, SECRETS.argon, SECRETS.apiSecret, SECRETS.sessionToken, SECRETS.secretKey])
    log.info(`Planted bare: ${secret}`);
  for (const secret of [SECRETS.phone, SECRETS.phoneAbroad, SECRETS.fixedPhone, SECRETS.mail])
    log.info(`Planted person: ${secret} was called`);
  log.info({ requestId: 'kept-id', status: 200 }, 'A line that stays readable');
});
afterAll(() => server.close());

const file = async (route: keyof typeof contract.diagnostics, token = root.token) =>
  send(server, 'GET', pathOf(contract.diagnostics[route], { query: {} }), { token });

function expectClean(text: string): void {
  expect(Object.entries(SECRETS).filter(([, secret]) => text.includes(secret))).toEqual([]);
}

/** The texts of an archive by their names. */
const textsIn = (archive: Buffer): Map<string, string> =>
  new Map(
    Object.entries(unzipSync(new Uint8Array(archive))).map(([name, bytes]) => [name, Buffer.from(bytes).toString()]),
  );

/** Diagnostics of a server whose every setting holds a secret. */
async function bundleOfPlanted(): Promise<Map<string, string>> {
  const config = readConfig({
    DATABASE_URL: `postgres://rmeet:${SECRETS.databasePassword}@db.example.org/rmeet`,
    RMEET_SMTP_URL: `smtps://sender:${SECRETS.smtpPassword}@mail.example.org`,
    RMEET_MAIL_FROM: SECRETS.mail,
    RMEET_S3_BUCKET: 'planted-bucket',
    RMEET_S3_ENDPOINT: 'https://s3.example.org',
    RMEET_S3_KEY: 'LTAIplantedaccesskey',
    RMEET_S3_SECRET: SECRETS.s3Secret,
    RMEET_METRICS_TOKEN: SECRETS.metricsToken,
    RMEET_TURN_URLS: 'turn:turn.example.org:3478',
    RMEET_TURN_SECRET: SECRETS.turnSecret,
    LIVEKIT_URL: 'wss://livekit.example.org',
    LIVEKIT_API_KEY: 'APIplantedkey',
    LIVEKIT_API_SECRET: SECRETS.liveKitSecret,
    RMEET_MEDIA_ZONES: JSON.stringify([
      { id: 'east', name: 'East', url: 'wss://east.example.org', key: 'k', secret: SECRETS.zoneSecret },
    ]),
    RMEET_SMS_GATEWAY: JSON.stringify({ url: 'https://sms.example.org', body: '{"to":"{phone}","text":"{text}"}' }),
    RMEET_SMS_SECRET: SECRETS.smsSecret,
    RMEET_CLIENT_CERT_HEADER: 'x-cert',
    RMEET_CLIENT_CERT_SECRET: SECRETS.certificateSecret,
    RMEET_TRUSTED_PROXIES: '10.0.0.1',
    RMEET_SECRET_KEY: SECRETS.secretKey,
  });
  const diagnostics = createDiagnostics({
    config,
    db: server.db,
    media: server.media,
    storage: server.storage,
    now: server.clock.now,
  });
  const answer = diagnostics.bundle({ signal: new AbortController().signal } as Context<OperatorCaller>);
  const { body } = await answer.part(undefined);
  const chunks: Buffer[] = [];
  for await (const chunk of body as AsyncIterable<Buffer>) chunks.push(chunk);
  return textsIn(Buffer.concat(chunks));
}

describe('the bundle', () => {
  test('contains none of the secrets in settings and log lines, but what support needs', async () => {
    const texts = await bundleOfPlanted();
    expect([...texts.keys()].toSorted()).toEqual([
      'database.json',
      'machine.json',
      'media.json',
      'server.log',
      'settings.json',
      'storage.json',
      'versions.json',
    ]);
    for (const text of texts.values()) expectClean(text);
    const log = texts.get('server.log') ?? '';
    expect(log.split('\n').length).toBeGreaterThan(IN_LOGS.length);
    expect(log).toContain('A line that stays readable');
    expect(log).toContain('kept-id');
    expect(JSON.parse(texts.get('settings.json') ?? '')).toMatchObject({
      database: 'own server',
      mediaEngine: 'LiveKit',
      hasMail: true,
      mediaZones: 1,
    });
    expect(JSON.parse(texts.get('versions.json') ?? '')).toMatchObject({ node: process.version });
    const { tables } = JSON.parse(texts.get('database.json') ?? '') as { tables: { name: string }[] };
    expect(tables.map(({ name }) => name)).toContain('account');
  });

  test('is an archive over HTTP, too, without anything of the tenants', async () => {
    const { file: archive, httpStatus } = await file('bundle');
    expect(httpStatus).toBe(200);
    const text = [...textsIn(archive ?? Buffer.alloc(0)).values()].join('\n');
    expectClean(text);
    expect(text).not.toContain(root.token);
  });
});

describe('text files', () => {
  test('the log has the last lines, as many as asked for', async () => {
    const path = pathOf(contract.diagnostics.log, { query: { lines: 3 } });
    const { file: log } = await send(server, 'GET', path, { token: root.token });
    expect(log?.toString().trim().split('\n')).toHaveLength(3);
    expectClean((await file('log')).file?.toString() ?? '');
    expect(await send(server, 'GET', `${contract.diagnostics.log.path}?lines=0`, { token: root.token })).toMatchObject({
      httpStatus: 400,
      statusCode: 'INVALID_INPUT',
    });
  });

  test('the summary has versions, settings, sizes and the state of media', async () => {
    const text = (await file('summary')).file?.toString() ?? '';
    for (const word of ['versions', 'settings', 'database', 'media', 'conferenceCapacity'])
      expect(text).toContain(word);
    expectClean(text);
  });

  test('are for the super administrator alone', async () => {
    for (const [name, status] of [
      ['admin', 403],
      ['alice', 403],
      ['ops', 403],
    ] as const) {
      const person = await signIn(server, name);
      for (const route of ['log', 'summary', 'bundle'] as const)
        expect((await file(route, person.token)).httpStatus, `${name} ${route}`).toBe(status);
    }
    for (const route of ['log', 'summary', 'bundle'] as const)
      expect((await file(route, 'unknown')).httpStatus).toBe(401);
  });
});
