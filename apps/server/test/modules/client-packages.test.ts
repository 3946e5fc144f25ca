import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  CLIENT_PACKAGE_TYPES,
  compareVersions,
  contract,
  PACKAGE_BYTES,
  PACKAGE_URL_KEYS,
  pathOf,
  PLATFORM_TENANT_ID,
  type ClientPackage,
  type ClientPackageName,
} from '@rmeet/contract';
import { s3Program } from '@rmeet/testkit';
import { auditLog } from '../../src/modules/audit/tables.ts';
import { isPackage, rulesOf } from '../../src/modules/client-packages/content.ts';
import { clientPackage } from '../../src/modules/client-packages/tables.ts';
import { newId } from '../../src/platform/db/index.ts';
import { clientOf, codeOf, prove, send, signIn, type Answer, type Person } from './support/client.ts';
import { startTestServer, type TestServer } from './support/server.ts';
import { storedKeys } from './support/store.ts';

let server: TestServer;
let root: Person;
let alice: Person;
let dave: Person;
beforeAll(async () => {
  server = await startTestServer();
  [root, alice, dave] = await Promise.all([signIn(server, 'root'), signIn(server, 'alice'), signIn(server, 'dave')]);
});
afterAll(() => server.close());
afterEach(async () => {
  await server.db.tenant(PLATFORM_TENANT_ID, (tx) =>
    tx.update(clientPackage, { withdrawnAt: server.clock.now() }, eq(clientPackage.tenantId, PLATFORM_TENANT_ID)),
  );
});

const { android, ios, windows, mac, harmony, kylinArm } = CLIENT_PACKAGE_TYPES;
const LINK = 'https://downloads.example.org/rmeet';
type NewPackage = Parameters<Person['clientPackages']['create']>[0]['body'];
const publish = (body: Partial<NewPackage> = {}, file?: File) =>
  root.clientPackages.create({
    body: { type: windows, version: '3.4.0', ...(file ? {} : { link: LINK }), ...body },
    ...(file ? { files: [file] } : {}),
  });
const exe = (content = 'MZ installer', name = 'rmeet.exe') => new File([content], name);
const stored = async (): Promise<string[]> => (await storedKeys(server.storage, 'uploads')).toSorted();
const versionsFor = async (who: Person, type: number = windows): Promise<string[]> =>
  (await who.clientPackages.list({ query: {} })).filter((one) => one.type === type).map(({ version }) => version);
/** The whole answer of a failed creation. */
const refusal = (body: object): Promise<Answer> =>
  send(server, 'POST', contract.clientPackages.create.path, { token: root.token, body });

