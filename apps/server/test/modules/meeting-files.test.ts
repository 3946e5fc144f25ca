import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MEETING_FILE_LIMITS, UPLOAD_PATH, type MeetingBody } from '@rmeet/contract';
import { accountRole } from '../../src/modules/accounts/roles/tables.ts';
import { tenant } from '../../src/modules/accounts/tenants/tables.ts';
import { auditLog } from '../../src/modules/audit/tables.ts';
import { meetingUpload } from '../../src/modules/meeting-files/tables.ts';
import { codeOf, send, signIn, type Person } from './support/client.ts';
import { fresh } from './support/fresh.ts';
import { fileNamed, patch, tus, uploadTo } from './support/meeting-files.ts';
import { book, invite } from './support/meetings.ts';
import { startTestServer, type TestServer } from './support/server.ts';
import { storedKeys } from './support/store.ts';

let server: TestServer;
let alice: Person;
let bob: Person;
let carol: Person;
let dave: Person;
let north: string;
beforeAll(async () => {
  server = await startTestServer();
  [alice, bob, carol, dave] = (await Promise.all(
    (['alice', 'bob', 'carol', 'dave'] as const).map((name) => signIn(server, name)),
  )) as [Person, Person, Person, Person];
  north = server.people.get('alice')?.tenantId ?? '';
  // Carol has no permission.
  const id = server.people.get('carol')?.id ?? '';
  await server.db.tenant(north, (tx) => tx.delete(accountRole, eq(accountRole.accountId, id)));
  carol = await signIn(server, 'carol', 'another device');
});
afterAll(() => server.close());

/** A meeting of alice with bob. */
const newMeeting = async (more: Partial<MeetingBody> = {}): Promise<string> =>
  (await book(server, alice, { participants: invite(server, 'bob'), ...more })).meetId;
