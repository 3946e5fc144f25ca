import { afterAll, beforeAll, describe, test } from 'vitest';
import { newId } from '../../src/platform/db/index.ts';
import { signIn, type Person } from './support/client.ts';
import { startTestServer, type TestServer } from './support/server.ts';
import { expectRefused, type Wrong } from './support/wrong-inputs.ts';

let server: TestServer;
/** The administrators of two tenants, a user, the platform's staff. */
let admin: Person;
let dave: Person;
let alice: Person;
let root: Person;
const body = { name: 'Portal', icon: 'building', url: 'https://portal.example.org/' };
/** An app of the first tenant. */
let id: string;

beforeAll(async () => {
  server = await startTestServer();
  [admin, dave, alice, root] = (await Promise.all(
    ['admin', 'dave', 'alice', 'root'].map((name) => signIn(server, name)),
  )) as [Person, Person, Person, Person];
  ({ id } = await admin.startApps.create({ body }));
});
afterAll(() => server.close());

const LONG = 'x'.repeat(10_000);
const invalid = (fields: string): { expected: string } => ({ expected: `INVALID_INPUT ${fields}` });
/** A call of the administrators of a tenant. */
const refused = (call: string, wrongs: Record<string, Wrong>): Promise<void> =>
  expectRefused(server, call, { usual: admin, operator: root }, wrongs);
/** Wrong details of an app, with what else is right. */
const wrongDetails = (more: object = {}): Record<string, Wrong> => {
  const of = (change: object) => ({ body: { ...body, ...more, ...change } });
  return {
    'no name': { ...of({ name: ' ' }), ...invalid('name') },
    'a long name': { ...of({ name: LONG }), ...invalid('name') },
    'a long English name': { ...of({ nameEn: LONG }), ...invalid('nameEn') },
    'markup as an icon': { ...of({ icon: '<svg>' }), ...invalid('icon') },
    'a long address': { ...of({ url: `https://${LONG}` }), ...invalid('url') },
    'an address that runs': { ...of({ url: 'javascript:alert(1)' }), expected: 'START_APP_ADDRESS_REFUSED' },
    'an address without https': { ...of({ url: 'http://portal.example.org/' }), expected: 'START_APP_ADDRESS_REFUSED' },
    'a role of nothing': { ...of({ roleIds: ['staff'] }), ...invalid('roleIds.0') },
    'an unknown role': { ...of({ roleIds: [newId()] }), expected: 'START_APP_ROLE_UNKNOWN' },
    'by a user': { ...of({}), who: alice, expected: 'FORBIDDEN' },
  };
};

describe('apps of the start page', () => {
  test('GET apps', () => refused('GET apps', { 'of a user': { who: alice, expected: 'OK' } }));

  test('GET start-apps', () => refused('GET start-apps', { 'by a user': { who: alice, expected: 'FORBIDDEN' } }));

  test('POST start-apps', () =>
    refused('POST start-apps', {
      nothing: { body: {}, ...invalid('name icon url') },
      'a list': { body: [], ...invalid('body') },
      ...wrongDetails(),
    }));

  test('PUT start-apps/order', () =>
    refused('PUT start-apps/order', {
      nothing: { body: {}, ...invalid('ids') },
      'no apps': { body: { ids: [] }, ...invalid('ids') },
      'ids of nothing': { body: { ids: ['portal'] }, ...invalid('ids.0') },
      'an unknown app': { body: { ids: [newId()] }, expected: 'NOT_FOUND' },
      'an app twice': { body: { ids: [id, id] }, expected: 'CHANGED_MEANWHILE' },
      'of another tenant': { body: { ids: [id] }, who: dave, expected: 'NOT_FOUND' },
      'by a user': { body: { ids: [id] }, who: alice, expected: 'FORBIDDEN' },
    }));

  test('PUT start-apps/{id}', () => {
    const path = `start-apps/${id}`;
    const right = { ...body, version: 1 };
    const wrongs = Object.entries(wrongDetails({ version: 1 })).map(([wrong, one]) => [wrong, { ...one, path }]);
    return refused('PUT start-apps/{id}', {
      ...(Object.fromEntries(wrongs) as Record<string, Wrong>),
      nothing: { path, body: {}, ...invalid('name icon url version') },
      'an id of nothing': { path: 'start-apps/portal', body: right, expected: 'NOT_FOUND' },
      'an unknown id': { path: `start-apps/${newId()}`, body: right, expected: 'NOT_FOUND' },
      'of another tenant': { path, body: right, who: dave, expected: 'NOT_FOUND' },
      'another version': { path, body: { ...body, version: 7 }, expected: 'CHANGED_MEANWHILE' },
    });
  });

  test('DELETE start-apps/{id}', () =>
    refused('DELETE start-apps/{id}', {
      'an id of nothing': { path: 'start-apps/portal', expected: 'NOT_FOUND' },
      'an unknown id': { path: `start-apps/${newId()}`, expected: 'NOT_FOUND' },
      'of another tenant': { path: `start-apps/${id}`, who: dave, expected: 'NOT_FOUND' },
      'by a user': { path: `start-apps/${id}`, who: alice, expected: 'FORBIDDEN' },
    }));
});

/** Calls of people and of the platform's staff. */
const refusedToAll = (call: string, wrongs: Record<string, Wrong>, usual = alice): Promise<void> =>
  expectRefused(server, call, { usual }, wrongs);

describe('release notes', () => {
  test('GET Memo/', () =>
    refusedToAll('GET Memo/', { 'neither yes nor no': { query: { all: 'x' }, ...invalid('all') } }));

  test('PUT Memo/saveRemindMemo', () =>
    refusedToAll('PUT Memo/saveRemindMemo', {
      nothing: invalid('upgradeFrequency'),
      'another frequency': { query: { upgradeFrequency: 'MONTHLY' }, ...invalid('upgradeFrequency') },
      'small letters': { query: { upgradeFrequency: 'never' }, ...invalid('upgradeFrequency') },
    }));
});

describe('diagnostics', () => {
  test('GET /api/logs/server.log', () => {
    const wrongLines = (lines: string | number): Wrong => ({ query: { lines }, ...invalid('lines') });
    return refusedToAll(
      'GET /api/logs/server.log',
      {
        'no lines': wrongLines(0),
        'half a line': wrongLines('1.5'),
        'too many lines': wrongLines(2_001),
        'words as lines': wrongLines('all'),
        'by an administrator of a tenant': { who: admin, expected: 'FORBIDDEN' },
      },
      root,
    );
  });

  test('GET /api/diagnostics/summary.txt', () =>
    refusedToAll(
      'GET /api/diagnostics/summary.txt',
      { 'by an administrator of a tenant': { who: admin, expected: 'FORBIDDEN' } },
      root,
    ));

  test('GET /api/diagnostics/bundle.zip', () =>
    refusedToAll('GET /api/diagnostics/bundle.zip', { 'by a user': { who: alice, expected: 'FORBIDDEN' } }, root));
});
