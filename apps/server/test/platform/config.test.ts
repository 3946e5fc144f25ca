import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../src/platform/config/index.ts';
import { tempFolder } from './support/db.ts';

function mistakes(env: NodeJS.ProcessEnv): string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.lines;
    throw error;
  }
  return [];
}

test('an empty environment gives the documented defaults', () => {
  expect(readConfig({ PATH: '/bin' })).toMatchObject({
    host: '127.0.0.1',
    isLoopback: true,
    port: 3000,
    databaseUrl: undefined,
    livekit: undefined,
    seed: 'auto',
    conferenceCapacity: 300,
    logLevel: 'info',
    media: {
      udpPort: 7882,
      processes: availableParallelism(),
      publicIp: undefined,
      turn: undefined,
      disableV1: false,
      transport: 'auto',
    },
    trustedProxies: [],
  });
});

test('an empty value counts as missing', () => {
  expect(readConfig({ RMEET_PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 3000, databaseUrl: undefined });
});

test('a complete environment is used', () => {
  const config = readConfig({
    RMEET_HOST: '0.0.0.0',
    RMEET_PORT: '8443',
    RMEET_DATA: '/srv/rmeet',
    RMEET_MEDIA_PORT: '9000',
    RMEET_MEDIA_PROCESSES: '3',
    RMEET_PUBLIC_IP: '203.0.113.5',
    RMEET_TURN_URLS: 'turn:t.example.org:3478?transport=udp, turns:t.example.org:443?transport=tcp',
    RMEET_TURN_SECRET: 'abc',
    RMEET_TLS_CERT: '/c.pem',
    RMEET_TLS_KEY: '/k.pem',
    DATABASE_URL: 'postgres://u:p@db/rmeet',
    LIVEKIT_URL: 'wss://lk.example.org',
    LIVEKIT_API_KEY: 'key',
    LIVEKIT_API_SECRET: 'secret',
    RMEET_SEED: 'none',
    RMEET_CONFERENCE_CAPACITY: '50',
    RMEET_LOG: 'debug',
    RMEET_SMTP_URL: 'smtp://u:p@mail.example.org:587',
    RMEET_MAIL_FROM: 'Rmeet <meet@example.org>',
    RMEET_SIGNALLING: 'v0',
    RMEET_MEDIA_TRANSPORT: 'datachannel',
    RMEET_TRUSTED_PROXIES: '10.0.0.0/8, ::1',
    RMEET_METRICS_TOKEN: 'a-token-of-the-operators',
  });
  expect(config).toMatchObject({
    host: '0.0.0.0',
    isLoopback: false,
    port: 8443,
    metricsToken: 'a-token-of-the-operators',
    dataFolder: '/srv/rmeet',
    databaseUrl: 'postgres://u:p@db/rmeet',
    livekit: { url: 'wss://lk.example.org', apiKey: 'key', apiSecret: 'secret' },
    media: {
      udpPort: 9000,
      processes: 3,
      publicIp: '203.0.113.5',
      disableV1: true,
      transport: 'datachannel',
      turn: { urls: ['turn:t.example.org:3478?transport=udp', 'turns:t.example.org:443?transport=tcp'], secret: 'abc' },
    },
    tls: { certFile: '/c.pem', keyFile: '/k.pem' },
    mail: { url: 'smtp://u:p@mail.example.org:587', from: 'Rmeet <meet@example.org>' },
    seed: 'none',
    conferenceCapacity: 50,
    logLevel: 'debug',
    trustedProxies: ['10.0.0.0/8', '::1'],
  });
});

test('addresses are kept as origins, names outside ASCII in punycode, each once', () => {
  expect(
    readConfig({ RMEET_PUBLIC_URL: 'https://Meet.example.org:443/, http://会议.example:8080,https://meet.example.org' })
      .publicUrls,
  ).toEqual(['https://meet.example.org', 'http://xn--6oqu09l.example:8080']);
  expect(readConfig({}).publicUrls).toEqual([]);
});

test('an S3 server is read with its secret from a file', async () => {
  const folder = await tempFolder();
  try {
    const file = join(folder.path, 'secret');
    await writeFile(file, 'from the file\n');
    const env = { RMEET_S3_ENDPOINT: 'https://s3.example.org/', RMEET_S3_KEY: 'key', RMEET_S3_SECRET_FILE: file };
    expect(readConfig({ ...env, RMEET_S3_BUCKET: 'rmeet', RMEET_S3_PREFIX: 'a/b' }).s3).toEqual({
      endpoint: 'https://s3.example.org',
      publicEndpoint: undefined,
      region: 'us-east-1',
      bucket: 'rmeet',
      accessKey: 'key',
      secret: 'from the file',
      prefix: 'a/b/',
      addressing: 'path',
    });
    expect(() => readConfig({ ...env, RMEET_S3_SECRET_FILE: join(folder.path, 'none') })).toThrow(
      'RMEET_S3_SECRET_FILE cannot be read: ENOENT',
    );
    expect(readConfig({}).s3).toBeUndefined();
  } finally {
    await folder.remove();
  }
});

describe('each mistake is reported in one line', () => {
  test.each<[string, NodeJS.ProcessEnv, string]>([
    [
      'a bucket without a server',
      { RMEET_S3_BUCKET: 'rmeet' },
      'RMEET_S3_ENDPOINT must be set too, because RMEET_S3_BUCKET is.',
    ],
    [
      'an S3 server without a secret',
      { RMEET_S3_ENDPOINT: 'https://s3.example.org', RMEET_S3_KEY: 'key' },
      'RMEET_S3_SECRET or RMEET_S3_SECRET_FILE must be set too, because RMEET_S3_ENDPOINT is.',
    ],
    [
      'copies of recordings without backups',
      { RMEET_BACKUP_FILES: '/copies' },
      'RMEET_BACKUP_FOLDER must be set too, because RMEET_BACKUP_FILES is.',
    ],
    [
      'copies of recordings to a bucket without a server',
      { RMEET_BACKUP_FILES: 's3://copies/rmeet', RMEET_BACKUP_FOLDER: '/backups' },
      'RMEET_S3_ENDPOINT must be set too, because RMEET_BACKUP_FILES is a bucket.',
    ],
    [
      'copies of recordings to something else',
      { RMEET_BACKUP_FILES: 's3:copies', RMEET_BACKUP_FOLDER: '/backups' },
      'RMEET_BACKUP_FILES must be a folder, or s3://bucket/prefix, not "s3:copies".',
    ],
    ['a port that is no number', { RMEET_PORT: 'http' }, 'RMEET_PORT must be a port number, not "http".'],
    ['a port out of range', { RMEET_PORT: '70000' }, 'RMEET_PORT must be between 0 and 65535, not "70000".'],
    [
      'a host with spaces',
      { RMEET_HOST: 'my host' },
      'RMEET_HOST must be a host name or an IP address, not "my host".',
    ],
    [
      'an address of the web with a path',
      { RMEET_PUBLIC_URL: 'https://meet.example.org/rmeet' },
      'RMEET_PUBLIC_URL must be http:// or https:// addresses without a path, separated by commas, not ' +
        '"https://meet.example.org/rmeet".',
    ],
    [
      'an address of another protocol',
      { RMEET_PUBLIC_URL: 'https://meet.example.org, ftp://h' },
      'RMEET_PUBLIC_URL must be http:// or https:// addresses without a path, separated by commas, not ' +
        '"https://meet.example.org, ftp://h".',
    ],
    ['no address', { RMEET_PUBLIC_URL: ',' }, 'RMEET_PUBLIC_URL must name an address, not ",".'],
    [
      'a public address that is a name',
      { RMEET_PUBLIC_IP: 'example.org' },
      'RMEET_PUBLIC_IP must be an IP address, not "example.org".',
    ],
    ['another database', { DATABASE_URL: 'mysql://u:secret@h/d' }, 'DATABASE_URL must begin with postgres://.'],
    [
      'LiveKit without its keys',
      { LIVEKIT_URL: 'wss://h' },
      'LIVEKIT_API_KEY and LIVEKIT_API_SECRET must be set too, because LIVEKIT_URL is.',
    ],
    [
      'a certificate without its key',
      { RMEET_TLS_CERT: '/c.pem' },
      'RMEET_TLS_KEY must be set too, because RMEET_TLS_CERT is.',
    ],
    [
      'TURN without its secret',
      { RMEET_TURN_URLS: 'turn:h' },
      'RMEET_TURN_SECRET must be set too, because RMEET_TURN_URLS is.',
    ],
    [
      'webhooks without a key to sign them',
      { RMEET_WEBHOOK_URLS: 'https://h', RMEET_WEBHOOK_API_KEY: 'k' },
      'RMEET_WEBHOOK_API_SECRET must be set too, because RMEET_WEBHOOK_URLS and RMEET_WEBHOOK_API_KEY is.',
    ],
    [
      'a webhook that is no address of the web',
      { RMEET_WEBHOOK_URLS: 'ftp://u:hidden@h', RMEET_WEBHOOK_API_KEY: 'k', RMEET_WEBHOOK_API_SECRET: 'x'.repeat(32) },
      'RMEET_WEBHOOK_URLS must be http:// or https:// addresses, separated by commas.',
    ],
    [
      'hosts of the assistant that are addresses',
      { RMEET_ASSISTANT_HOSTS: 'https://bot.test;x' },
      'RMEET_ASSISTANT_HOSTS must be hosts, with or without a port, separated by commas, not "https://bot.test;x".',
    ],
    [
      'a mail server without a sender',
      { RMEET_SMTP_URL: 'smtp://u:hidden@h' },
      'RMEET_MAIL_FROM must be set too, because RMEET_SMTP_URL is.',
    ],
    [
      'a mail server of another kind, its password not shown',
      { RMEET_SMTP_URL: 'http://u:hidden@h', RMEET_MAIL_FROM: 'a@b.org' },
      'RMEET_SMTP_URL must begin with smtp:// or smtps://.',
    ],
    [
      'a sender that is no address',
      { RMEET_SMTP_URL: 'smtp://h', RMEET_MAIL_FROM: 'Rmeet' },
      'RMEET_MAIL_FROM must be an address, or a name with an address in angle brackets, not "Rmeet".',
    ],
    [
      'an address that is not TURN',
      { RMEET_TURN_URLS: 'stun:h', RMEET_TURN_SECRET: 's' },
      'RMEET_TURN_URLS must be turn: or turns: addresses, separated by commas, not "stun:h".',
    ],
    ['a seed that is unknown', { RMEET_SEED: 'all' }, 'RMEET_SEED must be demo or none, not "all".'],
    [
      'a capacity of one',
      { RMEET_CONFERENCE_CAPACITY: '1' },
      'RMEET_CONFERENCE_CAPACITY must be between 2 and 10000, not "1".',
    ],
    [
      'a level that is unknown',
      { RMEET_LOG: 'loud' },
      'RMEET_LOG must be trace, debug, info, warn, error or silent, not "loud".',
    ],
    [
      'a short token for metrics, which is not shown',
      { RMEET_METRICS_TOKEN: 'short' },
      'RMEET_METRICS_TOKEN must be 16 visible ASCII characters or more.',
    ],
    ['a short secret key', { RMEET_SECRET_KEY: 'c2hvcnQ=' }, 'RMEET_SECRET_KEY must be 32 bytes in base64.'],
    [
      'a proxy that is a name',
      { RMEET_TRUSTED_PROXIES: 'proxy' },
      'RMEET_TRUSTED_PROXIES must be IP addresses or networks, separated by commas, not "proxy".',
    ],
    [
      'demo data on a reachable address',
      { RMEET_SEED: 'demo', RMEET_HOST: '0.0.0.0' },
      'RMEET_SEED must not be demo while RMEET_HOST is "0.0.0.0": everybody knows the demo password.',
    ],
    [
      'demo data behind a proxy',
      { RMEET_SEED: 'demo', RMEET_TRUSTED_PROXIES: '127.0.0.1' },
      'RMEET_SEED must not be demo while RMEET_TRUSTED_PROXIES is set: everybody knows the demo password.',
    ],
    ['a misspelt name', { RMEET_PROT: '3000' }, 'RMEET_PROT is not a setting of Rmeet.'],
  ])('%s', (_what, env, line) => {
    expect(mistakes(env)).toEqual([line]);
  });

  test('certificates of clients are passed on with a secret only, and agents are on the own computer', () => {
    expect(mistakes({ RMEET_CLIENT_CERT_HEADER: 'X-Client-Cert' })).toEqual([
      'RMEET_CLIENT_CERT_SECRET must be set too, because RMEET_CLIENT_CERT_HEADER is.',
    ]);
    const secret = 'hidden-secret';
    const [line = ''] = mistakes({ RMEET_CLIENT_CERT_HEADER: 'X-Client-Cert', RMEET_CLIENT_CERT_SECRET: secret });
    expect(line).toContain('RMEET_CLIENT_CERT_SECRET must have 16 to 200 characters');
    expect(line).not.toContain(secret);
    for (const agent of ['http://10.0.0.1:27631', 'http://127.0.0.1', 'https://127.0.0.1:1', 'http://127.0.0.1:80/x'])
      expect(mistakes({ RMEET_CERTIFICATE_AGENT: agent })).toHaveLength(1);
    expect(mistakes({ RMEET_CERTIFICATE_AGENT: 'http://127.0.0.1:27631' })).toEqual([]);
  });

  test('a machine that only records names what it lacks', () => {
    const because = 'because RMEET_ROLE is recorder.';
    expect(mistakes({ RMEET_ROLE: 'recorder', RMEET_RECORDERS: '0' })).toEqual([
      ...['DATABASE_URL', 'LIVEKIT_URL', 'RMEET_PUBLIC_URL', 'RMEET_S3_BUCKET'].map(
        (name) => `${name} must be set, ${because}`,
      ),
      `RMEET_RECORDERS must not be 0, ${because}`,
    ]);
  });

  test('all of them at once', () => {
    expect(mistakes({ RMEET_PORT: 'x', RMEET_SEED: 'y', RMEET_NEW: 'z', LIVEKIT_API_KEY: 'k' })).toHaveLength(4);
  });

  test('a secret is not repeated', () => {
    expect(mistakes({ DATABASE_URL: 'mysql://u:hidden@h/d', RMEET_SECRET_KEY: 'hidden' }).join()).not.toContain(
      'hidden',
    );
  });
});

test('a server is reachable at an address other than loopback, or behind a proxy', () => {
  const reachable = [{}, { RMEET_HOST: '0.0.0.0' }, { RMEET_TRUSTED_PROXIES: '127.0.0.1' }].map(
    (env) => readConfig(env).isReachable,
  );
  expect(reachable).toEqual([false, true, true]);
});

test.each([
  ['127.0.0.1', true],
  ['127.8.8.8', true],
  ['localhost', true],
  ['::1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['192.168.1.5', false],
])('host %s is loopback: %s', (host, isLoopback) =>
  expect(readConfig({ RMEET_HOST: host }).isLoopback).toBe(isLoopback),
);

describe('media zones', () => {
  const zone = { id: 'north', name: 'North', url: 'wss://north.example.org', key: 'key', secret: 'hidden-secret' };

  test('are a list of engines, empty by default', () => {
    expect(readConfig({}).mediaZones).toEqual([]);
    expect(readConfig({ RMEET_MEDIA_ZONES: JSON.stringify([zone]) }).mediaZones).toEqual([zone]);
  });

  test.each([
    ['no JSON', 'north'],
    ['no list', JSON.stringify(zone)],
    ['no secret', JSON.stringify([{ ...zone, secret: '' }])],
    ['another protocol', JSON.stringify([{ ...zone, url: 'ftp://north' }])],
    ['the name of our own', JSON.stringify([{ ...zone, id: 'local' }])],
    ['a name twice', JSON.stringify([zone, zone])],
    ['what is no setting', JSON.stringify([{ ...zone, more: 1 }])],
  ])('with %s are refused, and the message reveals no secret', (_, text) => {
    const [line = '', ...others] = mistakes({ RMEET_MEDIA_ZONES: text });
    expect(line).toMatch(/^RMEET_MEDIA_ZONES /);
    expect([line, ...others].join()).not.toContain('hidden-secret');
  });
});
