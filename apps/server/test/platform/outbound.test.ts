import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { s3Storage } from '../../src/platform/storage/index.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A server whose answers lead to an address; returns its own, and the paths that were asked for. */
async function leadingTo(location: string): Promise<{ origin: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    response.writeHead(307, { Location: location }).end();
  });
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

/** What opens a connection to another machine. */
const OPENS = [
  /\bfetch\(/,
  /import \{[^}]*\brequest\b[^}]*\} from 'node:https?'/,
  /import \{[^}]*\bconnect\b[^}]*\} from 'node:(net|tls|http2)'/,
  /from '(nodemailer|s3mini|livekit-server-sdk)'/,
  /(?<!type )\bClient\b[^}]*\} from 'ldapts'/,
];
/** Their addresses are settings of the environment, or of this machine: no page and no call can enter one. */
const OF_THE_OPERATOR: Record<string, string> = {
  'modules/live/ingest/whip.ts': 'recorder processes, RMEET_RECORDER_LIVE_URL',
  'platform/clamd/clamd.ts': 'RMEET_CLAMD',
  'platform/mail/mail.ts': 'RMEET_SMTP_URL',
  'platform/media/forward.ts': 'media processes of this machine',
  'platform/media/front-signalling.ts': 'media processes of this machine',
  'platform/media/front.ts': 'media processes of this machine',
  'platform/media/media.ts': 'LIVEKIT_URL, RMEET_MEDIA_ZONES',
  'platform/media/processes.ts': 'media processes of this machine',
  'platform/storage/s3.ts': 'RMEET_S3_ENDPOINT, RMEET_S3_PUBLIC_URL',
};
/** Where addresses that tenants or browsers enter are called, by HTTP and by others. */
const GATES = ['platform/outbound/connect.ts', 'platform/outbound/request.ts'];
/** Works with connections that a gate has opened. */
const GIVEN = ['modules/accounts/directories/ldap/connection.ts'];

test('addresses that tenants enter are called in one place, and no other file has connections of its own', () => {
  const src = join(import.meta.dirname, '..', '..', 'src');
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => name.replaceAll('\\', '/'));
  const opening = files.filter((name) => {
    const text = readFileSync(join(src, name), 'utf8');
    return OPENS.some((pattern) => pattern.test(text));
  });
  expect(opening.toSorted()).toEqual([...GATES, ...GIVEN, ...Object.keys(OF_THE_OPERATOR)].toSorted());
});

test('an S3 server cannot lead to another address', async () => {
  const inside = await leadingTo('http://127.0.0.1:1/');
  const { origin, asked } = await leadingTo(`${inside.origin}/secret`);
  const storage = s3Storage({
    endpoint: origin,
    publicEndpoint: undefined,
    region: 'us-east-1',
    bucket: 'files',
    accessKey: 'key',
    secret: 'secret',
    prefix: '',
    addressing: 'path',
  });
  await expect(storage.put('uploads/a', Buffer.from('a file'))).rejects.toThrow('The storage cannot be used now');
  await expect(storage.get('uploads/a')).rejects.toThrow('The storage cannot be used now');
  expect(new Set(asked)).toEqual(new Set(['/files/uploads/a']));
  expect(inside.asked).toEqual([]);
});
