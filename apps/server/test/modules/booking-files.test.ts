import { request as httpRequest } from 'node:http';
import { readdir } from 'node:fs/promises';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contract, LIMITS, openApi, type Meeting } from '@rmeet/contract';
import { auditLog } from '../../src/modules/audit/tables.ts';
import { meetingFile } from '../../src/modules/meetings/tables.ts';
import { accountRole } from '../../src/modules/accounts/roles/tables.ts';
import { fileNameOf } from '../../src/platform/http/calls/file-name.ts';
import { newId } from '../../src/platform/db/index.ts';
import { codeOf, send, signIn, type Person } from './support/client.ts';
import { fresh } from './support/fresh.ts';
import { book, invite } from './support/meetings.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let alice: Person;
let bob: Person;
let carol: Person;
let north: string;
beforeAll(async () => {
  server = await startTestServer();
  [alice, bob, carol] = await Promise.all([signIn(server, 'alice'), signIn(server, 'bob'), signIn(server, 'carol')]);
  north = server.people.get('alice')?.tenantId ?? '';
});
afterAll(() => server.close());

const file = (name: string, content: string | Uint8Array<ArrayBuffer> = 'Agenda', type = 'text/plain') =>
  new File([content], name, { type });
const bodyOf = async () => ({
  subject: 'Ward round',
  startTime: server.clock.in(60),
  duration: 60,
  roomIds: [await fresh.room(server, north)],
});
const bookLocal = async (files: File[], more: object = {}, who: Person = alice) =>
  who.meetings.createLocal({ body: { ...(await bodyOf()), ...more }, files });
const names = (meeting: Meeting) => meeting.files.map(({ name }) => name);
const editOf = (made: Meeting) => ({
  subject: made.subject,
  startTime: made.startTime,
  duration: made.duration,
  roomIds: made.rooms.map(({ id }) => id),
  version: made.version,
});
const edit = (made: Meeting, files: File[], more: object = {}, who: Person = alice) =>
  who.meetings.updateWithFile({ params: { id: made.meetId }, body: { ...editOf(made), ...more }, files });
const download = (id: string, who: Person) =>
  send(server, 'GET', `/api/api/v1/meetingFile/file/download/${id}`, { token: who.token });
/** The number of stored files. */
const stored = async (): Promise<number> => (await readdir(`${server.folder}/files/uploads`).catch(() => [])).length;
/** Sends a form unchanged, for requests that our clients would not send. */
const post = (form: FormData, who: Person = alice) =>
  send(server, 'POST', '/api/api/v1/meetings/localWithFile', { token: who.token, body: form });
async function formOf(parts: [string, string | File][]): Promise<FormData> {
  const form = new FormData();
  form.append('meeting', JSON.stringify(await bodyOf()));
  for (const [name, value] of parts) form.append(name, value);
  return form;
}

