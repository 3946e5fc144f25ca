import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { connect as openSocket } from 'node:net';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { contract, MEGABYTE, pathOf, type CommandRequest } from '@rmeet/contract';
import { auditLog } from '../../src/modules/audit/tables.ts';
import { storedFile } from '../../src/modules/files/tables.ts';
import { newId } from '../../src/platform/db/index.ts';
import { clientOf, codeOf, send, signIn, type Person } from './support/client.ts';
import { openConference, type Inside, type TestConference } from './support/conference.ts';
import { invite } from './support/meetings.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let chair: Person;
let bob: Person;
let admin: Person;
let room: TestConference;
let host: Inside;
let member: Inside;
let guest: Inside;

beforeAll(async () => {
  server = await startTestServer();
  [chair, bob, admin] = await Promise.all([signIn(server, 'chair'), signIn(server, 'bob'), signIn(server, 'admin')]);
});
afterAll(() => server.close());
beforeEach(async () => {
  room = await openConference(server, chair, { participants: invite(server, 'bob') });
  host = await room.join(chair);
  member = await room.join(bob);
  guest = await room.guest('Alice');
});
afterEach(() => room.close());

/** A PNG of one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
type Bytes = string | Uint8Array<ArrayBuffer>;
const bytesOf = (buffer: Buffer): Uint8Array<ArrayBuffer> => Uint8Array.from(buffer);
const file = (name: string, content: Bytes = 'Agenda', type = 'text/plain') => new File([content], name, { type });
const sendFile = (who: Inside, sent: File, more: { id?: string; text?: string; to?: string } = {}) =>
  who.calls.chat({ params: room.params, body: { id: newId(), text: '', ...more }, files: [sent] });
const filePath = (id: string, preview = false) =>
  pathOf(contract.conferences.chatFile, { params: { ...room.params, id }, query: preview ? { preview } : {} });
const download = (who: { token: string }, id: string, preview = false) =>
  send(server, 'GET', filePath(id, preview), { token: who.token });
const give = (body: CommandRequest) => host.calls.command({ params: room.params, body });
const stored = async (): Promise<number> => (await readdir(`${server.folder}/files/uploads`).catch(() => [])).length;
const rows = () => server.db.platform((tx) => tx.find(storedFile));
async function allow(chatFiles: { enabled: boolean; megabytes: number; kinds: ('picture' | 'document')[] }) {
  const { colour, meetingAdmin, serviceDesk, passwordRules, auditMonths, version } = await admin.tenants.own();
  const own = { colour, meetingAdmin, serviceDesk, passwordRules, auditMonths, version };
  await admin.tenants.updateOwn({ body: { ...own, chatFiles } });
}

describe('a file in the chat', () => {
  test('reaches all participants unchanged, with its description', async () => {
    const content = bytesOf(Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 31) % 251)));
    const { socket } = await room.watch(guest);
    const said = await sendFile(member, file('../plan.bin', content), { text: 'Please read' });
    expect(said).toMatchObject({
      text: 'Please read',
      file: { id: expect.any(String), name: 'plan.bin', size: content.length, kind: 'other' },
    });
    await socket.message((m) => 'event' in m && m.event.type === 'chat' && m.event.message.file?.name === 'plan.bin');
    const id = said.file?.id ?? '';
    for (const who of [host, member, guest]) expect((await download(who, id)).file).toEqual(Buffer.from(content));
    const [row] = await server.db.platform((tx) => tx.find(storedFile, eq(storedFile.id, id)));
    const person = server.people.get('bob');
    expect(row).toMatchObject({
      tenantId: person?.tenantId,
      purpose: 'chat',
      subjectId: (await room.row()).id,
      ownerId: person?.id,
      sha256: createHash('sha256').update(content).digest('hex'),
    });
    expect((await room.watch(host)).state).toMatchObject({
      messages: [{ file: { id } }],
      chatFiles: { barrier: null, megabytes: 50 },
    });
  });

  test('is always saved, and only a picture by its content is shown', async () => {
    const picture = await sendFile(guest, file('photo.html', bytesOf(PNG), 'text/html'));
    expect(picture.file).toMatchObject({ kind: 'picture', picture: { width: 1, height: 1 } });
    const script = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>';
    const drawing = await sendFile(guest, file('photo.png', script, 'image/png'));
    expect(drawing.file).toMatchObject({ kind: 'document' });
    expect(drawing.file).not.toHaveProperty('picture');
    const headersOf = async (id: string, preview: boolean) => {
      const { headers } = await server.app.inject({
        url: filePath(id, preview),
        headers: { authorization: host.token },
      });
      return [
        headers['content-type'],
        String(headers['content-disposition']).split(';')[0],
        headers['x-content-type-options'],
      ];
    };
    const [picture1, drawing1] = [picture.file?.id ?? '', drawing.file?.id ?? ''];
    expect(await headersOf(picture1, false)).toEqual(['application/octet-stream', 'attachment', 'nosniff']);
    expect(await headersOf(picture1, true)).toEqual(['image/png', 'inline', 'nosniff']);
    expect(await headersOf(drawing1, true)).toEqual(['application/octet-stream', 'attachment', 'nosniff']);
  });

  test('is sent once, however often the call is repeated', async () => {
    const id = newId();
    const before = await stored();
    const first = await sendFile(guest, file('a.txt', 'A'), { id });
    expect(await sendFile(guest, file('a.txt', 'A'), { id })).toEqual(first);
    expect(await codeOf(sendFile(member, file('b.txt', 'B'), { id }))).toBe('INVALID_INPUT');
    expect(await stored()).toBe(before + 1);
    expect((await room.watch(host)).state.messages).toHaveLength(1);
  });

  test('is read in parts, and downloaded by a ticket without a token', async () => {
    const { file: sent } = await sendFile(member, file('letters.txt', 'abcdefghij'));
    const path = filePath(sent?.id ?? '');
    const part = async (range: string) => {
      const { statusCode, headers, body } = await server.app.inject({
        url: path,
        headers: { authorization: guest.token, range },
      });
      return [statusCode, headers['content-range'], body];
    };
    expect(await part('bytes=2-4')).toEqual([206, 'bytes 2-4/10', 'cde']);
    expect(await part('bytes=7-')).toEqual([206, 'bytes 7-9/10', 'hij']);
    expect(await part('bytes=-2')).toEqual([206, 'bytes 8-9/10', 'ij']);
    expect(await part('bytes=20-')).toEqual([416, 'bytes */10', '']);
    expect(await part('pages=1-2')).toEqual([200, undefined, 'abcdefghij']);

    const { ticket } = await clientOf(server, guest.token).downloads.ticket({ body: { path } });
    expect((await send(server, 'GET', `${path}?ticket=${ticket}`)).file?.toString()).toBe('abcdefghij');
    expect((await send(server, 'GET', `${path}?ticket=${ticket}`)).statusCode).toBe('TICKET_INVALID');
  });
});