describe('GET client-packages', () => {
  test('lists the newest package of every type, with its key, for callers without an account', async () => {
    for (const [name, type] of Object.entries(CLIENT_PACKAGE_TYPES)) {
      await publish({ type, version: '1.9', link: `${LINK}/${name}-1.9` });
      await publish({ type, version: '1.10', link: `${LINK}/${name}`, minimalVersion: '1.2' });
    }
    const offered = await clientOf(server).clientPackages.list({ query: {} });
    expect(offered.map(({ type, key, version, url }) => [type, key, version, url])).toEqual(
      Object.entries(CLIENT_PACKAGE_TYPES)
        .toSorted(([, a], [, b]) => a - b)
        .map(([name, type]) => [type, PACKAGE_URL_KEYS[name as ClientPackageName], '1.10', `${LINK}/${name}`]),
    );
    expect(offered.map(({ type }) => type)).toEqual([1, 2, 3, 4, 5, 6, 9, 10, 11, 14, 21, 22]);
    expect(offered[0]).toMatchObject({ minimalVersion: '1.2', file: null, notes: '' });
  });

  test('is empty without packages', async () => {
    expect(await clientOf(server).clientPackages.list({ query: {} })).toEqual([]);
  });

  test('offers a roll-out to the people of its tenants alone', async () => {
    await publish({ version: '3.3' });
    const tenantIds = [server.people.get('alice')?.tenantId ?? ''];
    await publish({ version: '3.4', rollout: { kind: 'tenants', tenantIds } });
    expect(await versionsFor(alice)).toEqual(['3.4']);
    expect(await versionsFor(dave)).toEqual(['3.3']);
    expect(await versionsFor(clientOf(server))).toEqual(['3.3']);
  });

  test('offers a roll-out to a part of the accounts, which only grows with its percentage', async () => {
    const made = await publish({ version: '3.4', rollout: { kind: 'percent', percent: 50 } });
    expect(await versionsFor(clientOf(server))).toEqual([]);
    const people = await Promise.all(['bob', 'carol', 'chair', 'admin', 'erin'].map((name) => signIn(server, name)));
    const all = [alice, dave, ...people];
    const offeredTo = async (): Promise<number[]> => {
      const versions = await Promise.all(all.map((who) => versionsFor(who)));
      return versions.flatMap((found, place) => (found.length > 0 ? [place] : []));
    };
    const half = await offeredTo();
    expect(await offeredTo()).toEqual(half);
    const change = (edition: number, percent: number) =>
      root.clientPackages.update({
        params: { id: made.id },
        body: { rollout: { kind: 'percent', percent }, edition },
      });
    await change(1, 99);
    const most = await offeredTo();
    expect(most).toEqual(expect.arrayContaining(half));
    await change(2, 1);
    expect(half).toEqual(expect.arrayContaining(await offeredTo()));
  });

  test('a newer package for everyone ends an older roll-out', async () => {
    const tenantIds = [server.people.get('alice')?.tenantId ?? ''];
    await publish({ version: '3.4', rollout: { kind: 'tenants', tenantIds } });
    await publish({ version: '3.5' });
    expect(await versionsFor(alice)).toEqual(['3.5']);
  });

  test('with an address it has that package, whatever its roll-out, and never a withdrawn one', async () => {
    await publish({ version: '3.3', link: `${LINK}/3.3` });
    const tenantIds = [server.people.get('alice')?.tenantId ?? ''];
    const made = await publish({ version: '3.4', rollout: { kind: 'tenants', tenantIds } }, exe());
    const versionOf = async (url: string) =>
      (await clientOf(server).clientPackages.list({ query: { url } })).map(({ version }) => version);
    expect(await versionOf(made.url)).toEqual(['3.4']);
    expect(await versionOf('https://elsewhere.example.org/rmeet.exe')).toEqual(['3.3']);
    expect(await versionOf('no address')).toEqual(['3.3']);
    await root.clientPackages.withdraw({ params: { id: made.id }, body: { withdrawn: true } });
    expect(await versionOf(made.url)).toEqual(['3.3']);
  });
});