describe('POST meetings/localWithFile', () => {
  test('keeps the files that come with a booking, in their order', async () => {
    const made = await bookLocal([file('议程.pdf', 'One'), file('plan b.txt', 'Number two')]);
    expect(made.files).toEqual([
      { id: expect.any(String), name: '议程.pdf', size: 3 },
      { id: expect.any(String), name: 'plan b.txt', size: 10 },
    ]);
    expect(names((await alice.meetings.list({ query: { keyword: made.numericId } })).records[0] ?? made)).toEqual([
      '议程.pdf',
      'plan b.txt',
    ]);
    const row = await server.db.platform((tx) => tx.findOne(auditLog, eq(auditLog.targetId, made.meetId)));
    expect(row?.after).toMatchObject({ type: 'LOCAL_MEETING', files: ['议程.pdf', 'plan b.txt'] });
    expect((await bookLocal([])).files).toEqual([]);
  });

  test('cleans file names, and stores each file at its own place', async () => {
    const made = await bookLocal([file('../../etc/passwd'), file('same.txt'), file('same.txt')]);
    expect(names(made)).toEqual(['passwd', 'same.txt', 'same.txt']);
    const keys = (await server.db.platform((tx) => tx.find(meetingFile, eq(meetingFile.meetingId, made.meetId)))).map(
      ({ storageKey }) => storageKey,
    );
    expect(new Set(keys).size).toBe(3);
    expect(keys.every((key) => /^uploads\/[0-9a-f-]{36}$/.test(key))).toBe(true);
  });

  test.each([
    ['a\u202egnp.exe', 'agnp.exe'],
    ['C:\\temp\\x.doc', 'x.doc'],
    ['', 'file'],
    ['...', 'file'],
    ['a\0b\r\n.txt', 'ab.txt'],
    ['<b>"x"?.txt', 'bx.txt'],
    [`${'长'.repeat(200)}.docx`, `${'长'.repeat(115)}.docx`],
    ['lone\ud800.txt', 'lone\ufffd.txt'],
  ])('the name %j is shown as %j', (sent, shown) => {
    expect(fileNameOf(sent)).toBe(shown);
  });

  test('a refused booking leaves no file', async () => {
    const before = await stored();
    expect(await codeOf(bookLocal([file('a.txt')], { roomIds: [] }))).toBe('ROOM_REQUIRED');
    expect(await codeOf(bookLocal([file('a.txt')], { subject: '' }))).toBe('INVALID_INPUT');
    expect(await codeOf(bookLocal([file('a.txt')], { roomIds: [newId()] }))).toBe('ROOM_UNKNOWN');
    expect(await stored()).toBe(before);
  });

  test('refuses a file above the size limit, and names it', async () => {
    const before = await stored();
    const large = file('large.bin', new Uint8Array(LIMITS.fileBytes + 1));
    const answer = await post(
      await formOf([
        ['file', file('small.txt')],
        ['file', large],
      ]),
    );
    expect(answer).toMatchObject({
      httpStatus: 406,
      statusCode: 'FILE_TOO_LARGE',
      message: 'large.bin is larger than 50 MB. Make it smaller and try again.',
    });
    expect(await stored()).toBe(before);
    expect((await bookLocal([file('whole.bin', new Uint8Array(LIMITS.fileBytes))])).files[0]?.size).toBe(
      LIMITS.fileBytes,
    );
  });

  test('refuses more files than a meeting may have, in one call or in total', async () => {
    const before = await stored();
    const many = Array.from({ length: LIMITS.files }, (_, at) => file(`${at}.txt`));
    expect(await codeOf(bookLocal([...many, file('one more.txt')]))).toBe('FILES_TOO_MANY');
    expect(await stored()).toBe(before);
    const made = await bookLocal(many);
    expect(await codeOf(edit(made, [file('one more.txt')]))).toBe('FILES_TOO_MANY');
    expect(await stored()).toBe(before + LIMITS.files);
    const [first, ...others] = made.files;
    expect(names(await edit(made, [file('one more.txt')], { keepFileIds: others.map(({ id }) => id) })).at(-1)).toBe(
      'one more.txt',
    );
    expect(first?.name).toBe('0.txt');
    expect(await stored()).toBe(before + LIMITS.files);
  });

  test('files require a permission, a booking without files does not', async () => {
    const dora = server.people.get('carol')?.id ?? '';
    const roles = await server.db.tenant(north, (tx) => tx.delete(accountRole, eq(accountRole.accountId, dora)));
    const before = await stored();
    const made = await book(server, alice, { participants: invite(server, 'carol') });
    const again = await signIn(server, 'carol', 'another device');
    expect(await codeOf(edit(made, [file('a.txt')], { roomIds: [], password: '4821' }, again))).toBe('FORBIDDEN');
    expect(await stored()).toBe(before);
    await server.db.tenant(north, (tx) =>
      tx.insert(
        accountRole,
        roles.map(({ accountId, roleId }) => ({ accountId, roleId })),
      ),
    );
    carol = await signIn(server, 'carol');
  });

  test.each([
    ['no field with the meeting', [['file', file('a.txt')]], 'INVALID_INPUT'],
    ['a meeting that is no JSON', [['meeting', '{']], 'MALFORMED_BODY'],
    ['a meeting that sets a prototype', [['meeting', '{"__proto__": {"a": 1}}']], 'MALFORMED_BODY'],
    ['too long a meeting', [['meeting', JSON.stringify({ agenda: 'x'.repeat(LIMITS.bodyBytes) })]], 'BODY_TOO_LARGE'],
    [
      'two meetings',
      [
        ['meeting', '{}'],
        ['meeting', '{}'],
      ],
      'MALFORMED_BODY',
    ],
    ['a field by a name of objects', [['constructor', file('a.txt')]], 'MALFORMED_BODY'],
  ] as [string, [string, string | File][], string][])(
    'a form with %s is refused, and leaves nothing',
    async (_, parts, code) => {
      const before = await stored();
      const form = new FormData();
      for (const [name, value] of parts) form.append(name, value);
      expect((await post(form)).statusCode).toBe(code);
      expect(await stored()).toBe(before);
    },
  );

  test.each(['multipart/form-data', 'multipart/form-data; boundary=x', 'multipart/form-data; boundary='])(
    'a body that is no form, as %s, is refused',
    async (type) => {
      const answer = await server.app.inject({
        method: 'POST',
        url: '/api/api/v1/meetings/localWithFile',
        headers: { authorization: alice.token, 'content-type': type },
        payload: '{"subject": "x"}',
      });
      expect(answer.statusCode).toBe(400);
      expect(['MALFORMED_BODY', 'INVALID_INPUT']).toContain(answer.json<{ statusCode: string }>().statusCode);
    },
  );

  test('other routes refuse forms', async () => {
    expect(
      (await send(server, 'POST', '/api/api/v1/meetings/network', { token: alice.token, body: await formOf([]) }))
        .statusCode,
    ).toBe('UNSUPPORTED_MEDIA_TYPE');
  });

  test('a client that disconnects in the middle of a file leaves nothing', async () => {
    const before = await stored();
    const { hostname, port } = new URL(server.origin);
    const head =
      `--b\r\ncontent-disposition: form-data; name="meeting"\r\n\r\n{}\r\n--b\r\ncontent-disposition: ` +
      `form-data; name="file"; filename="a.txt"\r\n\r\n`;
    const gone = Promise.withResolvers<void>();
    const call = httpRequest({
      hostname,
      port,
      method: 'POST',
      path: '/api/api/v1/meetings/localWithFile',
      headers: {
        authorization: alice.token,
        'content-type': 'multipart/form-data; boundary=b',
        'content-length': 1_000_000,
      },
    });
    call.on('error', () => gone.resolve());
    call.write(head + 'x'.repeat(200_000), () => setImmediate(() => call.destroy()));
    await gone.promise;
    await expect
      .poll(async () => (await readdir(`${server.folder}/files`)).filter((name) => name.startsWith('.partial')), {
        timeout: 5_000,
      })
      .toEqual([]);
    expect(await stored()).toBe(before);
  });
});

