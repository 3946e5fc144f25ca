import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { contract, pathOf, type DocumentDetail } from '@rmeet/contract';
import { readComments, readDocument, textOf, writeDocument, COMMENTS, type DocumentNode } from '@rmeet/documents';
import { editTogether, openWriter, type MailServer, type Writer } from '@rmeet/testkit';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { documentUpdate } from '../../src/modules/documents/tables.ts';
import { storedFile } from '../../src/modules/files/tables.ts';
import { randomOf } from '../platform/support/odd-targets.ts';
import { account } from '../../src/modules/accounts/users/tables.ts';
import { codeOf, send, signIn, type Person } from './support/client.ts';
import { startServerWithMail } from './support/mail-server.ts';
import { book, invite } from './support/meetings.ts';
import { OFFICE_SKIPPED } from './support/office.ts';
import type { TestServer } from './support/server.ts';

const run = promisify(execFile);

let server: TestServer;
let mails: MailServer;
let admin: Person;
let alice: Person;
let bob: Person;
let carol: Person;
beforeAll(async () => {
  ({ server, mails } = await startServerWithMail());
  admin = await signIn(server, 'admin');
  alice = await signIn(server, 'alice');
  bob = await signIn(server, 'bob');
  carol = await signIn(server, 'carol');
});
afterAll(() => server.close());

const open: Writer[] = [];
afterEach(() => {
  for (const writer of open.splice(0)) writer.close();
});

const idOf = (name: string): string => server.people.get(name)?.id ?? '';
const make = (who: Person, values: object = {}): Promise<DocumentDetail> =>
  who.documents.create({ body: { kind: 'minutes', title: 'Ward round', ...values } });
const shareWith = (who: Person, id: string, rights: Record<string, 'read' | 'write'>): Promise<DocumentDetail> =>
  who.documents.share({
    params: { id },
    body: { members: Object.entries(rights).map(([name, right]) => ({ userId: idOf(name), right })) },
  });

/** An editor that is open. */
async function edit(who: { token: string }, documentId: string): Promise<Writer> {
  const writer = openWriter({ origin: server.origin, token: who.token, documentId });
  open.push(writer);
  await writer.until(({ phase }) => phase === 'open' || phase === 'refused');
  return writer;
}
const saved = (writer: Writer): Promise<void> => writer.until(({ isSaved }) => isSaved);
const text = (value: string, ...marks: string[]): DocumentNode => ({
  type: 'text',
  text: value,
  ...(marks.length > 0 && { marks: marks.map((type) => ({ type: type as 'bold', attrs: {} })) }),
});
const paragraph = (value: string): DocumentNode => ({ type: 'paragraph', content: [text(value)] });
const docOf = (...content: DocumentNode[]): DocumentNode => ({ type: 'doc', content });

/** Writes a content and waits until it is stored. */
async function write(who: Person, id: string, content: DocumentNode): Promise<void> {
  const writer = await edit(who, id);
  writeDocument(writer.doc, content);
  await saved(writer);
  writer.close();
}
async function contentOf(who: Person, id: string): Promise<string> {
  const reader = await edit(who, id);
  const content = textOf(readDocument(reader.doc));
  reader.close();
  return content;
}

