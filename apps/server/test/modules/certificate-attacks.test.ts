import { certText } from '@rmeet/contract';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FOR_CLIENTS, TestAuthority, type Issued, type Wanted } from '@rmeet/testkit/certificate-authority';
import { failedAttempt } from '../../src/modules/accounts/auth/tables.ts';
import { enter, prove, signText } from './support/certificates.ts';
import { clientOf, codeOf, signIn, type Person } from './support/client.ts';
import { startTestServer, type TestServer } from './support/server.ts';

const HOUR = 3_600_000;
const PROXY = '10.0.0.1';
const SECRET = 'a secret of the proxy'.replaceAll(' ', '-');

let server: TestServer;
let admin: Person;
let dave: Person;
let root: TestAuthority;
let alice: Issued;
const made: TestAuthority[] = [];

const authority = async (wanted: Wanted): Promise<TestAuthority> => {
  const one = await TestAuthority.create(wanted);
  made.push(one);
  return one;
};

beforeAll(async () => {
  server = await startTestServer({
    publicUrls: ['https://meet.example.org'],
    passing: { proxies: [PROXY], header: 'X-Client-Cert', secret: SECRET },
  });
  admin = await signIn(server, 'admin');
  dave = await signIn(server, 'dave');
  root = await authority({ subject: '/O=North/CN=North CA' });
  alice = await root.issue({ subject: '/O=North/CN=alice' });
  await admin.certificateAuthorities.add({ body: { certificate: root.self.certificate } });
  for (const person of [admin, dave]) await person.certificateAuthorities.setRules({ body: { match: 'commonName' } });
});
afterAll(async () => {
  await server.close();
  for (const one of made) await one.remove();
});

const verify = (body: Parameters<Person['certs']['verifyToToken']>[0]['body']) =>
  clientOf(server).certs.verifyToToken({ body });

describe('challenges', () => {
  test('work once, within five minutes', async () => {
    const answer = await prove(server, alice);
    await verify(answer);
    expect(await codeOf(verify(answer))).toBe('CERT_CHALLENGE_INVALID');
    const late = await prove(server, alice);
    server.clock.advance({ minutes: 5 });
    expect(await codeOf(verify(late))).toBe('CERT_CHALLENGE_INVALID');
  });

  test('are used up by a wrong signature', async () => {
    const answer = await prove(server, alice);
    const wrong = await prove(server, alice, { change: () => 'another text' });
    const spoiled = { ...answer, proof: wrong.proof };
    expect(await codeOf(verify(spoiled))).toBe('CERT_SIGNATURE_INVALID');
    expect(await codeOf(verify(answer))).toBe('CERT_CHALLENGE_INVALID');
  });

  test('belong to the browser that asked for them', async () => {
    const [mine, other] = [await prove(server, alice), await prove(server, alice)];
    expect(await codeOf(verify({ ...mine, secret: other.secret }))).toBe('CERT_CHALLENGE_INVALID');
    // The signature of one challenge is none of another.
    expect(await codeOf(verify({ ...other, proof: mine.proof }))).toBe('CERT_SIGNATURE_INVALID');
  });

  test.each([
    ['another origin', (text: string) => text.replace('meet.example.org', 'evil.example.org')],
    ['another purpose', (text: string) => text.replace('signIn', 'bind')],
    ['another organisation', (text: string) => text.replace(/organisation: \S/, 'organisation: x')],
    ['another product', (text: string) => text.replace('Rmeet', 'Other')],
    ['another version', (text: string) => text.replace('version 1', 'version 2')],
    ['the challenge alone', (text: string) => /challenge: (\S+)/.exec(text)?.[1] ?? ''],
  ])('are not answered by a signature for %s', async (_what, change) => {
    expect(await codeOf(enter(server, alice, { change }))).toBe('CERT_SIGNATURE_INVALID');
  });

  test('of one organisation are worth nothing in another', async () => {
    const south = await authority({ subject: '/CN=South CA' });
    await dave.certificateAuthorities.add({ body: { certificate: south.self.certificate } });
    // An authority of south names a person of north.
    const forged = await south.issue({ subject: '/O=North/CN=alice' });
    expect(await codeOf(enter(server, forged, { tenantUri: 'north' }))).toBe('CERT_NOT_TRUSTED');
    expect(await codeOf(enter(server, forged, { tenantUri: 'south' }))).toBe('CERT_NOT_KNOWN');
    // A challenge for south, signed by a person of north.
    expect(await codeOf(enter(server, alice, { tenantUri: 'south' }))).toBe('CERT_NOT_TRUSTED');
    const own = await south.issue({ subject: '/CN=erin' });
    expect((await enter(server, own, { tenantUri: 'south' })).user.account).toBe('erin');
  });
});