describe('PUT meetings/withFile/{id}', () => {
  test('keeps all files, some of them or none, and adds those that are sent', async () => {
    const made = await bookLocal([file('a.txt', 'A'), file('b.txt', 'B')]);
    const all = await edit(made, [file('c.txt', 'C')]);
    expect(names(all)).toEqual(['a.txt', 'b.txt', 'c.txt']);
    const [, second] = all.files;
    const some = await edit(all, [file('d.txt', 'D')], { keepFileIds: [second?.id] });
    expect(names(some)).toEqual(['b.txt', 'd.txt']);
    const before = await stored();
    expect(names(await edit(some, [], { keepFileIds: [] }))).toEqual([]);
    await expect.poll(stored).toBe(before - 2);
    const log = await server.db.platform((tx) =>
      tx.find(auditLog, eq(auditLog.targetId, made.meetId), { orderBy: auditLog.at }),
    );
    expect(log.at(-1)).toMatchObject({ before: { files: ['b.txt', 'd.txt'] }, after: { files: [] } });
  });

  test('an edit without files keeps them, and works for meetings of every type', async () => {
    const made = await bookLocal([file('a.txt')]);
    const edited = await alice.meetings.update({
      params: { id: made.meetId },
      body: { ...editOf(made), subject: 'Later' },
    });
    expect(names(edited)).toEqual(['a.txt']);
    const other = await book(server, alice);
    expect(names(await edit(other, [file('x.txt')], { password: '4821' }))).toEqual(['x.txt']);
  });

  test('refuses unknown files, an older version and callers without the right, and keeps no file', async () => {
    const [made, other] = [
      await bookLocal([file('a.txt')], { participants: invite(server, 'bob') }),
      await bookLocal([file('b.txt')]),
    ];
    const before = await stored();
    expect(await codeOf(edit(made, [file('c.txt')], { keepFileIds: [newId()] }))).toBe('FILE_UNKNOWN');
    expect(await codeOf(edit(made, [file('c.txt')], { keepFileIds: other.files.map(({ id }) => id) }))).toBe(
      'FILE_UNKNOWN',
    );
    expect(await codeOf(edit(made, [file('c.txt')], { version: 7 }))).toBe('MEETING_CONFLICT');
    expect(await codeOf(edit(made, [file('c.txt')], {}, bob))).toBe('FORBIDDEN');
    expect(await codeOf(edit(made, [file('c.txt')], {}, carol))).toBe('NOT_FOUND');
    expect(await stored()).toBe(before);
    expect(names(await alice.meetings.detail({ params: { id: made.meetId } }))).toEqual(['a.txt']);
  });

  test('of two concurrent edits one is rejected, and its files are deleted', async () => {
    const made = await bookLocal([]);
    const before = await stored();
    const codes = await Promise.all([codeOf(edit(made, [file('one.txt')])), codeOf(edit(made, [file('two.txt')]))]);
    expect(codes.toSorted()).toEqual(['MEETING_CONFLICT', 'OK']);
    expect(await stored()).toBe(before + 1);
  });
});