describe('an uploaded package', () => {
  test('is downloaded unchanged without an account, in parts, too, with the checksum of its content', async () => {
    const made = await publish({}, exe());
    const sha256 = createHash('sha256').update('MZ installer').digest('hex');
    expect(made).toMatchObject({ file: { name: 'rmeet.exe', size: 12, sha256 }, publishedBy: 'Root', isCurrent: true });
    const path = pathOf(contract.clientPackages.file, { params: { id: made.id } });
    expect(made.url).toBe(`${server.publicUrl}${path}`);
    expect((await send(server, 'GET', path)).file?.toString()).toBe('MZ installer');
    const part = await server.app.inject({ url: path, headers: { range: 'bytes=3-5' } });
    expect([part.statusCode, part.body]).toEqual([206, 'ins']);
  });

  test.each([
    ['HTML', 'MZ<html><script>alert(1)</script></html>'],
    ['SVG', 'MZ<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
  ])('with %s in it is saved, never shown as a page', async (_, content) => {
    const { id } = await publish({}, exe(content, 'page.html.exe'));
    const { headers } = await server.app.inject({ url: pathOf(contract.clientPackages.file, { params: { id } }) });
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': expect.stringMatching(/^attachment; filename="page\.html\.exe"/),
      'x-content-type-options': 'nosniff',
    });
    expect(headers['content-security-policy']).toContain(`default-src 'none'`);
  });

  test.each([
    ['an HTML file', windows, 'rmeet.html', '<html></html>'],
    ['an SVG file', android, 'rmeet.svg', '<svg/>'],
    ['an HTML file named as an installer', windows, 'rmeet.exe', '<!doctype html><script>alert(1)</script>'],
    ['an SVG file named as a disk image', mac, 'rmeet.dmg', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['an Android package for Windows', windows, 'rmeet.apk', 'PK\x03\x04'],
    ['an installer named as an Android package', android, 'rmeet.apk', 'MZ'],
    ['an empty file', windows, 'rmeet.exe', ''],
    ['a file without an ending', kylinArm, 'rmeet', '!<arch>\ndebian-binary'],
  ])('%s is refused and leaves nothing', async (_, type, name, content) => {
    const before = await stored();
    expect(await codeOf(publish({ type }, exe(content, name)))).toBe('PACKAGE_KIND_WRONG');
    expect(await stored()).toEqual(before);
    expect(await root.clientPackages.query({ query: { state: 'published' } })).toMatchObject({ total: 0 });
  });

  test.each([
    ['exe', windows, 'MZ'],
    ['msi', windows, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'],
    ['apk', android, 'PK\x03\x04'],
    ['dmg', mac, '\x78\x01\x73\x0d\x62\x62\x60\x60\0\xff'],
    ['pkg', mac, 'xar!\0'],
    ['deb', kylinArm, '!<arch>\ndebian-binary   '],
    ['rpm', kylinArm, '\xed\xab\xee\xdb'],
    ['hap', harmony, 'PK\x03\x04'],
  ])('.%s is known by its first bytes', (ending, type, head) => {
    expect(isPackage(type, `Rmeet.${ending.toUpperCase()}`, Buffer.from(head, 'latin1'))).toBe(true);
    expect(isPackage(type, `Rmeet.${ending}`, Buffer.from('<html>'))).toBe(false);
    expect(isPackage(ios, `Rmeet.${ending}`, Buffer.from(head, 'latin1'))).toBe(false);
  });

  test('may have 2 GiB and not a byte more', () => {
    expect(rulesOf(windows)).toMatchObject({ files: 1, bytes: 2_147_483_648 });
    expect(PACKAGE_BYTES).toBe(2_147_483_648);
  });

  test('is kept by the sweep of stored files, and deleted with its row', async () => {
    const made = await publish({}, exe());
    const before = await stored();
    server.clock.advance({ hours: 48 });
    await server.rounds.sweepFiles();
    expect(await stored()).toEqual(before);
    // The sessions have ended meanwhile.
    [root, alice, dave] = await Promise.all([signIn(server, 'root'), signIn(server, 'alice'), signIn(server, 'dave')]);
    expect(await codeOf(root.clientPackages.remove({ params: { id: made.id } }))).toBe('PACKAGE_PUBLISHED');
    await root.clientPackages.withdraw({ params: { id: made.id }, body: { withdrawn: true } });
    await root.clientPackages.remove({ params: { id: made.id } });
    expect((await stored()).length).toBe(before.length - 1);
    expect(await codeOf(root.clientPackages.remove({ params: { id: made.id } }))).toBe('NOT_FOUND');
  });
});

describe('wrong input', () => {
  test.each<[string, object, string]>([
    ['neither a file nor a link', { type: windows, version: '3.4' }, 'PACKAGE_SOURCE_REQUIRED'],
    ['iOS without a link', { type: ios, version: '3.4' }, 'PACKAGE_LINK_ONLY'],
    ['a type that does not exist', { type: 7, version: '3.4', link: LINK }, 'INVALID_INPUT'],
    ['a version that is no version', { type: windows, version: '3.x', link: LINK }, 'INVALID_INPUT'],
    ['a version of five numbers', { type: windows, version: '1.2.3.4.5', link: LINK }, 'INVALID_INPUT'],
    ['a link without https', { type: windows, version: '3.4', link: 'http://a.example.org/x' }, 'INVALID_INPUT'],
    ['a link that is a script', { type: windows, version: '3.4', link: 'javascript:alert(1)' }, 'INVALID_INPUT'],
    [
      'a minimal version above the version',
      { type: windows, version: '3.9', minimalVersion: '3.10', link: LINK },
      'PACKAGE_MINIMUM_ABOVE',
    ],
    [
      'a roll-out of 100 percent, which is for everyone',
      { type: windows, version: '3.4', link: LINK, rollout: { kind: 'percent', percent: 100 } },
      'INVALID_INPUT',
    ],
    [
      'a roll-out to no tenant',
      { type: windows, version: '3.4', link: LINK, rollout: { kind: 'tenants', tenantIds: [] } },
      'INVALID_INPUT',
    ],
    [
      'a roll-out to an unknown tenant',
      { type: windows, version: '3.4', link: LINK, rollout: { kind: 'tenants', tenantIds: [newId()] } },
      'ROLLOUT_TENANT_UNKNOWN',
    ],
    [
      'a roll-out to the tenant of the platform',
      { type: windows, version: '3.4', link: LINK, rollout: { kind: 'tenants', tenantIds: [PLATFORM_TENANT_ID] } },
      'ROLLOUT_TENANT_UNKNOWN',
    ],
  ])('%s is refused', async (_, body, code) => {
    const answer = await refusal(body);
    expect([answer.statusCode, answer.data]).toEqual([code, null]);
    expect(answer.httpStatus).toBeGreaterThanOrEqual(400);
    expect(answer.httpStatus).toBeLessThan(500);
  });

  test('a file and a link at once, a file for iOS, and two files are refused', async () => {
    expect(await codeOf(publish({ link: LINK }, exe()))).toBe('PACKAGE_SOURCE_REQUIRED');
    expect(await codeOf(publish({ type: ios }, exe('PK\x03\x04', 'rmeet.ipa')))).toBe('PACKAGE_LINK_ONLY');
    const two = root.clientPackages.create({ body: { type: windows, version: '3.4' }, files: [exe(), exe()] });
    expect(await codeOf(two)).toBe('FILES_TOO_MANY');
    expect(await versionsFor(clientOf(server))).toEqual([]);
  });

  test('a version is published once per type, until it is withdrawn', async () => {
    const first = await publish({ version: '3.4' });
    expect(await codeOf(publish({ version: '3.4.0' }))).toBe('PACKAGE_VERSION_TAKEN');
    expect(await codeOf(publish({ version: '3.4' }, exe()))).toBe('PACKAGE_VERSION_TAKEN');
    const check = root.clientPackages.check({ body: { type: windows, version: '3.4.0.0' } });
    expect(await codeOf(check)).toBe('PACKAGE_VERSION_TAKEN');
    expect(await codeOf(publish({ type: mac, version: '3.4' }))).toBe('OK');
    await root.clientPackages.withdraw({ params: { id: first.id }, body: { withdrawn: true } });
    expect(await codeOf(publish({ version: '3.4' }))).toBe('OK');
    const again = root.clientPackages.withdraw({ params: { id: first.id }, body: { withdrawn: false } });
    expect(await codeOf(again)).toBe('PACKAGE_VERSION_TAKEN');
  });

  test('a change of an old edition is refused', async () => {
    const { id } = await publish();
    const change = (edition: number, minimalVersion = '3.1') =>
      codeOf(root.clientPackages.update({ params: { id }, body: { minimalVersion, edition } }));
    expect([await change(1), await change(1), await change(2, '3.5')]).toEqual([
      'OK',
      'CHANGED_MEANWHILE',
      'PACKAGE_MINIMUM_ABOVE',
    ]);
  });

  test('ids that do not exist are answered NOT_FOUND', async () => {
    const params = { id: newId() };
    expect(await codeOf(root.clientPackages.update({ params, body: { edition: 1 } }))).toBe('NOT_FOUND');
    expect(await codeOf(root.clientPackages.withdraw({ params, body: { withdrawn: true } }))).toBe('NOT_FOUND');
    expect((await send(server, 'GET', pathOf(contract.clientPackages.file, { params }))).statusCode).toBe('NOT_FOUND');
    const { id } = await publish();
    const ofLink = await send(server, 'GET', pathOf(contract.clientPackages.file, { params: { id } }));
    expect(ofLink.statusCode).toBe('NOT_FOUND');
  });
});

describe('a withdrawn package', () => {
  test('is offered and downloaded no more, until it is published again', async () => {
    await publish({ version: '3.3' });
    const { id } = await publish({ version: '3.4' }, exe());
    const path = pathOf(contract.clientPackages.file, { params: { id } });
    const withdrawn = await root.clientPackages.withdraw({ params: { id }, body: { withdrawn: true } });
    expect(withdrawn).toMatchObject({ withdrawnAt: server.clock.in(0), isCurrent: false });
    expect(await versionsFor(alice)).toEqual(['3.3']);
    expect(await send(server, 'GET', path)).toMatchObject({ httpStatus: 410, statusCode: 'PACKAGE_WITHDRAWN' });
    await root.clientPackages.withdraw({ params: { id }, body: { withdrawn: false } });
    expect(await versionsFor(alice)).toEqual(['3.4']);
    expect((await send(server, 'GET', path)).httpStatus).toBe(200);
  });
});

describe('the list of administrators', () => {
  const ids = (records: readonly ClientPackage[]) => records.map(({ version }) => version);

  test('has all packages by type and version, is filtered, and names the tenants of a roll-out', async () => {
    const alices = server.people.get('alice')?.tenantId ?? '';
    await publish({ version: '7.9', notes: 'Round of june' });
    await publish({ version: '7.10' });
    await publish({ version: '7.2', rollout: { kind: 'tenants', tenantIds: [alices] } });
    await publish({ type: mac, version: '7.1' }, exe('xar!', 'June.pkg'));
    const published = { state: 'published' } as const;
    const query = (more: object) => root.clientPackages.query({ query: { ...published, ...more } });
    const { records } = await query({});
    expect(ids(records)).toEqual(['7.10', '7.9', '7.2', '7.1']);
    expect(records.map(({ isCurrent }) => isCurrent)).toEqual([true, false, false, true]);
    expect(records[2]?.tenants).toEqual([{ id: alices, name: expect.stringMatching(/./) }]);
    expect(ids((await query({ type: mac })).records)).toEqual(['7.1']);
    expect(ids((await query({ keyword: 'JUNE' })).records)).toEqual(['7.9', '7.1']);
    expect(await query({ size: 1, current: 2 })).toMatchObject({ total: 4, records: [{ version: '7.9' }] });
  });

  test('is for administrators of the platform alone, and changes are in the log', async () => {
    const { id } = await publish();
    for (const who of [alice, await signIn(server, 'ops'), await signIn(server, 'admin')])
      expect(await codeOf(who.clientPackages.query({ query: {} }))).toBe('FORBIDDEN');
    await root.clientPackages.withdraw({ params: { id }, body: { withdrawn: true } });
    const rows = await server.db.platform((tx) => tx.find(auditLog, eq(auditLog.targetId, id)));
    expect(rows.map(({ action, targetName, after }) => [action, targetName, after])).toEqual([
      ['clientPackages.create', 'windows 3.4.0', expect.objectContaining({ version: '3.4.0', link: LINK })],
      ['clientPackages.withdraw', 'windows 3.4.0', { withdrawn: true }],
    ]);
  });

  test('a new package needs a session that was proved lately', async () => {
    server.clock.advance({ minutes: 11 });
    expect(await codeOf(publish())).toBe('STEP_UP_REQUIRED');
    const body = { type: windows, version: '3.4' };
    expect(await codeOf(root.clientPackages.check({ body }))).toBe('STEP_UP_REQUIRED');
    await prove(server, root);
    expect(await codeOf(root.clientPackages.check({ body }))).toBe('OK');
    expect(await codeOf(publish())).toBe('OK');
  });
});

test('versions are ordered by their numbers', () => {
  const versions = ['1.10', '2', '1.9.9', '1.10.0.1', '1.2'];
  expect(versions.toSorted(compareVersions)).toEqual(['1.2', '1.9.9', '1.10', '1.10.0.1', '2']);
  expect(compareVersions('2', '2.0.0')).toBe(0);
});

/** Sends a file of many bytes, a piece at a time, and calls `each` after each piece. */
function sendLarge(megabytes: number, each: () => void): Promise<{ status: number; body: string }> {
  const { port } = new URL(server.origin);
  const piece = Buffer.alloc(2 ** 20, 7);
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
  const sent = request({
    port,
    method: 'POST',
    path: contract.clientPackages.create.path,
    headers: { authorization: root.token, 'content-type': 'multipart/form-data; boundary=b' },
  });
  sent.on('error', reject);
  sent.on('response', (response) => {
    let body = '';
    response.on('data', (chunk) => (body += String(chunk)));
    response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
  });
  const json = JSON.stringify({ type: windows, version: '8.0' });
  sent.write(`--b\r\ncontent-disposition: form-data; name="meeting"\r\n\r\n${json}\r\n`);
  sent.write('--b\r\ncontent-disposition: form-data; name="file"; filename="large.exe"\r\n\r\nMZ');
  let left = megabytes;
  const more = (): void => {
    for (; left > 0; left -= 1) {
      each();
      if (!sent.write(piece)) {
        left -= 1;
        sent.once('drain', more);
        return;
      }
    }
    sent.end('\r\n--b--\r\n');
  };
  more();
  return promise;
}

test('a large upload takes no memory, and is stored with its size and checksum', async () => {
  const megabytes = 400;
  const before = process.memoryUsage().rss;
  let most = before;
  const { status, body } = await sendLarge(megabytes, () => {
    most = Math.max(most, process.memoryUsage().rss);
  });
  expect(status).toBe(200);
  const hash = createHash('sha256').update('MZ');
  const piece = Buffer.alloc(2 ** 20, 7);
  for (let sent = 0; sent < megabytes; sent += 1) hash.update(piece);
  const { data } = JSON.parse(body) as { data: ClientPackage };
  expect(data.file).toEqual({ name: 'large.exe', size: megabytes * 2 ** 20 + 2, sha256: hash.digest('hex') });
  // To a bucket it is sent in parts of 8 MiB, which wait for the garbage collector.
  expect((most - before) / 2 ** 20).toBeLessThan(megabytes / (s3Program === undefined ? 3 : 2));
  await root.clientPackages.withdraw({ params: { id: data.id }, body: { withdrawn: true } });
  await root.clientPackages.remove({ params: { id: data.id } });
}, 60_000);

test('an upload that its sender cancels leaves nothing', async () => {
  const before = await stored();
  const { port } = new URL(server.origin);
  const sent = request({
    port,
    method: 'POST',
    path: contract.clientPackages.create.path,
    headers: { authorization: root.token, 'content-type': 'multipart/form-data; boundary=b' },
  });
  sent.on('error', () => undefined);
  const json = JSON.stringify({ type: windows, version: '8.1' });
  sent.write(`--b\r\ncontent-disposition: form-data; name="meeting"\r\n\r\n${json}\r\n`);
  sent.write('--b\r\ncontent-disposition: form-data; name="file"; filename="large.exe"\r\n\r\nMZ');
  sent.write(Buffer.alloc(2 ** 20, 7));
  // A bucket gets nothing of a file before a part of it is complete.
  const partial = async () =>
    s3Program === undefined
      ? (await readdir(`${server.folder}/files`)).filter((name) => name.startsWith('.partial')).length
      : null;
  await expect.poll(partial, { timeout: 5_000 }).toBeOneOf([1, null]);
  sent.destroy();
  await expect.poll(partial, { timeout: 5_000 }).toBeOneOf([0, null]);
  expect(await stored()).toEqual(before);
  expect(await codeOf(root.clientPackages.check({ body: { type: windows, version: '8.1' } }))).toBe('OK');
});