describe('certificates', () => {
  const issue = (extensions: readonly string[], other: Partial<Wanted> = {}) =>
    root.issue({ subject: '/O=North/CN=alice', extensions, ...other });
  const without = (name: string) => FOR_CLIENTS.filter((line) => !line.startsWith(name));

  test('of another authority with the same names are not trusted', async () => {
    const twin = await authority({ subject: '/O=North/CN=North CA' });
    const forged = await twin.issue({ subject: '/O=North/CN=alice' });
    expect(await codeOf(enter(server, forged))).toBe('CERT_NOT_TRUSTED');
    expect(await codeOf(enter(server, forged, { chain: [twin.self] }))).toBe('CERT_NOT_TRUSTED');
    const self = await authority({ subject: '/O=North/CN=alice', extensions: FOR_CLIENTS.slice(0, 3) });
    expect(await codeOf(enter(server, self.self))).toBe('CERT_NOT_TRUSTED');
  });

  test('are worth nothing without their key', async () => {
    const mallory = await root.issue({ subject: '/CN=mallory' });
    expect(await codeOf(enter(server, mallory, { shown: alice }))).toBe('CERT_SIGNATURE_INVALID');
  });

  test.each([
    ['expired', { from: -2 * HOUR, until: -HOUR }],
    ['of the future', { from: HOUR, until: 2 * HOUR }],
  ])('that are %s are refused', async (_what, times) => {
    expect(await codeOf(enter(server, await issue(FOR_CLIENTS, times)))).toBe('CERT_EXPIRED');
  });

  test.each([
    ['may issue others', ['basicConstraints=critical,CA:TRUE', ...without('basicConstraints')]],
    ['are for servers', ['extendedKeyUsage=serverAuth', ...without('extendedKeyUsage')]],
    ['are for encryption', ['keyUsage=critical,keyEncipherment', ...without('keyUsage')]],
    ['demand something unknown', ['1.2.3.4.5=critical,DER:05:00', ...FOR_CLIENTS]],
  ])('that %s are refused', async (_what, extensions) => {
    expect(await codeOf(enter(server, await issue(extensions)))).toBe('CERT_NOT_SUITABLE');
  });

  test('with weak keys are refused', async () => {
    const weak = await issue(FOR_CLIENTS, { key: 'RSA-1024' });
    expect(await codeOf(enter(server, weak, { algorithm: 'RS256' }))).toBe('CERT_SIGNATURE_INVALID');
  });

  test('for any purpose, or that name none, sign in', async () => {
    const any = ['extendedKeyUsage=anyExtendedKeyUsage', ...without('extendedKeyUsage')];
    for (const extensions of [any, without('extendedKeyUsage')]) await enter(server, await issue(extensions));
  });

  test('do not issue certificates for other people', async () => {
    // Without the mark of an authority, but with its key, alice signs a certificate of bob.
    const own = await root.below({ subject: '/O=North/CN=sub', extensions: FOR_CLIENTS });
    made.push(own);
    const forged = await own.issue({ subject: '/CN=bob' });
    expect(await codeOf(enter(server, forged, { chain: [own.self] }))).toBe('CERT_NOT_TRUSTED');
  });

  test('end where the path is longer than an authority allows', async () => {
    const short = await authority({
      subject: '/CN=Short CA',
      extensions: [
        'basicConstraints=critical,CA:TRUE,pathlen:0',
        'keyUsage=critical,keyCertSign',
        'subjectKeyIdentifier=hash',
      ],
    });
    await admin.certificateAuthorities.add({ body: { certificate: short.self.certificate } });
    const middle = await short.below({ subject: '/CN=Middle CA' });
    made.push(middle);
    expect((await enter(server, await short.issue({ subject: '/CN=bob' }))).user.account).toBe('bob');
    const forged = await middle.issue({ subject: '/CN=bob' });
    expect(await codeOf(enter(server, forged, { chain: [middle.self] }))).toBe('CERT_NOT_TRUSTED');
  });

  test('below an authority with name constraints are refused, since these are not checked', async () => {
    const middle = await root.below({
      subject: '/CN=Bound CA',
      extensions: [
        'basicConstraints=critical,CA:TRUE',
        'keyUsage=critical,keyCertSign',
        'nameConstraints=critical,permitted;email:other.example',
        'subjectKeyIdentifier=hash',
      ],
    });
    made.push(middle);
    const forged = await middle.issue({ subject: '/CN=bob' });
    expect(await codeOf(enter(server, forged, { chain: [middle.self] }))).toBe('CERT_NOT_TRUSTED');
  });
});

test('an algorithm that does not belong to the key is refused', async () => {
  const rsa = await root.issue({ subject: '/CN=bob', key: 'RSA' });
  for (const [signer, algorithm, named] of [
    [rsa, 'RS256', 'PS256'],
    [rsa, 'PS256', 'RS256'],
    [rsa, 'RS256', 'ES256'],
    [rsa, 'RS256', 'SM2'],
    [alice, 'ES256', 'RS256'],
    [alice, 'ES256', 'ES384'],
    [alice, 'ES256', 'SM2'],
  ] as const) {
    const answer = await prove(server, signer, { algorithm });
    const proof = answer.proof && { ...answer.proof, algorithm: named };
    expect(await codeOf(verify({ ...answer, ...(proof && { proof }) }))).toBe('CERT_SIGNATURE_INVALID');
  }
});