describe('people who edit a document at once', () => {
  test('see what the others write, and comments with their names', async () => {
    const { id } = await make(alice);
    await shareWith(alice, id, { bob: 'write' });
    const [first, second] = [await edit(alice, id), await edit(bob, id)];
    writeDocument(first.doc, docOf(paragraph('讨论排班')));
    await second.until(() => textOf(readDocument(second.doc)) === '讨论排班\n');
    const key = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2f41';
    second.doc.getMap(COMMENTS).set(key, { text: 'Why?', name: 'Admin' });
    await first.until(() => readComments(first.doc)[0]?.name === 'Bob');
    await second.until(() => readComments(second.doc)[0]?.name === 'Bob');
    expect(readComments(first.doc)).toMatchObject([{ userId: idOf('bob'), text: 'Why?', resolved: false }]);
    expect((await alice.documents.show({ params: { id } })).updatedBy).toBe('Bob');
  });

  test('have the same text after random edits and lost connections, and nothing is lost', async () => {
    const { id } = await make(alice);
    await shareWith(alice, id, { bob: 'write' });
    const writers = [await edit(alice, id), await edit(bob, id)];
    const result = await editTogether(writers, { edits: 1_500, dropEvery: 61, random: randomOf(7) });
    expect(result.lost).toEqual([]);
    expect(new Set(result.contents).size).toBe(1);
    const reader = await edit(alice, id);
    await reader.until(() => JSON.stringify(readDocument(reader.doc)) === result.contents[0]);
    const updates = await server.db.platform((tx) => tx.count(documentUpdate, eq(documentUpdate.documentId, id)));
    expect(updates).toBeLessThan(200);
  });

  test('lose the right to write at once, with a message, and keep what was stored', async () => {
    const { id } = await make(alice);
    await shareWith(alice, id, { bob: 'write' });
    const writer = await edit(bob, id);
    writeDocument(writer.doc, docOf(paragraph('Stored')));
    await saved(writer);
    await shareWith(alice, id, { bob: 'read' });
    await writer.until(({ right }) => right === 'read');
    writeDocument(writer.doc, docOf(paragraph('Not stored')));
    expect(writer.connection.state.isSaved).toBe(false);
    expect(await contentOf(alice, id)).toBe('Stored\n');
    await shareWith(alice, id, {});
    await writer.until(({ phase }) => phase === 'refused');
    expect(writer.connection.state.error).toBe('NOT_FOUND');
    expect(await codeOf(bob.documents.show({ params: { id } }))).toBe('NOT_FOUND');
  });

  test('get back what they typed while they could not write', async () => {
    const { id } = await make(alice);
    await shareWith(alice, id, { bob: 'read' });
    const writer = await edit(bob, id);
    writeDocument(writer.doc, docOf(paragraph('Typed')));
    await shareWith(alice, id, { bob: 'write' });
    await saved(writer);
    expect(await contentOf(alice, id)).toBe('Typed\n');
  });

  test('are sent away when it is deleted, or their session ends', async () => {
    const { id } = await make(alice);
    await shareWith(alice, id, { carol: 'write' });
    const guest = await signIn(server, 'carol', 'a lost computer');
    const [writer, other] = [await edit(alice, id), await edit(guest, id)];
    await guest.auth.logout();
    writeDocument(other.doc, docOf(paragraph('Too late')));
    await other.until(({ phase }) => phase === 'refused');
    carol = await signIn(server, 'carol');
    await alice.documents.remove({ params: { id } });
    await writer.until(({ phase }) => phase === 'refused');
    expect(writer.connection.state.error).toBe('NOT_FOUND');
  });
});

describe('people who have a document open', () => {
  test('see each other by the names of their accounts, and the cursors of those who may write', async () => {
    const { id } = await make(alice);
    await shareWith(alice, id, { bob: 'write', carol: 'read' });
    const [first, second] = [await edit(alice, id), await edit(bob, id)];
    await first.until(() => first.people.length === 1);
    expect(first.people).toEqual([
      { key: expect.any(String) as string, userId: idOf('bob'), name: 'Bob', cursor: null },
    ]);
    expect(second.people).toMatchObject([{ userId: idOf('alice'), name: 'Alice' }]);
    const positions = { anchor: new Uint8Array([1, 2]), head: new Uint8Array([3]) };
    second.connection.moveCursor(positions);
    await first.until(() => first.people[0]?.cursor?.head === 'Aw==');
    const reader = await edit(carol, id);
    reader.connection.moveCursor(positions);
    await reader.until(() => reader.people.length === 2);
    await first.until(() => first.people.some(({ name }) => name === 'Carol'));
    second.connection.moveCursor(null);
    await first.until(() => first.people.every(({ cursor }) => cursor === null));
    second.connection.moveCursor(positions);
    await first.until(() => first.people[0]?.cursor?.head === 'Aw==');
    await shareWith(alice, id, { bob: 'read', carol: 'read' });
    await first.until(() => first.people.every(({ cursor }) => cursor === null));
    expect(first.people.map(({ name }) => name)).toEqual(['Bob', 'Carol']);
    await shareWith(alice, id, { carol: 'read' });
    await first.until(() => first.people.length === 1);
    reader.close();
    await first.until(() => first.people.length === 0);
  });
});

