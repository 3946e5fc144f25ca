import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/platform/db/index.ts';
import { encrypt, signIn, type Person } from './support/client.ts';
import { startTestServer, type TestServer } from './support/server.ts';
import { expectRefused, type Wrong } from './support/wrong-inputs.ts';

let server: TestServer;
/** The administrators of two tenants, a user. */
let admin: Person;
let dave: Person;
let alice: Person;

beforeAll(async () => {
  server = await startTestServer();
  [admin, dave, alice] = (await Promise.all(['admin', 'dave', 'alice'].map((name) => signIn(server, name)))) as [
    Person,
    Person,
    Person,
  ];
});
afterAll(() => server.close());

const LONG = 'x'.repeat(10_000);
const invalid = (fields: string): { expected: string } => ({ expected: `INVALID_INPUT ${fields}` });
/** Calls that are open to anyone. */
const refused = (call: string, wrongs: Record<string, Wrong>): Promise<void> => expectRefused(server, call, {}, wrongs);

describe('sign-in at an identity provider', () => {
  test('POST /api/sso/verifyToToken', () => {
    const unknown = { state: 'n3ZcQx1YzP0cQx1YzP0c', secret: 'q1YzP0cQx1YzP0cn3ZcQx', code: 'SplxlOBeZQQYbYS6WxSbIA' };
    return refused('POST /api/sso/verifyToToken', {
      nothing: { body: {}, ...invalid('state secret') },
      'a list': { body: [], ...invalid('body') },
      'a long state': { body: { ...unknown, state: LONG }, ...invalid('state') },
      'an answer to nothing': { body: unknown, expected: 'SSO_EXPIRED' },
    });
  });
});

describe('sign-in by certificate', () => {
  test('GET certs/get-code-data', () =>
    refused('GET certs/get-code-data', {
      'an organisation without a name': { query: { tenantUri: ' ' }, ...invalid('tenantUri') },
      'an unknown organisation': { query: { tenantUri: newId() }, expected: 'SIGN_IN_MODE_OFF' },
    }));

  test('POST certs/login/verifyToToken', () => {
    const challenge = { challenge: 'n3ZcQx1YzP0cQx1YzP0c', secret: 'q1YzP0cQx1YzP0cn3ZcQx' };
    const proof = { certificate: 'MIIBszCCAVmgAwIBAgIU', chain: [], algorithm: 'ES256', signature: 'MEUCIQDx' };
    return refused('POST certs/login/verifyToToken', {
      nothing: { body: {}, ...invalid('challenge secret') },
      'another algorithm': {
        body: { ...challenge, proof: { ...proof, algorithm: 'none' } },
        ...invalid('proof.algorithm'),
      },
      'no base64': { body: { ...challenge, proof: { ...proof, signature: '!' } }, ...invalid('proof.signature') },
      'a long chain': {
        body: { ...challenge, proof: { ...proof, chain: Array.from({ length: 5 }, () => proof.certificate) } },
        ...invalid('proof.chain'),
      },
      'an unknown challenge': { body: { ...challenge, proof }, expected: 'CERT_CHALLENGE_INVALID' },
    });
  });
});

describe('sign-in by a phone', () => {
  test('POST scan-logon/getAuthQr', () =>
    refused('POST scan-logon/getAuthQr', { 'a body': { body: { id: 1 }, expected: 'OK' } }));

  test('POST scan-logon/authExecute', () =>
    refused('POST scan-logon/authExecute', {
      nothing: { body: {}, ...invalid('id') },
      'a long id': { body: { id: LONG }, ...invalid('id') },
      'an unknown state': { body: { id: 'x', known: 'seen' }, ...invalid('known') },
      // Answered as a code that is over, so that the page offers a new one.
      'an unknown id': { body: { id: 'x' }, expected: 'OK' },
    }));

  test('POST scan-logon/login', () =>
    refused('POST scan-logon/login', {
      nothing: { body: {}, ...invalid('id') },
      'an unknown id': { body: { id: 'x' }, expected: 'QR_INVALID' },
      'an id that is not confirmed': { body: { id: LONG.slice(0, 100) }, expected: 'QR_INVALID' },
    }));
});