describe('who gets it', () => {
  test('a private file: its two parties only', async () => {
    const { file: sent } = await sendFile(guest, file('secret.txt'), { to: member.termId });
    const answers = await Promise.all([guest, member, host].map((who) => download(who, sent?.id ?? '')));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(['OK', 'OK', 'NOT_FOUND']);
    // The record, too, gives it to those parties that have an account.
    const query = { id: (await room.row()).id };
    const names = async (who: Person) => (await who.history.chat({ query })).messages.map((one) => one.file?.name);
    expect([await names(bob), await names(chair)]).toEqual([['secret.txt'], []]);
    const fromRecord = (who: Person) =>
      send(server, 'GET', pathOf(contract.history.file, { params: { id: sent?.id ?? '' } }), { token: who.token });
    expect((await fromRecord(bob)).file?.toString()).toBe('Agenda');
    expect((await fromRecord(chair)).statusCode).toBe('NOT_FOUND');
  });

  test('guests read files since their admission; people outside or of another conference read none', async () => {
    const { file: sent } = await sendFile(member, file('early.txt'));
    server.clock.advance({ seconds: 1 });
    const late = await room.guest('Carol');
    const id = sent?.id ?? '';
    expect((await download(late, id)).statusCode).toBe('NOT_FOUND');
    expect((await download(bob, id)).statusCode).toBe('TERMINAL_GONE');
    await member.calls.leave({ params: room.params });
    expect((await download(member, id)).statusCode).toBe('TERMINAL_GONE');

    const other = await openConference(server, chair);
    const there = await other.join(chair);
    expect((await download(there, id)).statusCode).toBe('NOT_FOUND');
    const path = pathOf(contract.conferences.chatFile, { params: { ...other.params, id } });
    expect((await send(server, 'GET', path, { token: there.token })).statusCode).toBe('NOT_FOUND');
    await other.close();
  });

  test('people of another organisation get NOT_FOUND', async () => {
    const { file: sent } = await sendFile(member, file('a.txt'));
    const dave = await signIn(server, 'dave');
    for (const id of [sent?.id ?? '', newId()]) {
      const answer = await send(server, 'GET', pathOf(contract.history.file, { params: { id } }), {
        token: dave.token,
      });
      expect(answer.statusCode).toBe('NOT_FOUND');
    }
  });

  test('the record keeps it when the conference is over', async () => {
    const { file: sent } = await sendFile(guest, file('minutes.txt', 'Minutes'));
    const { id } = await room.row();
    await host.calls.end({ params: room.params });
    expect((await download(host, sent?.id ?? '')).statusCode).toBe('CONFERENCE_OVER');
    expect(await bob.history.chat({ query: { id } })).toMatchObject({
      messages: [{ name: 'Alice', file: { name: 'minutes.txt' } }],
      isCut: false,
    });
    const { ticket } = await bob.downloads.ticket({
      body: { path: pathOf(contract.history.file, { params: { id: sent?.id ?? '' } }) },
    });
    const path = pathOf(contract.history.file, { params: { id: sent?.id ?? '' }, query: { ticket } });
    expect((await send(server, 'GET', path)).file?.toString()).toBe('Minutes');
  });
});