describe('the socket refuses', () => {
  const refusalOf = async (token: string, documentId: string) => {
    const writer = openWriter({ origin: server.origin, token, documentId });
    open.push(writer);
    await writer.until(({ phase }) => phase === 'refused');
    return writer.connection.state.error;
  };

  test('people without a right, other organisations, operators and unknown tokens', async () => {
    const { id } = await make(alice);
    const [erin, root] = [await signIn(server, 'erin'), await signIn(server, 'root')];
    expect(await refusalOf(carol.token, id)).toBe('NOT_FOUND');
    expect(await refusalOf(erin.token, id)).toBe('NOT_FOUND');
    expect(await refusalOf(root.token, id)).toBe('FORBIDDEN');
    expect(await refusalOf('unknown', id)).toBe('UNAUTHORIZED');
  });

  /** What a raw socket gets until it is closed. */
  async function rawly(...messages: (string | Uint8Array<ArrayBuffer>)[]) {
    const socket = new WebSocket(`${server.origin.replace('http', 'ws')}/api/documents`);
    const told: string[] = [];
    const { promise, resolve } = Promise.withResolvers<{ code: number; told: string[] }>();
    socket.addEventListener('open', () => messages.forEach((message) => socket.send(message)));
    socket.addEventListener('message', ({ data }) => {
      if (typeof data === 'string') told.push(data);
    });
    socket.addEventListener('close', ({ code }) => resolve({ code, told }));
    return promise;
  }

  test('broken messages, without harm to others', async () => {
    const { id } = await make(alice);
    const writer = await edit(alice, id);
    const hello = (has = '') => JSON.stringify({ token: alice.token, documentId: id, has });
    const junk = new Uint8Array([0, 0, 0, 1, 255, 254, 253, 252, 9, 9, 9]);
    expect((await rawly('no json')).code).toBe(1008);
    expect((await rawly(junk)).code).toBe(1008);
    expect((await rawly(hello(), hello())).code).toBe(1008);
    expect((await rawly('{"cursor":null}')).code).toBe(1008);
    const long = JSON.stringify({ cursor: { anchor: 'a'.repeat(500), head: 'a' } });
    expect((await rawly(hello(), long)).code).toBe(1008);
    expect(await rawly(hello('%%%'))).toMatchObject({ code: 4401, told: ['{"error":"INVALID_INPUT"}'] });
    const refused = await rawly(hello(), junk);
    expect(refused.code).toBe(4401);
    expect(refused.told.at(-1)).toBe('{"error":"DOCUMENT_CHANGE_REFUSED"}');
    const large = await rawly(hello(), new Uint8Array(1_100_000));
    expect(large.told.at(-1)).toBe('{"error":"DOCUMENT_FULL"}');
    writeDocument(writer.doc, docOf(paragraph('Still works')));
    await saved(writer);
    expect(await contentOf(alice, id)).toBe('Still works\n');
  });
});