test.each(['', 'AA==', Buffer.alloc(64).toString('base64'), Buffer.from('3006020100020100', 'hex').toString('base64')])(
  'a signature that is none is refused: %j',
  async (signature) => {
    const own = await authority({ subject: '/CN=SM2 CA', key: 'SM2' });
    for (const [signer, algorithm] of [
      [alice, 'ES256'],
      [own.self, 'SM2'],
    ] as const) {
      const { challenge, secret } = await clientOf(server).certs.getCodeData({ query: { tenantUri: 'north' } });
      const proof = { certificate: signer.der, algorithm, signature: signature || '=' };
      expect(['CERT_SIGNATURE_INVALID', 'INVALID_INPUT']).toContain(await codeOf(verify({ challenge, secret, proof })));
    }
  },
);

test('unknown people are answered alike, whatever is wrong, and only after a right signature', async () => {
  const unknown = await root.issue({ subject: '/CN=no.such.person' });
  const foreign = await root.issue({ subject: '/CN=erin' });
  for (const one of [unknown, foreign]) {
    expect(await codeOf(enter(server, one))).toBe('CERT_NOT_KNOWN');
    expect(await codeOf(enter(server, one, { change: () => 'x' }))).toBe('CERT_SIGNATURE_INVALID');
  }
});

test('many failures from one network have to wait; other networks do not', async () => {
  const from = clientOf(server, undefined, '203.0.113.9');
  const unknown = { challenge: 'unknown', secret: 'unknown' };
  for (let n = 0; n < 30; n += 1) await codeOf(from.certs.verifyToToken({ body: unknown }));
  expect(await codeOf(from.certs.verifyToToken({ body: unknown }))).toBe('TOO_MANY_REQUESTS');
  await enter(server, alice);
  await server.db.platform((tx) => tx.delete(failedAttempt, eq(failedAttempt.scope, 'certificate')));
});

describe('a certificate that a proxy passes on', () => {
  interface Sent {
    address?: string;
    secret?: string;
    certificate?: string;
  }

  /** Signs in with a header in place of a signature. */
  async function enterBy({ address = PROXY, secret = SECRET, certificate = '' }: Sent): Promise<string> {
    const headers = {
      host: new URL(server.publicUrl).host,
      ...(secret === '' ? {} : { 'x-client-cert-secret': secret }),
      ...(certificate === '' ? {} : { 'x-client-cert': certificate }),
    };
    const asked = await server.app.inject({
      url: '/api/api/v1/certs/get-code-data?tenantUri=north',
      headers,
      remoteAddress: address,
    });
    const { challenge, secret: own } = asked.json<{ data: { challenge: string; secret: string } }>().data;
    const answer = await server.app.inject({
      method: 'POST',
      url: '/api/api/v1/certs/login/verifyToToken',
      headers: { ...headers, 'content-type': 'application/json' },
      payload: JSON.stringify({ challenge, secret: own }),
      remoteAddress: address,
    });
    return answer.json<{ statusCode: string }>().statusCode;
  }
  const encoded = (of: Issued): string => encodeURIComponent(of.certificate);

  test('signs in without a signature, in the form of nginx and in that of RFC 9440', async () => {
    expect(await enterBy({ certificate: encoded(alice) })).toBe('OK');
    expect(await enterBy({ certificate: `:${alice.der}:` })).toBe('OK');
  });

  test.each([
    ['from another address', { address: '10.0.0.2' }],
    ['without the secret', { secret: '' }],
    ['with another secret', { secret: 'a guess of the secret' }],
  ])('is ignored %s', async (_what, sent) => {
    expect(await enterBy({ certificate: encoded(alice), ...sent })).toBe('CERT_SIGNATURE_INVALID');
  });

  test('is checked like any other', async () => {
    const twin = await authority({ subject: '/O=North/CN=North CA' });
    expect(await enterBy({ certificate: encoded(await twin.issue({ subject: '/CN=alice' })) })).toBe(
      'CERT_NOT_TRUSTED',
    );
    for (const certificate of ['', '%', 'no certificate', `:${alice.der}:, :${alice.der}:`])
      expect(await enterBy({ certificate })).toBe('CERT_SIGNATURE_INVALID');
  });
});

test('a signature is not used for another challenge of the same moment', async () => {
  const { tenantId, time, challenge, secret } = await clientOf(server).certs.getCodeData({
    query: { tenantUri: 'north' },
  });
  const text = certText({ origin: server.publicUrl, purpose: 'signIn', tenantId, time, challenge: 'chosen' });
  const proof = {
    certificate: alice.der,
    algorithm: 'ES256' as const,
    signature: await signText(alice, 'ES256', text),
  };
  expect(await codeOf(verify({ challenge, secret, proof }))).toBe('CERT_SIGNATURE_INVALID');
});
