import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { LIMITS, route, type Envelope } from '@rmeet/contract';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { AppError, createHttp, mount } from '../../src/platform/http/index.ts';
import { localStorage, type Storage } from '../../src/platform/storage/index.ts';
import { openTestDb, quiet, type TestDb } from './support/db.ts';
import { alice, authenticate } from './support/http.ts';
import { smallDisk, smallDiskMissing, type SmallDisk } from './support/small-disk.ts';

const uploads = {
  send: route({
    method: 'POST',
    path: '/api/uploads/send',
    summary: '',
    callers: ['user'],
    multipart: { permission: 'sys:uploadMeetingFile' },
    data: z.unknown(),
    errors: [],
    example: { data: null },
    input: { body: z.object({ how: z.string() }) },
  }),
  plain: route({
    method: 'POST',
    path: '/api/uploads/plain',
    summary: '',
    callers: ['user'],
    data: z.unknown(),
    errors: [],
    example: { data: null },
    input: { body: z.object({ how: z.string() }) },
  }),
};

let opened: TestDb;
let app: FastifyInstance;
let folder: string;
let storage: Storage;
/** The error for storing the next file. */
let failing: Error | undefined;
beforeAll(async () => {
  [opened, folder] = [await openTestDb(), await mkdtemp(join(tmpdir(), 'rmeet-forms-'))];
  storage = localStorage(folder);
  app = await createHttp({
    log: quiet,
    db: opened.db,
    timeout: 200,
    storage: {
      ...storage,
      delete: (key) => storage.delete(key),
      put: async (key, source) => (failing ? Promise.reject(failing) : storage.put(key, source)),
    },
    authenticate: async (token, as) =>
      token === 'sender' && as === 'account'
        ? { ...alice, permissions: ['sys:uploadMeetingFile'] }
        : authenticate(token, as),
  });
  mount(app, uploads, {
    send: (_context, { body, files }) => {
      if (body.how === 'refused') throw new AppError('MEETING_CONFLICT');
      return { how: body.how, files: files.map(({ name, size }) => [name, size]) };
    },
    plain: (_context, { body }) => body.how,
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await app.close();
  await opened.drop();
  await rm(folder, { recursive: true, force: true });
});

const stored = async (): Promise<string[]> =>
  (await readdir(folder, { recursive: true })).filter((name) => name !== 'uploads');
const field = (json: string): string => `--b\r\ncontent-disposition: form-data; name="meeting"\r\n\r\n${json}\r\n`;
const fileHead = (name: string): string =>
  `--b\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n`;
const END = '\r\n--b--\r\n';

async function call(body: string, token = 'sender'): Promise<Envelope & { httpStatus: number }> {
  const response = await app.inject({
    method: 'POST',
    url: '/api/uploads/send',
    headers: { authorization: token, 'content-type': 'multipart/form-data; boundary=b', 'accept-language': 'en' },
    payload: body,
  });
  return { ...response.json<Envelope>(), httpStatus: response.statusCode };
}

/** A request whose body is sent manually. */
async function open(path: string, type: string, length: number, token = 'sender'): Promise<Socket> {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${token}\r\ncontent-type: ` +
      `${type}\r\ncontent-length: ${length}\r\n\r\n`,
  );
  return socket;
}
/** The response on a socket, as far as it is complete. */
async function answerOn(socket: Socket): Promise<string> {
  let said = '';
  for await (const chunk of socket) {
    said += String(chunk);
    if (said.includes('"message"') && said.endsWith('}')) break;
  }
  socket.destroy();
  return said;
}

test('a form gives the body and its files', async () => {
  expect(await call(`${field('{"how": "well"}')}${fileHead('a.txt')}One\r\n${fileHead('b.txt')}${END}`)).toMatchObject({
    httpStatus: 200,
    data: {
      how: 'well',
      files: [
        ['a.txt', 3],
        ['b.txt', 0],
      ],
    },
  });
  expect(
    await call(`${fileHead('first.txt')}One\r\n${field('{"how": "the other way round"}')}--b--\r\n`),
  ).toMatchObject({ data: { how: 'the other way round', files: [['first.txt', 3]] } });
  const json = await app.inject({
    method: 'POST',
    url: '/api/uploads/send',
    headers: { authorization: 'sender' },
    payload: { how: 'without' },
  });
  expect(json.json()).toMatchObject({ data: { how: 'without', files: [] } });
});

describe('nothing is left of', () => {
  test.each([
    ['a call its handler refuses', `${field('{"how": "refused"}')}${fileHead('a.txt')}One${END}`, 'MEETING_CONFLICT'],
    ['a body that is wrong', `${field('{}')}${fileHead('a.txt')}One${END}`, 'INVALID_INPUT'],
    ['a form that breaks off', `${field('{"how": "well"}')}${fileHead('a.txt')}One`, 'MALFORMED_BODY'],
    [
      'a form whose second file breaks off',
      `${field('{"how": "well"}')}${fileHead('a.txt')}One\r\n${fileHead('b.txt')}`,
      'MALFORMED_BODY',
    ],
    [
      'too many files',
      `${field('{"how": "well"}')}${`${fileHead('a.txt')}One\r\n`.repeat(LIMITS.files + 1)}--b--\r\n`,
      'FILES_TOO_MANY',
    ],
  ])('%s', async (_, form, code) => {
    const before = await stored();
    expect((await call(form)).statusCode).toBe(code);
    expect(await stored()).toEqual(before);
  });

  test("a file that the storage fails to write, which is the server's own fault", async () => {
    const before = await stored();
    failing = Object.assign(new Error('EIO: i/o error, write'), { code: 'EIO', syscall: 'write' });
    const answer = await call(`${field('{"how": "well"}')}${fileHead('a.txt')}One${END}`);
    failing = undefined;
    expect(answer).toMatchObject({ httpStatus: 500, statusCode: 'SERVER_ERROR' });
    expect(await stored()).toEqual(before);
  });

  test('a file for which a quota has no room', async () => {
    const before = await stored();
    // Node has no name for it.
    failing = Object.assign(new Error('Unknown system error -122, write'), {
      code: 'Unknown system error -122',
      errno: -constants.errno.EDQUOT,
      syscall: 'write',
    });
    const answer = await call(`${field('{"how": "well"}')}${fileHead('a.txt')}One${END}`);
    failing = undefined;
    expect(answer).toMatchObject({ httpStatus: 503, statusCode: 'DISK_FULL' });
    expect(await stored()).toEqual(before);
  });
});

const missing = smallDiskMissing();
describe.skipIf(missing !== undefined)(`on a full disk${missing === undefined ? '' : ` (skipped: ${missing})`}`, () => {
  let disk: SmallDisk;
  beforeAll(() => {
    disk = smallDisk(256);
    storage = localStorage(disk.folder);
  });
  afterAll(() => {
    storage = localStorage(folder);
    disk.remove();
  });
  const first = `${field('{"how": "well"}')}${fileHead('first.txt')}One\r\n`;
  const large = `${first}${fileHead('second.txt')}${'x'.repeat(2_000_000)}${END}`;

  test('a form is answered DISK_FULL after its end, leaves nothing, and stored files stay', async () => {
    await storage.put('uploads/before', Buffer.from('before'));
    const socket = await open('/api/uploads/send', 'multipart/form-data; boundary=b', large.length);
    await new Promise((sent) => {
      socket.write(large, sent);
    });
    const answer = await answerOn(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 503 [^]*"DISK_FULL"/);
    expect(answer).toContain('The disk of the server is full');
    expect(answer).toContain('存储空间已满');
    expect(await readdir(disk.folder, { recursive: true })).toEqual(['uploads', join('uploads', 'before')]);
    expect(await text(await storage.get('uploads/before'))).toBe('before');
  });

  test('that is full to its last byte, files are stored again once there is room', async () => {
    const makeRoom = disk.fill();
    const form = `${field('{"how": "well"}')}${fileHead('a.txt')}One${END}`;
    expect(await call(form)).toMatchObject({ httpStatus: 503, statusCode: 'DISK_FULL' });
    await expect(storage.put('uploads/before', Buffer.from('after'))).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(await text(await storage.get('uploads/before'))).toBe('before');
    makeRoom();
    expect(await call(form)).toMatchObject({ httpStatus: 200, data: { files: [['a.txt', 3]] } });
  });
});

test('a caller who may not send files gets 403 after the whole body, on the same connection', async () => {
  const before = await stored();
  const form = `${field('{"how": "well"}')}${fileHead('a.txt')}${'x'.repeat(4_000_000)}${END}`;
  const socket = await open('/api/uploads/send', 'multipart/form-data; boundary=b', form.length, 'alice');
  await new Promise((sent) => {
    socket.write(form, sent);
  });
  expect(await answerOn(socket)).toMatch(/^HTTP\/1\.1 403 [^]*"FORBIDDEN"/);
  expect(await stored()).toEqual(before);
  expect(await call(`${field('{"how": "without files"}')}--b--\r\n`, 'alice')).toMatchObject({
    httpStatus: 200,
    data: { files: [] },
  });
});

test('a JSON body that does not arrive is given up, a form with files is awaited', async () => {
  const form = `${field('{"how": "slowly"}')}${fileHead('a.txt')}Begun`;
  const [slow, stuck] = [
    await open('/api/uploads/send', 'multipart/form-data; boundary=b', form.length + END.length),
    await open('/api/uploads/plain', 'application/json', 100),
  ];
  slow.write(form);
  stuck.write('{"how":');
  expect(await answerOn(stuck)).toMatch(/^HTTP\/1\.1 408 [^]*"REQUEST_TIMEOUT"/);
  // By now the form has taken longer than allowed for bodies.
  slow.write(END);
  expect(await answerOn(slow)).toMatch(/^HTTP\/1\.1 200 [^]*"slowly"/);
});

test('a caller who is not signed in is refused at once', async () => {
  const socket = await open('/api/uploads/send', 'multipart/form-data; boundary=b', 1_000, 'nobody');
  socket.write(field('{"how": "well"}'));
  expect(await answerOn(socket)).toMatch(/^HTTP\/1\.1 401 /);
});