describe('who has a document', () => {
  test('is its owner, people it is shared with, and the administrators', async () => {
    const { id } = await make(alice, { title: 'Plans of surgery' });
    await shareWith(alice, id, { bob: 'read' });
    const listOf = async (who: Person, query: object = {}) =>
      (await who.documents.query({ query: { keyword: 'plans OF', ...query } })).records.map(({ right }) => right);
    expect(await listOf(alice)).toEqual(['manage']);
    expect(await listOf(bob)).toEqual(['read']);
    expect(await listOf(carol)).toEqual([]);
    expect(await listOf(admin)).toEqual([]);
    expect(await listOf(admin, { of: 'tenant' })).toEqual(['manage']);
    expect(await codeOf(listOf(bob, { of: 'tenant' }))).toBe('FORBIDDEN');
    expect(await listOf(await signIn(server, 'dave'), { of: 'tenant' })).toEqual([]);
  });

  test('of a meeting are its host, who writes, and the people invited, who read', async () => {
    const meeting = await book(server, alice, { participants: invite(server, 'bob') });
    const made = await make(alice, { meetId: meeting.meetId });
    expect(made.meeting).toEqual({ meetId: meeting.meetId, subject: meeting.subject });
    const [seen] = (await bob.documents.query({ query: { meetId: meeting.meetId } })).records;
    expect(seen).toMatchObject({ id: made.id, right: 'read' });
    expect((await carol.documents.query({ query: { meetId: meeting.meetId } })).total).toBe(0);
    expect(await codeOf(make(bob, { meetId: meeting.meetId }))).toBe('FORBIDDEN');
    expect(await codeOf(make(carol, { meetId: meeting.meetId }))).toBe('NOT_FOUND');
    await shareWith(alice, made.id, { bob: 'write' });
    expect((await bob.documents.show({ params: { id: made.id } })).right).toBe('write');
  });

  test('is not chosen among strangers, and a change made meanwhile is not overwritten', async () => {
    const { id } = await make(alice);
    expect(await codeOf(shareWith(alice, id, { erin: 'read' }))).toBe('DOCUMENT_PERSON_UNKNOWN');
    const body = { title: 'Other', kind: 'notice' as const, meetId: null };
    expect((await alice.documents.update({ params: { id }, body: { ...body, version: 1 } })).version).toBe(2);
    expect(await codeOf(alice.documents.update({ params: { id }, body: { ...body, version: 1 } }))).toBe(
      'CHANGED_MEANWHILE',
    );
  });
});

describe('templates', () => {
  test('are made by administrators, and their content and pictures are copied', async () => {
    expect(await codeOf(make(alice, { isTemplate: true }))).toBe('FORBIDDEN');
    const template = await make(admin, { isTemplate: true, title: 'Weekly minutes' });
    const picture = await addPicture(admin, template.id);
    await write(
      admin,
      template.id,
      docOf(paragraph('Present:'), { type: 'picture', attrs: { fileId: picture, alt: 'Logo' } }),
    );
    expect((await bob.documents.query({ query: { templates: 'true' } })).records).toMatchObject([
      { id: template.id, right: 'read' },
    ]);
    const made = await make(bob, { templateId: template.id });
    expect(await contentOf(bob, made.id)).toBe('Present:\n');
    const rows = await server.db.platform((tx) => tx.find(storedFile, eq(storedFile.subjectId, made.id)));
    expect(rows).toHaveLength(1);
    expect(rows[0]?.id).not.toBe(picture);
    expect(await codeOf(make(await signIn(server, 'erin'), { templateId: template.id }))).toBe('NOT_FOUND');
  });
});

describe('versions', () => {
  test('are kept by name and while a document is edited, compared, and restored without loss', async () => {
    const { id } = await make(alice);
    await write(alice, id, docOf(paragraph('One'), paragraph('Two')));
    const version = await alice.documents.keep({ params: { id }, body: { name: 'Draft' } });
    server.clock.advance({ minutes: 11 });
    await write(alice, id, docOf(paragraph('One'), paragraph('Three')));
    const params = { id, versionId: version.id };
    const { lines } = await alice.documents.difference({ params });
    expect(lines.map(({ kind, text: value }) => `${kind} ${value}`)).toEqual([
      'same One',
      'removed Two',
      'added Three',
    ]);
    const writer = await edit(alice, id);
    await alice.documents.restore({ params });
    await writer.until(() => textOf(readDocument(writer.doc)) === 'One\nTwo\n');
    const { records } = await alice.documents.versions({ params: { id }, query: {} });
    expect(records.map(({ kind }) => kind).toSorted()).toEqual(['auto', 'named', 'restore']);
    const before = records.find(({ kind }) => kind === 'restore');
    const after = await alice.documents.difference({ params: { id, versionId: before?.id ?? '' } });
    expect(after.lines.map(({ kind }) => kind)).toEqual(['same', 'removed', 'added']);
  });
});