const pathOfFile = (id: string, more = ''): string => `/api/api/v1/meetingFile/file/download/${id}${more}`;
/** A download with its headers. */
const fetchOf = (path: string, who?: Person, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(server.origin + path, { headers: { ...(who ? { authorization: who.token } : {}), ...headers } });
const bytes = (content: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(content));
/** The names of a meeting's files that a person sees. */
const namesFor = async (who: Person, meetId: string): Promise<string[]> =>
  (await who.meetingFiles.list({ query: { meetId } })).files.records.map(({ name }) => name);

describe('an upload by tus 1.0', () => {
  test('arrives in parts, and is a file when its last byte is there', async () => {
    const meetId = await newMeeting();
    const upload = await alice.meetingFiles.startUpload({ body: { meetId, name: '议程.txt', size: 11 } });
    const first = await patch(server, alice, upload.id, 0, bytes('Hello '));
    expect(first).toMatchObject({ httpStatus: 204, code: 'OK' });
    expect(first.headers.get('upload-offset')).toBe('6');
    expect(await namesFor(alice, meetId)).toEqual([]);
    expect((await alice.meetingFiles.list({ query: { meetId } })).uploads).toEqual([
      expect.objectContaining({ id: upload.id, name: '议程.txt', received: 6, size: 11 }),
    ]);

    const head = await tus(server, 'HEAD', upload.id, { token: alice.token });
    expect([head.headers.get('upload-offset'), head.headers.get('upload-length')]).toEqual(['6', '11']);
    expect(head.headers.get('tus-resumable')).toBe('1.0.0');
    expect((await patch(server, alice, upload.id, 6, bytes('world'))).httpStatus).toBe(204);

    const file = await fileNamed(bob, meetId, '议程.txt');
    expect(file).toMatchObject({ size: 11, kind: 'document', preview: 'text', scan: 'off', version: 1 });
    expect(await (await fetchOf(pathOfFile(file.id), bob)).text()).toBe('Hello world');
    // A client that missed the last answer learns that all arrived.
    const done = await tus(server, 'HEAD', upload.id, { token: alice.token });
    expect(done.headers.get('upload-offset')).toBe('11');
  });

  test('keeps what had arrived when the connection broke, and continues there', async () => {
    const meetId = await newMeeting();
    const content = randomBytes(3_000_000);
    const { id } = await alice.meetingFiles.startUpload({ body: { meetId, name: 'film.bin', size: content.length } });
    const { promise: broken, resolve } = Promise.withResolvers<void>();
    const sending = httpRequest(`${server.origin}${UPLOAD_PATH}/${id}`, {
      method: 'PATCH',
      headers: {
        authorization: alice.token,
        'tus-resumable': '1.0.0',
        'upload-offset': '0',
        'content-type': 'application/offset+octet-stream',
        'content-length': String(content.length),
      },
    });
    sending.on('error', () => resolve());
    sending.write(content.subarray(0, 2_000_000), () => sending.destroy());
    await broken.catch(() => undefined);
    await expect
      .poll(async () => Number((await tus(server, 'HEAD', id, { token: alice.token })).headers.get('upload-offset')))
      .toBeGreaterThan(0);
    const head = await tus(server, 'HEAD', id, { token: alice.token });
    const offset = Number(head.headers.get('upload-offset'));
    expect(offset).toBeLessThanOrEqual(2_000_000);
    const rest = new Uint8Array(content.subarray(offset));
    expect((await patch(server, alice, id, offset, rest)).httpStatus).toBe(204);
    const file = await fileNamed(alice, meetId, 'film.bin');
    const whole = Buffer.from(await (await fetchOf(pathOfFile(file.id), alice)).arrayBuffer());
    expect(whole.equals(content)).toBe(true);
    // Downloads continue, too: over the border of two pieces.
    const part = await fetchOf(pathOfFile(file.id), alice, { range: `bytes=${offset - 10}-${offset + 9}` });
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer()).equals(content.subarray(offset - 10, offset + 10))).toBe(true);
  });

  test.each([
    ['another offset', { 'upload-offset': '5' }, 409, 'UPLOAD_OFFSET'],
    ['no offset', { 'upload-offset': '' }, 400, 'INVALID_INPUT'],
    ['another protocol version', { 'tus-resumable': '0.2.2' }, 412, 'UPLOAD_VERSION'],
    ['another content type', { 'content-type': 'text/plain' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ])('with %s is rejected, and nothing is stored', async (_, wrong: Record<string, string>, httpStatus, code) => {
    const meetId = await newMeeting();
    const { id } = await alice.meetingFiles.startUpload({ body: { meetId, name: 'plan.txt', size: 9 } });
    const answer = await tus(server, 'PATCH', id, {
      token: alice.token,
      body: bytes('123'),
      headers: { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0', ...wrong },
    });
    expect(answer).toMatchObject({ httpStatus, code });
    expect((await alice.meetingFiles.list({ query: { meetId } })).uploads[0]?.received).toBe(0);
    expect(await storedKeys(server.storage, `documents/${id}`)).toEqual([]);
  });

  test('with more bytes than announced is rejected', async () => {
    const meetId = await newMeeting();
    const { id } = await alice.meetingFiles.startUpload({ body: { meetId, name: 'plan.txt', size: 3 } });
    expect(await patch(server, alice, id, 0, bytes('1234'))).toMatchObject({ httpStatus: 413, code: 'BODY_TOO_LARGE' });
    expect((await patch(server, alice, id, 0, bytes('123'))).code).toBe('OK');
  });

  test('belongs to the person who began it: others, foreign tenants and unknown tokens are rejected', async () => {
    const meetId = await newMeeting();
    const { id } = await alice.meetingFiles.startUpload({ body: { meetId, name: 'plan.txt', size: 3 } });
    for (const who of [bob, carol, dave]) {
      for (const method of ['HEAD', 'DELETE'] as const)
        expect((await tus(server, method, id, { token: who.token })).httpStatus).toBe(who === carol ? 403 : 404);
      expect((await patch(server, who, id, 0, bytes('123'))).httpStatus).toBe(who === carol ? 403 : 404);
    }
    expect((await tus(server, 'HEAD', id)).httpStatus).toBe(401);
    expect((await tus(server, 'PATCH', id, { token: 'unknown', body: bytes('123') })).code).toBe('UNAUTHORIZED');
    expect((await tus(server, 'HEAD', randomUUID(), { token: alice.token })).httpStatus).toBe(404);
    const options = await tus(server, 'OPTIONS', id);
    expect([options.httpStatus, options.headers.get('tus-version')]).toEqual([204, '1.0.0']);
  });

  test('can be cancelled, and is forgotten with its bytes when it is not continued', async () => {
    const meetId = await newMeeting();
    const start = () => alice.meetingFiles.startUpload({ body: { meetId, name: 'plan.txt', size: 6 } });
    const [cancelled, left] = [await start(), await start()];
    for (const { id } of [cancelled, left]) await patch(server, alice, id, 0, bytes('123'));
    expect((await tus(server, 'DELETE', cancelled.id, { token: alice.token })).httpStatus).toBe(204);
    expect((await tus(server, 'HEAD', cancelled.id, { token: alice.token })).httpStatus).toBe(404);
    expect(await storedKeys(server.storage, `documents/${cancelled.id}`)).toEqual([]);
    server.clock.advance({ hours: MEETING_FILE_LIMITS.uploadHours + 1 });
    [alice, bob, carol, dave] = (await Promise.all(
      ['alice', 'bob', 'carol', 'dave'].map((name) => signIn(server, name)),
    )) as [Person, Person, Person, Person];
    expect((await tus(server, 'HEAD', left.id, { token: alice.token })).httpStatus).toBe(404);
    await server.rounds.sweepDocuments();
    expect(await server.db.platform((tx) => tx.find(meetingUpload, eq(meetingUpload.id, left.id)))).toEqual([]);
    expect(await storedKeys(server.storage, `documents/${left.id}`)).toEqual([]);
  });

  test('of two requests at the same place, one counts', async () => {
    const meetId = await newMeeting();
    const { id } = await alice.meetingFiles.startUpload({ body: { meetId, name: 'plan.txt', size: 3 } });
    const answers = await Promise.all([1, 2].map(() => patch(server, alice, id, 0, bytes('123'))));
    expect(answers.map(({ code }) => code).filter((code) => code === 'OK')).toHaveLength(1);
    expect(await storedKeys(server.storage, `documents/${id}`)).toHaveLength(1);
  });
});

describe('wrong files', () => {
  const start = async (more: object) =>
    codeOf(alice.meetingFiles.startUpload({ body: { meetId: await newMeeting(), name: 'a.txt', size: 5, ...more } }));

  test.each([
    ['an empty file', { size: 0 }, 'FILE_EMPTY'],
    ['a file above the limit', { size: MEETING_FILE_LIMITS.bytes + 1 }, 'FILE_TOO_LARGE'],
    ['a program by its name', { name: 'setup.exe' }, 'FILE_KIND_REFUSED'],
    ['no name', { name: ' ' }, 'INVALID_INPUT'],
    ['a negative size', { size: -1 }, 'INVALID_INPUT'],
    ['an unknown folder', { folderId: randomUUID() }, 'NOT_FOUND'],
    ['an unknown file', { fileId: randomUUID() }, 'NOT_FOUND'],
    ['an unknown meeting', { meetId: randomUUID() }, 'NOT_FOUND'],
  ])('%s is rejected before its first byte', async (_, more, code) => {
    expect(await start(more)).toBe(code);
  });

  test('a program is rejected by its content, whatever its name, and also in tiny parts', async () => {
    const meetId = await newMeeting();
    expect((await uploadTo(server, alice, meetId, 'photo.png', 'MZ\0\0 program')).code).toBe('FILE_KIND_REFUSED');
    const { id } = await alice.meetingFiles.startUpload({ body: { meetId, name: 'notes.txt', size: 4 } });
    await patch(server, alice, id, 0, bytes('#'));
    expect((await patch(server, alice, id, 1, bytes('!/x'))).code).toBe('FILE_KIND_REFUSED');
    const { files, uploads } = await alice.meetingFiles.list({ query: { meetId } });
    expect([files.total, uploads]).toEqual([0, []]);
  });

  test('a tenant has its space: what is kept and what is arriving counts', async () => {
    await server.db.platform((tx) => tx.update(tenant, { maxMeetingFileBytes: 0 }, eq(tenant.tenantId, north)));
    try {
      expect(await start({})).toBe('MEETING_FILE_SPACE_FULL');
      const used = (await alice.meetingFiles.list({ query: { meetId: await newMeeting() } })).space.used;
      await server.db.platform((tx) =>
        tx.update(tenant, { maxMeetingFileBytes: used + 7 }, eq(tenant.tenantId, north)),
      );
      expect(await start({})).toBe('OK');
      expect(await start({})).toBe('MEETING_FILE_SPACE_FULL');
    } finally {
      await server.db.platform((tx) => tx.update(tenant, { maxMeetingFileBytes: null }, eq(tenant.tenantId, north)));
    }
  });
});

describe('who sees a file, and when', () => {
  test('members see what is open, managers all; a secret opens with the start', async () => {
    const meetId = await newMeeting();
    await uploadTo(server, alice, meetId, 'a open.txt', 'x');
    await uploadTo(server, alice, meetId, 'b secret.txt', 'x', { secretUntilStart: true });
    await uploadTo(server, alice, meetId, 'c managers.txt', 'x', { audience: 'managers' });
    await uploadTo(server, bob, meetId, 'd of bob.txt', 'x');
    expect(await namesFor(alice, meetId)).toEqual(['a open.txt', 'b secret.txt', 'c managers.txt', 'd of bob.txt']);
    expect(await namesFor(bob, meetId)).toEqual(['a open.txt', 'd of bob.txt']);
    const secret = await fileNamed(alice, meetId, 'b secret.txt');
    for (const work of [
      () => bob.meetingFiles.preview({ params: { id: secret.id } }),
      () => bob.meetingFiles.versions({ params: { id: secret.id } }),
      () => bob.meetingFiles.change({ params: { id: secret.id }, body: { name: 'x.txt' } }),
      () => bob.meetingFiles.remove({ params: { id: secret.id } }),
    ])
      expect(await codeOf(work())).toBe('NOT_FOUND');
    expect((await fetchOf(pathOfFile(secret.id), bob)).status).toBe(404);
    const { url } = await alice.meetingFiles.preview({ params: { id: secret.id } });
    expect((await fetchOf(url)).status).toBe(200);

    server.clock.advance({ minutes: 61 });
    expect(await namesFor(bob, meetId)).toEqual(['a open.txt', 'b secret.txt', 'd of bob.txt']);
    expect((await fetchOf(pathOfFile(secret.id), bob)).status).toBe(200);
  });

  test('a cancelled meeting never opens its secrets', async () => {
    const meetId = await newMeeting();
    await uploadTo(server, alice, meetId, 'secret.txt', 'x', { secretUntilStart: true });
    await alice.meetings.cancel({ params: { id: meetId }, query: {} });
    server.clock.advance({ minutes: 61 });
    expect(await namesFor(bob, meetId)).toEqual([]);
  });

  test('members change only their own files, and never who sees them', async () => {
    const meetId = await newMeeting();
    await uploadTo(server, alice, meetId, 'hers.txt', 'x');
    await uploadTo(server, bob, meetId, 'his.txt', 'x');
    const [hers, his] = [await fileNamed(bob, meetId, 'hers.txt'), await fileNamed(bob, meetId, 'his.txt')];
    expect([hers.can.change, his.can.change]).toEqual([false, true]);
    expect(await codeOf(bob.meetingFiles.remove({ params: { id: hers.id } }))).toBe('FORBIDDEN');
    const secret = { secretUntilStart: true };
    expect(await codeOf(bob.meetingFiles.change({ params: { id: his.id }, body: secret }))).toBe('FORBIDDEN');
    const start = { meetId, name: 'a.txt', size: 1, audience: 'managers' as const };
    expect(await codeOf(bob.meetingFiles.startUpload({ body: start }))).toBe('FORBIDDEN');
    const renamed = await bob.meetingFiles.change({ params: { id: his.id }, body: { name: '../new.txt' } });
    expect(renamed.name).toBe('new.txt');
    const program = { name: 'a.exe' };
    expect(await codeOf(bob.meetingFiles.change({ params: { id: his.id }, body: program }))).toBe('FILE_KIND_REFUSED');
  });

  test('people without the permission read, and send nothing', async () => {
    const { meetId } = await book(server, alice, { participants: invite(server, 'carol') });
    await uploadTo(server, alice, meetId, 'a.txt', 'x');
    expect(await namesFor(carol, meetId)).toEqual(['a.txt']);
    expect((await carol.meetingFiles.list({ query: { meetId } })).can).toEqual({ add: false, manage: false });
    expect(await codeOf(carol.meetingFiles.startUpload({ body: { meetId, name: 'a', size: 1 } }))).toBe('FORBIDDEN');
  });

  test('a preview stops when its reader loses the meeting', async () => {
    const meetId = await newMeeting();
    await uploadTo(server, alice, meetId, 'a.txt', 'x');
    const file = await fileNamed(bob, meetId, 'a.txt');
    const { url } = await bob.meetingFiles.preview({ params: { id: file.id } });
    expect((await fetchOf(url)).status).toBe(200);
    expect((await fetchOf(`${url.slice(0, -1)}${url.endsWith('A') ? 'B' : 'A'}`)).status).toBe(406);
    await alice.meetingFiles.change({ params: { id: file.id }, body: { audience: 'managers' } });
    expect((await fetchOf(url)).status).toBe(404);
    await alice.meetingFiles.change({ params: { id: file.id }, body: { audience: 'members' } });
    server.clock.advance({ seconds: MEETING_FILE_LIMITS.previewSeconds + 1 });
    expect((await fetchOf(url)).status).toBe(406);
  });
});

test('a list is searched and sorted by name, size and time of the newest version', async () => {
  const meetId = await newMeeting();
  for (const [name, content] of [
    ['b plan.txt', 'xx'],
    ['a PLAN_1.txt', 'xxx'],
    ['c plan.txt', 'x'],
    ['agenda.txt', 'x'],
  ] as const) {
    server.clock.advance({ seconds: 1 });
    await uploadTo(server, alice, meetId, name, content);
  }
  server.clock.advance({ seconds: 1 });
  const { id: fileId } = await fileNamed(alice, meetId, 'b plan.txt');
  await uploadTo(server, alice, meetId, 'b plan.txt', 'xxxxx', { fileId });
  for (const name of ['Plans', 'Other']) await alice.meetingFiles.createFolder({ body: { meetId, name } });
  const found = async (query: object) => {
    const { files, folders } = await bob.meetingFiles.list({ query: { meetId, keyword: 'plan', ...query } });
    return [...folders, ...files.records].map(({ name }) => name[0]).join('');
  };
  expect(await found({})).toBe('Pabc');
  expect(await found({ order: 'DESC' })).toBe('Pcba');
  expect(await found({ sort: 'size', order: 'DESC' })).toBe('Pbac');
  expect(await found({ sort: 'at', order: 'DESC' })).toBe('Pbca');
  expect(await found({ keyword: 'n_1' })).toBe('a');
  expect(await found({ keyword: '%' })).toBe('');
  expect(await found({ size: 1, current: 2 })).toBe('Pb');
});

describe('versions', () => {
  test('a new version keeps name, place and readers; older ones can be downloaded', async () => {
    const meetId = await newMeeting();
    await uploadTo(server, alice, meetId, 'plan.txt', 'first');
    const { id: fileId } = await fileNamed(alice, meetId, 'plan.txt');
    await uploadTo(server, alice, meetId, 'other name.txt', 'second!', { fileId });
    expect(await fileNamed(bob, meetId, 'plan.txt')).toMatchObject({ id: fileId, version: 2, size: 7 });
    const versions = await bob.meetingFiles.versions({ params: { id: fileId } });
    expect(versions.map(({ version, size }) => [version, size])).toEqual([
      [2, 7],
      [1, 5],
    ]);
    expect(await (await fetchOf(pathOfFile(fileId), bob)).text()).toBe('second!');
    expect(await (await fetchOf(pathOfFile(fileId, '?version=1'), bob)).text()).toBe('first');
    expect((await fetchOf(pathOfFile(fileId, '?version=3'), bob)).status).toBe(404);
    expect(await codeOf(bob.meetingFiles.startUpload({ body: { meetId, fileId, name: 'a', size: 1 } }))).toBe(
      'FORBIDDEN',
    );
  });

  test('a deleted file goes with all its contents, and the log names it', async () => {
    const meetId = await newMeeting();
    const { upload } = await uploadTo(server, alice, meetId, 'plan.txt', 'first');
    const { id } = await fileNamed(alice, meetId, 'plan.txt');
    await alice.meetingFiles.remove({ params: { id } });
    expect((await fetchOf(pathOfFile(id), alice)).status).toBe(404);
    await expect.poll(() => storedKeys(server.storage, `documents/${upload.id}`)).toEqual([]);
    const rows = await server.db.platform((tx) => tx.find(auditLog, eq(auditLog.targetId, meetId)));
    expect(rows.find(({ action }) => action === 'meetingFiles.remove')).toMatchObject({
      before: { file: 'plan.txt', version: 1 },
    });
  });
});

describe('folders', () => {
  test('hold files and folders, five levels deep, each name once', async () => {
    const meetId = await newMeeting();
    let parentId: string | null = null;
    for (let depth = 1; depth <= MEETING_FILE_LIMITS.depth; depth += 1)
      ({ id: parentId } = await alice.meetingFiles.createFolder({ body: { meetId, parentId, name: 'Slides' } }));
    const create = (body: object) =>
      codeOf(alice.meetingFiles.createFolder({ body: { meetId, name: 'Slides', ...body } }));
    expect(await create({ parentId })).toBe('FOLDER_TOO_DEEP');
    expect(await create({ name: 'slides' })).toBe('FOLDER_EXISTS');
    expect(await create({ parentId: randomUUID() })).toBe('NOT_FOUND');
    expect(await create({ meetId: await newMeeting(), parentId })).toBe('NOT_FOUND');
    expect(await create({ name: '' })).toBe('INVALID_INPUT');
    await uploadTo(server, alice, meetId, 'deep.txt', 'x', { folderId: parentId });
    const list = await bob.meetingFiles.list({ query: { meetId, folderId: parentId ?? '' } });
    expect(list.path).toHaveLength(MEETING_FILE_LIMITS.depth);
    expect(list.files.records.map(({ name }) => name)).toEqual(['deep.txt']);
    const other = await alice.meetingFiles.createFolder({ body: { meetId, name: 'Other' } });
    expect(await codeOf(alice.meetingFiles.renameFolder({ params: { id: other.id }, body: { name: 'Slides' } }))).toBe(
      'FOLDER_EXISTS',
    );
    const file = await fileNamed(alice, meetId, 'deep.txt', parentId ?? '');
    await alice.meetingFiles.change({ params: { id: file.id }, body: { folderId: other.id } });
    expect((await fileNamed(bob, meetId, 'deep.txt', other.id)).id).toBe(file.id);
  });

  test('are deleted with what is in them by managers; by their maker only while empty', async () => {
    const meetId = await newMeeting();
    const folder = await bob.meetingFiles.createFolder({ body: { meetId, name: 'Of bob' } });
    await uploadTo(server, bob, meetId, 'a.txt', 'x', { folderId: folder.id });
    expect(await codeOf(bob.meetingFiles.removeFolder({ params: { id: folder.id } }))).toBe('FORBIDDEN');
    await alice.meetingFiles.removeFolder({ params: { id: folder.id } });
    const empty = await bob.meetingFiles.createFolder({ body: { meetId, name: 'Of bob' } });
    await bob.meetingFiles.removeFolder({ params: { id: empty.id } });
    expect((await bob.meetingFiles.list({ query: { meetId } })).folders).toEqual([]);
  });
});

describe('GET meetingFile/file/downloadDic/{id}', () => {
  /** What a program that is not ours reads from a ZIP file: names with sizes. */
  async function unzipped(zip: Buffer): Promise<Record<string, string>> {
    const folder = await mkdtemp(join(tmpdir(), 'rmeet-zip-'));
    try {
      await writeFile(join(folder, 'a.zip'), zip);
      const script =
        'import json,sys,zipfile\nz=zipfile.ZipFile(sys.argv[1])\nassert z.testzip() is None\n' +
        'print(json.dumps({i.filename:z.read(i).decode("latin1")[:50] for i in z.infolist()}))';
      const { stdout } = await promisify(execFile)('python3', ['-c', script, join(folder, 'a.zip')]);
      return JSON.parse(stdout) as Record<string, string>;
    } finally {
      await rm(folder, { recursive: true });
    }
  }
  const zipOf = (id: string, who: Person) => fetchOf(`/api/api/v1/meetingFile/file/downloadDic/${id}`, who);

  test('zips what the caller may see of a meeting or a folder, with its announced length', async () => {
    const meetId = await newMeeting({ subject: '查房' });
    const outer = await alice.meetingFiles.createFolder({ body: { meetId, name: '幻灯片' } });
    const inner = await alice.meetingFiles.createFolder({ body: { meetId, parentId: outer.id, name: 'Old' } });
    await uploadTo(server, alice, meetId, 'a.txt', 'A');
    await uploadTo(server, alice, meetId, 'a.txt', 'B');
    await uploadTo(server, alice, meetId, 'b.txt', 'C', { folderId: outer.id });
    await uploadTo(server, alice, meetId, 'c.txt', 'D', { folderId: inner.id });
    await uploadTo(server, alice, meetId, 'hidden.txt', 'E', { audience: 'managers' });
    const answer = await zipOf(meetId, bob);
    expect(answer.headers.get('content-disposition')).toContain(encodeURIComponent('查房.zip'));
    const zip = Buffer.from(await answer.arrayBuffer());
    expect(Number(answer.headers.get('content-length'))).toBe(zip.length);
    const whole = await unzipped(zip);
    expect(Object.keys(whole).toSorted()).toEqual(['a (2).txt', 'a.txt', '幻灯片/Old/c.txt', '幻灯片/b.txt']);
    expect(await unzipped(Buffer.from(await (await zipOf(outer.id, bob)).arrayBuffer()))).toEqual({
      'b.txt': 'C',
      'Old/c.txt': 'D',
    });
    expect((await zipOf(meetId, dave)).status).toBe(404);
    expect((await zipOf(outer.id, dave)).status).toBe(404);
    expect((await zipOf(meetId, carol)).status).toBe(404);
  });

  test('contains the files of the booking, and says when there is nothing', async () => {
    const meetId = await newMeeting();
    expect((await send(server, 'GET', `/api/api/v1/meetingFile/file/downloadDic/${meetId}`, bob)).statusCode).toBe(
      'FOLDER_EMPTY',
    );
    const booked = await alice.meetings.createLocal({
      body: {
        subject: 'Local',
        startTime: server.clock.in(60),
        duration: 30,
        participants: invite(server, 'bob'),
        roomIds: [await fresh.room(server, north)],
      },
      files: [new File(['Booked'], 'agenda.txt')],
    });
    const { booked: listed } = await bob.meetingFiles.list({ query: { meetId: booked.meetId } });
    expect(listed.map(({ name }) => name)).toEqual(['agenda.txt']);
    const zip = Buffer.from(await (await zipOf(booked.meetId, bob)).arrayBuffer());
    expect(await unzipped(zip)).toEqual({ 'agenda.txt': 'Booked' });
  });
});

describe('nothing runs, whatever was uploaded', () => {
  const page = '<!doctype html><script>alert(1)</script>';
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>';
  const gif = Buffer.concat([Buffer.from('GIF89a\x01\0\x01\0', 'latin1'), Buffer.from(`/*${page}*/=1;alert(1)`)]);
  const bomb = gzipSync(Buffer.alloc(5_000_000));

  test.each<[string, string, string | Buffer, string | null]>([
    ['a page', 'page.html', page, 'text/plain; charset=utf-8'],
    ['an SVG', 'logo.svg', svg, 'text/plain; charset=utf-8'],
    ['a picture that is also a script', 'both.js.gif', gif, 'image/gif'],
    ['a PDF that is also a page', 'both.pdf', `%PDF-1.7\n${page}`, 'application/pdf'],
    ['a ZIP bomb', 'bomb.gz', bomb, null],
    ['a page with the name of a picture', 'photo.png', page, 'text/plain; charset=utf-8'],
    ['a picture with the name of a page', 'page2.html', gif, 'image/gif'],
  ])('%s is saved by downloads, and shown as what it is', async (_, name, content, shown) => {
    const meetId = await newMeeting();
    await uploadTo(server, alice, meetId, name, content);
    const file = await fileNamed(alice, meetId, name);
    const saved = await fetchOf(pathOfFile(file.id), alice);
    expect(Object.fromEntries(saved.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': expect.stringMatching(/^attachment;/),
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/default-src 'none'.*sandbox$/),
    });
    expect(Buffer.from(await saved.arrayBuffer()).equals(Buffer.from(content))).toBe(true);
    if (shown === null) {
      expect(await codeOf(alice.meetingFiles.preview({ params: { id: file.id } }))).toBe('FILE_NOT_SHOWN');
      return;
    }
    const { url } = await alice.meetingFiles.preview({ params: { id: file.id } });
    const preview = await fetchOf(url);
    expect(Object.fromEntries(preview.headers)).toMatchObject({
      'content-type': shown,
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'content-security-policy': expect.stringMatching(/default-src 'none'.*sandbox$/),
    });
  });
});

describe('office files', () => {
  test('are not shown without a converter', async () => {
    const meetId = await newMeeting();
    await uploadTo(server, alice, meetId, 'a.doc', Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 words', 'latin1'));
    const file = await fileNamed(alice, meetId, 'a.doc');
    expect(file.preview).toBeNull();
    expect(await codeOf(alice.meetingFiles.preview({ params: { id: file.id } }))).toBe('FILE_NOT_SHOWN');
  });

  test.skipIf(!existsSync('/usr/bin/bwrap'))(
    'are shown as the PDF that the converter makes, and not if it fails',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'rmeet-soffice-'));
      const soffice = join(folder, 'soffice');
      // As LibreOffice: the last argument is the file, --outdir names the folder of the result.
      await writeFile(
        soffice,
        '#!/bin/sh\nfor last; do :; done\ngrep -q broken "$last" && exit 1\nprintf "%%PDF-1.4 made" > file.pdf\n',
      );
      await chmod(soffice, 0o755);
      const other = await startTestServer({ soffice });
      try {
        const chair = await signIn(other, 'alice');
        const { meetId } = await book(other, chair);
        for (const [name, words] of [
          ['a.doc', 'words'],
          ['b.doc', 'broken'],
        ] as const) {
          const content = Buffer.from(`\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 ${words}`, 'latin1');
          await uploadTo(other, chair, meetId, name, content);
        }
        const good = await fileNamed(chair, meetId, 'a.doc');
        const bad = await fileNamed(chair, meetId, 'b.doc');
        expect(good.preview).toBe('office');
        for (const { id } of [good, bad])
          expect(await chair.meetingFiles.preview({ params: { id } })).toMatchObject({
            state: 'converting',
            as: 'pdf',
          });
        expect(await other.rounds.convertFiles()).toBe(2);
        const { state, url } = await chair.meetingFiles.preview({ params: { id: good.id } });
        expect(state).toBe('ready');
        const shown = await fetch(other.origin + url);
        expect([shown.headers.get('content-type'), await shown.text()]).toEqual(['application/pdf', '%PDF-1.4 made']);
        expect(await codeOf(chair.meetingFiles.preview({ params: { id: bad.id } }))).toBe('FILE_NOT_SHOWN');
      } finally {
        await other.close();
        await rm(folder, { recursive: true });
      }
    },
  );
});