describe('what is not kept', () => {
  test('a deleted file: the message stays without it, the content goes', async () => {
    const before = await stored();
    const [own, other] = [await sendFile(guest, file('mine.txt')), await sendFile(guest, file('spam.txt'))];
    expect(await stored()).toBe(before + 2);
    const remove = (who: Inside, id: string) => codeOf(who.calls.deleteMessage({ params: { ...room.params, id } }));
    expect(await remove(member, own.id)).toBe('FORBIDDEN');
    expect([await remove(guest, own.id), await remove(host, other.id)]).toEqual(['OK', 'OK']);
    expect(await stored()).toBe(before);
    expect((await download(guest, own.file?.id ?? '')).statusCode).toBe('NOT_FOUND');
    const { messages } = (await room.watch(member)).state;
    expect(messages.map(({ deleted, file: left }) => [deleted, left])).toEqual([
      [true, undefined],
      [true, undefined],
    ]);
    const log = await server.db.platform((tx) => tx.find(auditLog, eq(auditLog.action, 'conferences.deleteMessage')));
    expect(log.map(({ after }) => after)).toContainEqual({ names: ['Alice'], files: ['spam.txt'] });
  });

  test('an upload that the sender gives up', async () => {
    const before = [await stored(), (await rows()).length];
    const address =
      server.app.server.address() ??
      (await server.app.listen({ port: 0, host: '127.0.0.1' }), server.app.server.address());
    const { port } = address as { port: number };
    const socket = openSocket(port, '127.0.0.1');
    const body = JSON.stringify({ id: newId(), text: '' });
    const part = (name: string, more = '') => `--b\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n`;
    const sent = `${part('meeting')}${body}\r\n${part('file', '; filename="a.txt"')}${'a'.repeat(200_000)}`;
    socket.write(
      `POST ${pathOf(contract.conferences.chat, { params: room.params })} HTTP/1.1\r\nhost: localhost\r\n` +
        `authorization: ${guest.token}\r\ncontent-type: multipart/form-data; boundary=b\r\n` +
        `content-length: ${sent.length + 1_000_000}\r\n\r\n${sent}`,
    );
    const partial = async () => (await readdir(`${server.folder}/files`)).filter((name) => name.startsWith('.partial'));
    await expect.poll(partial).toHaveLength(1);
    socket.destroy();
    await expect.poll(partial).toHaveLength(0);
    expect([await stored(), (await rows()).length]).toEqual(before);
    expect((await room.watch(host)).state.messages).toEqual([]);
  });

  test('what may not be sent', async () => {
    const before = await stored();
    expect(await codeOf(sendFile(guest, file('empty.txt', '')))).toBe('FILE_EMPTY');
    expect(await codeOf(sendFile(guest, file('run.txt', 'MZ\x90\x00')))).toBe('FILE_KIND_REFUSED');
    expect(await codeOf(sendFile(guest, file('run.cmd', 'echo')))).toBe('FILE_KIND_REFUSED');
    expect(await codeOf(sendFile(guest, file('a.txt'), { to: guest.termId }))).toBe('INVALID_INPUT');
    const two = { params: room.params, body: { id: newId(), text: '' }, files: [file('a.txt'), file('b.txt')] };
    expect(await codeOf(guest.calls.chat(two))).toBe('FILES_TOO_MANY');
    expect(await codeOf(guest.calls.chat({ ...two, files: [] }))).toBe('INVALID_INPUT');
    expect(await stored()).toBe(before);
  });
});