describe('codes in text messages', () => {
  test('GET hrsms/send/code', () =>
    refused('GET hrsms/send/code', {
      nothing: invalid('phoneNumber'),
      letters: { query: { phoneNumber: 'alice' }, ...invalid('phoneNumber') },
      'a long organisation': {
        query: { phoneNumber: '13900000009', tenantUri: LONG.slice(0, 101) },
        ...invalid('tenantUri'),
      },
      // Answered like a known one.
      'an unknown number': { query: { phoneNumber: '13900000009' }, expected: 'OK' },
    }));

  test('POST hrsms/set/password', async () => {
    const good = { phoneNumber: '13900000009', code: '493817', ticket: 'q1YzP0cQx1YzP0cn3ZcQx' };
    const password = await encrypt(server, 'A new password 7');
    await refused('POST hrsms/set/password', {
      nothing: { body: {}, ...invalid('phoneNumber code ticket password') },
      'a short code': { body: { ...good, code: '4938', password }, ...invalid('code') },
      'a readable password': { body: { ...good, password: 'A new password 7' }, expected: 'PASSWORD_UNREADABLE' },
      'an unknown ticket': { body: { ...good, password }, expected: 'CODE_WRONG' },
    });
  });
});

describe('the second factor', () => {
  test('GET multiauth/send/code', () =>
    refused('GET multiauth/send/code', {
      nothing: invalid('ticket way'),
      'an app, to which nothing is sent': { query: { ticket: 'x', way: 'TOTP' }, ...invalid('way') },
      'an unknown ticket': { query: { ticket: 'x', way: 'MAIL' }, expected: 'FACTOR_TICKET_INVALID' },
    }));

  test('GET multiauth/check/code', () =>
    refused('GET multiauth/check/code', {
      nothing: invalid('ticket way code'),
      'an unknown way': { query: { ticket: 'x', way: 'PIGEON', code: '493817' }, ...invalid('way') },
      'a long code': { query: { ticket: 'x', way: 'TOTP', code: LONG.slice(0, 200) }, ...invalid('code') },
      'an unknown ticket': { query: { ticket: 'x', way: 'TOTP', code: '493817' }, expected: 'FACTOR_TICKET_INVALID' },
    }));
});

describe('API clients', () => {
  const good = { name: 'Ward planner', scopes: ['meetings:read'] };
  const callers = () => ({ usual: admin });

  test('POST api-record/new', async () => {
    const before = (await admin.apiRecords.query({ query: {} })).total;
    await expectRefused(server, 'POST api-record/new', callers(), {
      nothing: { body: {}, ...invalid('name scopes') },
      'an unknown scope': { body: { ...good, scopes: ['everything'] }, ...invalid('scopes.0') },
      'a network of nothing': { body: { ...good, networks: ['10.0.0.0/64'] }, ...invalid('networks.0') },
      'no calls at all': { body: { ...good, perMinute: 0 }, ...invalid('perMinute') },
      'a key of nothing': { body: { ...good, publicKey: 'ssh-rsa AAAA' }, expected: 'PUBLIC_KEY_INVALID' },
      'by a user': { body: good, who: alice, expected: 'FORBIDDEN' },
    });
    expect((await admin.apiRecords.query({ query: {} })).total).toBe(before);
  });

  test('POST api-record/update', async () => {
    const { client } = await admin.apiRecords.create({ body: { ...good, name: 'Changed' } as never });
    const of = { ...good, id: client.id, version: client.version };
    await expectRefused(server, 'POST api-record/update', callers(), {
      nothing: { body: {}, ...invalid('name scopes id version') },
      'no client': { body: { ...of, id: newId() }, expected: 'NOT_FOUND' },
      'of another tenant': { body: of, who: dave, expected: 'NOT_FOUND' },
      'an older version': { body: { ...of, version: client.version - 1 }, expected: 'CHANGED_MEANWHILE' },
      'by a user': { body: of, who: alice, expected: 'FORBIDDEN' },
    });
  });

  test('GET api-record/query', () =>
    expectRefused(server, 'GET api-record/query', callers(), {
      'a page of nothing': { query: { current: 0 }, ...invalid('current') },
      'an unknown state': { query: { state: 'asleep' }, ...invalid('state') },
      'an unknown order': { query: { sort: 'secret' }, ...invalid('sort') },
      'by a user': { who: alice, expected: 'FORBIDDEN' },
    }));
});
