import { readFileSync } from 'node:fs';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PLATFORM_TENANT_ID, type ReleaseNote, type UpgradeFrequency } from '@rmeet/contract';
import { compareVersions, notesDue } from '../../src/modules/release-notes/due.ts';
import { RELEASE_NOTES } from '../../src/modules/release-notes/notes.ts';
import { installedVersion } from '../../src/modules/release-notes/tables.ts';
import { send, signIn, type Person } from './support/client.ts';
import { startTestServer, type TestServer } from './support/server.ts';

const noteOf = (version: string): ReleaseNote => ({
  version,
  date: '2026-01-01',
  changes: { zh: ['新'], en: ['New'] },
});
const notes = ['1.10.0', '1.9.1', '1.9.0'].map(noteOf);
const start = Date.UTC(2026, 0, 1);
const hours = (count: number): Date => new Date(start + count * 3_600_000);
const choice = (frequency: UpgradeFrequency, version: string, doneVersion = '') => ({
  frequency,
  version,
  doneVersion,
  putOffAt: hours(0),
  sessionId: 'one',
});

describe('the notes that an account has not put off', () => {
  test.each<[string, ReturnType<typeof choice> | undefined, Date, string, string[]]>([
    ['no choice yet', undefined, hours(0), 'one', ['1.10.0', '1.9.1', '1.9.0']],
    ['NEVER', choice('NEVER', '1.10.0', '1.10.0'), hours(10_000), 'two', []],
    ['NEVER, before a newer version', choice('NEVER', '1.9.1', '1.9.1'), hours(1), 'one', ['1.10.0']],
    ['DAILY, within a day', choice('DAILY', '1.10.0'), hours(23), 'two', []],
    ['DAILY, after a day', choice('DAILY', '1.10.0'), hours(24), 'one', ['1.10.0', '1.9.1', '1.9.0']],
    ['WEEKLY, within a week', choice('WEEKLY', '1.10.0'), hours(24 * 7 - 1), 'two', []],
    ['WEEKLY, after a week', choice('WEEKLY', '1.10.0', '1.9.0'), hours(24 * 7), 'one', ['1.10.0', '1.9.1']],
    ['EACH, in the same session', choice('EACH', '1.10.0'), hours(1), 'one', []],
    ['EACH, at the next sign-in', choice('EACH', '1.10.0', '1.9.1'), hours(1), 'two', ['1.10.0']],
    ['DAILY for an older version', choice('DAILY', '1.9.1'), hours(1), 'one', ['1.10.0']],
  ])('%s', (_, made, now, session, expected) => {
    expect(notesDue(notes, made, { now, session }).map(({ version }) => version)).toEqual(expected);
  });

  test('versions are compared by number', () => {
    expect(compareVersions('1.10.0', '1.9.9')).toBeGreaterThan(0);
    expect(compareVersions('1.9', '1.9.0')).toBe(0);
    expect(compareVersions('2.0.0-rc.1', '2.0.1')).toBeLessThan(0);
  });
});

describe('the notes of the product', () => {
  test('begin with its version, the newest first, with the same changes in both languages', () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    expect(RELEASE_NOTES[0].version).toBe(version);
    const versions = RELEASE_NOTES.map((note) => note.version);
    expect(versions).toEqual(versions.toSorted((a, b) => compareVersions(b, a)));
    for (const { changes } of RELEASE_NOTES) {
      expect(changes.zh.length).toBe(changes.en.length);
      expect(changes.zh.length).toBeGreaterThan(0);
      for (const sentence of changes.zh) expect(sentence).toMatch(/[\u4e00-\u9fff]/);
    }
  });
});

describe('GET Memo/ and PUT Memo/saveRemindMemo', () => {
  let server: TestServer;
  let bob: Person;
  let root: Person;
  beforeAll(async () => {
    server = await startTestServer();
    [bob, root] = [await signIn(server, 'bob'), await signIn(server, 'root')];
    await installedAt(new Date(0));
  });
  afterAll(() => server.close());
  /** As if this version had first started then. */
  const installedAt = (time: Date) =>
    server.db.tenant(PLATFORM_TENANT_ID, (tx) =>
      tx.update(installedVersion, { installedAt: time }, eq(installedVersion.version, RELEASE_NOTES[0].version)),
    );
  const read = (person: Person) => person.memo.read({ query: {} });
  const putOff = (person: Person, upgradeFrequency: UpgradeFrequency) =>
    person.memo.saveRemindMemo({ query: { upgradeFrequency } });

  test('return the notes until they are put off, each account by itself', async () => {
    expect(await read(bob)).toEqual({
      version: RELEASE_NOTES[0].version,
      records: RELEASE_NOTES,
      remind: false,
      upgradeFrequency: null,
    });
    await putOff(bob, 'NEVER');
    expect(await read(bob)).toMatchObject({ records: [], upgradeFrequency: 'NEVER' });
    expect((await bob.memo.read({ query: { all: 'true' } })).records).toEqual(RELEASE_NOTES);
    expect((await read(root)).records).toEqual(RELEASE_NOTES);
  });

  test('EACH: the notes return at the next sign-in', async () => {
    await putOff(root, 'EACH');
    expect((await read(root)).records).toEqual([]);
    root = await signIn(server, 'root');
    expect((await read(root)).records).toEqual(RELEASE_NOTES);
  });

  test('DAILY: the notes return after a day', async () => {
    const alice = await signIn(server, 'alice');
    await putOff(alice, 'DAILY');
    expect((await read(alice)).records).toEqual([]);
    server.clock.advance({ hours: 24 });
    expect((await read(await signIn(server, 'alice'))).records).toEqual(RELEASE_NOTES);
  });

  test('accounts that knew an earlier version are reminded', async () => {
    await installedAt(server.clock.now());
    const chair = await signIn(server, 'chair');
    expect(await read(chair)).toMatchObject({ remind: true });
    await putOff(chair, 'WEEKLY');
    expect(await read(chair)).toMatchObject({ remind: false, records: [] });
  });

  test('wrong input: another frequency, none, and callers without a session', async () => {
    const chair = await signIn(server, 'chair');
    const save = (query: string) =>
      send(server, 'PUT', `/api/api/v1/Memo/saveRemindMemo${query}`, { token: chair.token });
    for (const query of ['?upgradeFrequency=MONTHLY', '?upgradeFrequency=never', ''])
      expect(await save(query)).toMatchObject({ httpStatus: 400, statusCode: 'INVALID_INPUT' });
    expect((await send(server, 'GET', '/api/api/v1/Memo/')).statusCode).toBe('UNAUTHORIZED');
    // The address without its last slash is the same call.
    expect((await send(server, 'GET', '/api/api/v1/Memo', { token: chair.token })).statusCode).toBe('OK');
  });
});