/** A PNG of one pixel. */
const PNG = Uint8Array.from(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
);
async function addPicture(who: Person, id: string): Promise<string> {
  const files = [new File([PNG], 'plan.png', { type: 'image/png' })];
  return (await who.documents.addPicture({ params: { id }, body: {}, files })).id;
}

describe('pictures', () => {
  test('are stored for those who write and shown to those who read', async () => {
    const { id } = await make(alice);
    await shareWith(alice, id, { bob: 'read' });
    const fileId = await addPicture(alice, id);
    const path = pathOf(contract.documents.picture, { params: { id, fileId }, query: { preview: true } });
    expect((await send(server, 'GET', path, { token: bob.token })).file).toEqual(Buffer.from(PNG));
    expect((await send(server, 'GET', path, { token: carol.token })).statusCode).toBe('NOT_FOUND');
    expect(await codeOf(addPicture(bob, id))).toBe('DOCUMENT_READ_ONLY');
    const other = await make(alice);
    const elsewhere = pathOf(contract.documents.picture, { params: { id: other.id, fileId }, query: {} });
    expect((await send(server, 'GET', elsewhere, { token: alice.token })).statusCode).toBe('NOT_FOUND');
    await alice.documents.remove({ params: { id } });
    expect(await server.db.platform((tx) => tx.count(storedFile, eq(storedFile.id, fileId)))).toBe(0);
  });

  test.each([
    ['empty.png', '', 'FILE_KIND_REFUSED'],
    ['text.png', 'Agenda', 'FILE_KIND_REFUSED'],
    ['page.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', 'FILE_KIND_REFUSED'],
  ])('are not %s', async (name, content, code) => {
    const { id } = await make(alice);
    const files = [new File([content], name, { type: 'image/png' })];
    expect(await codeOf(alice.documents.addPicture({ params: { id }, body: {}, files }))).toBe(code);
  });
});

/** A document with one of everything, in Chinese and English. */
const everything = (fileId: string): DocumentNode =>
  docOf(
    { type: 'heading', attrs: { level: 1 }, content: [text('第一章 Overview')] },
    { type: 'heading', attrs: { level: 2 }, content: [text('排班 Shifts')] },
    { type: 'paragraph', content: [text('手术室的'), text('粗体', 'bold'), text(' and '), text('italic', 'italic')] },
    {
      type: 'bulletList',
      content: [
        {
          type: 'listItem',
          content: [
            paragraph('药品供应'),
            { type: 'orderedList', content: [{ type: 'listItem', content: [paragraph('Inner one')] }] },
          ],
        },
      ],
    },
    {
      type: 'orderedList',
      attrs: { start: 3 },
      content: ['Third', '第四'].map((value) => ({ type: 'listItem', content: [paragraph(value)] })),
    },
    {
      type: 'taskList',
      content: [
        {
          type: 'taskItem',
          attrs: { checked: true, person: 'Bob', personId: '', due: '2026-12-01' },
          content: [paragraph('打电话')],
        },
      ],
    },
    {
      type: 'table',
      content: [
        ['科室', 'Beds'],
        ['外科', '12'],
      ].map((cells, row) => ({
        type: 'tableRow',
        content: cells.map((value) => ({
          type: row === 0 ? 'tableHeader' : 'tableCell',
          content: [paragraph(value)],
        })),
      })),
    },
    { type: 'blockquote', content: [paragraph('引文')] },
    { type: 'codeBlock', content: [text('const a = 1;\nconst b = 2;')] },
    { type: 'picture', attrs: { fileId, alt: '平面图' } },
    { type: 'horizontalRule' },
    paragraph('长'.repeat(3_000)),
  );