describe('who may send', () => {
  test('only people who lead the meeting once the chair has turned files off', async () => {
    await give({ verb: 'allow', chatFiles: false });
    const before = await stored();
    const codes = await Promise.all([guest, member, host].map((who) => codeOf(sendFile(who, file('a.txt')))));
    expect(codes).toEqual(['CHAT_FILES_OFF', 'CHAT_FILES_OFF', 'OK']);
    expect(await stored()).toBe(before + 1);
    await give({ verb: 'allow', chatFiles: true, chatFor: 'hosts' });
    expect(await codeOf(sendFile(guest, file('a.txt')))).toBe('CHAT_HOSTS_ONLY');
    expect(await codeOf(sendFile(guest, file('a.txt'), { to: host.termId }))).toBe('OK');
  });

  test('follow the settings of the organisation: kinds, size, or none at all', async () => {
    await allow({ enabled: true, megabytes: 1, kinds: ['picture'] });
    try {
      expect((await room.watch(guest)).state.chatFiles).toEqual({ barrier: null, megabytes: 1, kinds: ['picture'] });
      expect(await codeOf(sendFile(guest, file('photo.png')))).toBe('FILE_KIND_REFUSED');
      expect(await codeOf(sendFile(guest, file('photo.png', bytesOf(PNG))))).toBe('OK');
      const large = bytesOf(Buffer.concat([PNG, Buffer.alloc(MEGABYTE)]));
      expect(await codeOf(sendFile(guest, file('large.png', large)))).toBe('FILE_TOO_LARGE');
      await allow({ enabled: false, megabytes: 1, kinds: ['picture'] });
      expect(await codeOf(sendFile(host, file('photo.png', bytesOf(PNG))))).toBe('CHAT_FILES_BARRED');
      expect((await room.watch(guest)).state.chatFiles?.barrier).toBe('organisation');
    } finally {
      await allow({ enabled: true, megabytes: 50, kinds: ['picture', 'document'] });
    }
  });
});