describe('GET meetingFile/file/download/{id}', () => {
  test('answers the bytes as an attachment that no browser runs, to those who may see the meeting', async () => {
    const made = await bookLocal([file('页 "1".html', '<script>alert(1)</script>', 'text/html')], {
      participants: invite(server, 'bob'),
    });
    const [{ id } = { id: '' }] = made.files;
    const response = await server.app.inject({
      method: 'GET',
      url: `/api/api/v1/meetingFile/file/download/${id}`,
      headers: { authorization: bob.token },
    });
    expect(response.payload).toBe('<script>alert(1)</script>');
    expect(response.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    expect(response.headers['content-disposition']).toBe(
      `attachment; filename="__1.html"; filename*=UTF-8''${encodeURIComponent('页 1.html')}`,
    );
    expect((await download(id, alice)).file?.toString()).toBe('<script>alert(1)</script>');
    expect((await download(id, carol)).statusCode).toBe('NOT_FOUND');
    expect((await download(newId(), alice)).statusCode).toBe('NOT_FOUND');
    expect((await download(id, await signIn(server, 'dave'))).statusCode).toBe('NOT_FOUND');
  });

  test('accepts a ticket, as links of pages use', async () => {
    const made = await bookLocal([file('a.txt', 'By ticket')]);
    const path = `/api/api/v1/meetingFile/file/download/${made.files[0]?.id}`;
    const { ticket } = await alice.downloads.ticket({ body: { path } });
    expect((await send(server, 'GET', `${path}?ticket=${ticket}`)).file?.toString()).toBe('By ticket');
    expect((await send(server, 'GET', `${path}?ticket=${ticket}`)).statusCode).toBe('TICKET_INVALID');
  });

  test('is NOT_FOUND if the stored file is missing', async () => {
    const made = await bookLocal([file('a.txt')]);
    const [row] = await server.db.platform((tx) => tx.find(meetingFile, eq(meetingFile.meetingId, made.meetId)));
    await server.storage.delete(row?.storageKey ?? '');
    expect((await download(row?.id ?? '', alice)).statusCode).toBe('NOT_FOUND');
  });
});

describe('DELETE meetings/withFile/{id}', () => {
  test('cancels the meeting and removes its files for good; DELETE meetings/{id} keeps them', async () => {
    const [one, other] = [await bookLocal([file('a.txt')]), await bookLocal([file('b.txt', 'Kept')])];
    const before = await stored();
    await alice.meetings.cancelWithFile({ params: { id: one.meetId }, query: {} });
    await expect.poll(stored).toBe(before - 1);
    expect((await download(one.files[0]?.id ?? '', alice)).statusCode).toBe('NOT_FOUND');
    expect(await codeOf(alice.meetings.detail({ params: { id: one.meetId } }))).toBe('NOT_FOUND');
    await alice.meetings.cancel({ params: { id: other.meetId }, query: {} });
    expect((await download(other.files[0]?.id ?? '', alice)).file?.toString()).toBe('Kept');
    expect(await codeOf(alice.meetings.cancelWithFile({ params: { id: other.meetId }, query: {} }))).toBe('NOT_FOUND');
  });

  test('is refused for a running or past meeting, and without the right', async () => {
    const made = await book(server, alice, { startTime: server.clock.in(0), participants: invite(server, 'bob') });
    expect(await codeOf(bob.meetings.cancelWithFile({ params: { id: made.meetId }, query: {} }))).toBe('FORBIDDEN');
    expect(await codeOf(carol.meetings.cancelWithFile({ params: { id: made.meetId }, query: {} }))).toBe('NOT_FOUND');
    await alice.conferences.join({ body: { numericId: made.numericId } });
    expect(await codeOf(alice.meetings.cancelWithFile({ params: { id: made.meetId }, query: {} }))).toBe(
      'MEETING_RUNNING',
    );
    await alice.conferences.end({ params: { meetId: made.meetId } });
    expect(await codeOf(alice.meetings.cancelWithFile({ params: { id: made.meetId }, query: {} }))).toBe(
      'MEETING_ENDED',
    );
  });
});

test('the OpenAPI document shows which calls accept forms', () => {
  const { paths } = openApi(contract, '1') as {
    paths: Record<string, Record<string, { requestBody?: { content: object } }>>;
  };
  const taking = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) =>
      requestBody && 'multipart/form-data' in requestBody.content ? [`${method} ${path}`] : [],
    ),
  );
  expect(taking.toSorted()).toEqual([
    'post /api/api/v1/client-packages',
    'post /api/api/v1/conferences/{meetId}/messages',
    'post /api/api/v1/documents/{id}/pictures',
    'post /api/api/v1/meetings/localWithFile',
    'put /api/api/v1/meetings/withFile/{id}',
  ]);
});