describe('files of a document', () => {
  let folder: string;
  let id: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rmeet-documents-'));
    ({ id } = await make(alice, { title: '病区会议纪要' }));
    await write(alice, id, everything(await addPicture(alice, id)));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function fileOf(format: 'docx' | 'pdf'): Promise<string> {
    const path = pathOf(contract.documents.export, { params: { id }, query: { format } });
    const { file } = await send(server, 'GET', path, { token: alice.token });
    const at = join(folder, `document.${format}`);
    await writeFile(at, file ?? '');
    return at;
  }

  test.skipIf(OFFICE_SKIPPED)(
    'Word: LibreOffice reads back headings, lists, table, picture and Chinese',
    async () => {
      const profile = `-env:UserInstallation=file://${folder}/profile`;
      const file = await fileOf('docx');
      await run('soffice', [profile, '--headless', '--convert-to', 'html:HTML:EmbedImages', '--outdir', folder, file]);
      const html = (await readFile(join(folder, 'document.html'), 'utf8')).replaceAll(/\s+/g, ' ');
      const plain = html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
      expect(html).toMatch(/<h1[^>]*>.*?第一章.*?Overview/);
      expect(html).toMatch(/<h2[^>]*>.*?排班.*?Shifts/);
      expect(html).toMatch(/<ul>.*?药品供应.*?<\/ul> <ol> <ol>.*?Inner one/);
      expect(html).toMatch(/<ol start="3">.*?Third.*?第四/);
      expect(html).toMatch(/<table.*?科室.*?Beds.*?外科.*?12.*?<\/table>/);
      expect(html).toMatch(/<b>.*?粗体/);
      expect(html).toMatch(/<img src="data:image\/png/);
      expect(plain).toMatch(/☑ 打电话 ?\(? ?.*Bob, due 2026-12-01/);
      expect(plain).toContain('病区会议纪要');
      expect(plain).toContain('引文');
    },
    120_000,
  );

  test.skipIf(OFFICE_SKIPPED)(
    'PDF: its texts are found, the typeface is embedded, and a long text has several pages',
    async () => {
      const file = await fileOf('pdf');
      const found = (await run('pdftotext', ['-layout', file, '-'])).stdout;
      for (const part of [
        '病区会议纪要',
        '第一章 Overview',
        '粗体',
        '药品供应',
        '外科',
        'const b = 2;',
        '引文',
        '第四',
      ])
        expect(found).toContain(part);
      expect(found).toContain('Bob, due 2026-12-01');
      expect(found.match(/长/g)).toHaveLength(3_000);
      const fonts = (await run('pdffonts', [file])).stdout.trim().split('\n').slice(2);
      expect(fonts.every((line) => /CID TrueType\s+Identity-H\s+yes/.test(line))).toBe(true);
      const pages = Number(/Pages:\s+(\d+)/.exec((await run('pdfinfo', [file])).stdout)?.[1]);
      expect(pages).toBeGreaterThan(2);
      expect((await run('pdfimages', ['-list', file])).stdout).toMatch(/1\s+1\s+rgb|1\s+1\s+gray/);
      expect((await readFile(file)).length).toBeLessThan(200_000);
    },
  );
});

describe('comments in files', () => {
  const [question, answer, lost] = [1, 2, 3].map((at) => `0198f6a2-7e6d-7c40-9a11-5b1f0e3c2f4${at}`) as [
    string,
    string,
    string,
  ];
  let id: string;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rmeet-comments-'));
    ({ id } = await make(alice, { title: '批注' }));
    await shareWith(alice, id, { bob: 'write' });
    const marks = [{ type: 'comment' as const, attrs: { id: question } }];
    const commented: DocumentNode = { type: 'text', text: '两张床位', marks };
    await write(
      alice,
      id,
      docOf({ type: 'paragraph', content: [text('外科需要'), commented, text('。')] }, paragraph('End')),
    );
    const [first, second] = [await edit(alice, id), await edit(bob, id)];
    first.doc.getMap(COMMENTS).set(question, { text: '够吗？' });
    await second.until(() => readComments(second.doc).length === 1);
    second.doc.getMap(COMMENTS).set(answer, { text: 'Three, please', to: question });
    await saved(second);
    second.doc.getMap(COMMENTS).set(lost, { text: 'On nothing', resolved: true });
    await saved(second);
    first.close();
    second.close();
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function fileOf(format: 'docx' | 'pdf'): Promise<string> {
    const path = pathOf(contract.documents.export, { params: { id }, query: { format } });
    const { file } = await send(server, 'GET', path, { token: alice.token });
    const at = join(folder, `document.${format}`);
    await writeFile(at, file ?? '');
    return at;
  }

  test('Word: LibreOffice reads them with author, text and answers, at the text they are about', async () => {
    const profile = `-env:UserInstallation=file://${folder}/profile`;
    await run('soffice', [profile, '--headless', '--convert-to', 'fodt', '--outdir', folder, await fileOf('docx')]);
    const xml = await readFile(join(folder, 'document.fodt'), 'utf8');
    const notes = [...xml.matchAll(/<office:annotation [\s\S]*?<\/office:annotation>/g)].map(([note]) =>
      note
        .replaceAll(/<[^>]+>/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    );
    expect(notes).toHaveLength(3);
    expect(notes.join('\n')).toMatch(/Alice.*够吗？/);
    expect(notes.join('\n')).toMatch(/Bob.*Three, please/);
    expect(notes.join('\n')).toMatch(/Bob.*On nothing/);
    expect(xml.replaceAll(/<office:annotation [\s\S]*?<\/office:annotation>/g, '')).toMatch(
      /两张床位[\s\S]{0,80}<office:annotation-end/,
    );
  }, 120_000);

  test('PDF: they are listed behind the text, which names their numbers', async () => {
    const found = (await run('pdftotext', ['-layout', await fileOf('pdf'), '-'])).stdout.replaceAll(/[ \n]+/g, ' ');
    expect(found).toMatch(/外科需要两张床位 ?\[1\] ?。/);
    expect(found).toMatch(
      /End Comments \[1\] “两张床位” Alice: 够吗？ Bob: Three, please \[2\] \(resolved\) Bob: On nothing/,
    );
  });
});

describe('mail', () => {
  test('brings a document as PDF to people with an address, in their language', async () => {
    const { id } = await make(alice, { title: '纪要' });
    await write(alice, id, docOf(paragraph('Read this')));
    await server.db.platform((tx) => tx.update(account, { email: 'bob@example.org' }, eq(account.id, idOf('bob'))));
    await server.db.platform((tx) => tx.update(account, { email: '' }, eq(account.id, idOf('carol'))));
    const body = { userIds: [idOf('bob'), idOf('carol')], message: '请查收' };
    expect(await alice.documents.mail({ params: { id }, body })).toEqual({ sent: 1, withoutAddress: ['Carol'] });
    const mail = await vi.waitFor(() => {
      const found = mails.received.find((one) => one.to.includes('bob@example.org'));
      if (!found) throw new Error('The mail has not arrived.');
      return found;
    }, 10_000);
    expect(mail.subject).toContain('纪要');
    expect(mail.text).toContain('请查收');
    expect(mail.files).toEqual([{ name: '纪要.pdf', type: 'application/pdf', size: expect.any(Number) }]);
    const none = { ...body, userIds: [idOf('carol')] };
    expect(await codeOf(alice.documents.mail({ params: { id }, body: none }))).toBe('DOCUMENT_NO_ADDRESS');
  });
});
