import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { contract, ENTRY_TYPES, pathOf, type Data, type RegisteredTerminal } from '@rmeet/contract';
import { auditLog } from '../../src/modules/audit/tables.ts';
import { accountPermission, permission } from '../../src/modules/accounts/permissions/tables.ts';
import { room } from '../../src/modules/rooms/tables.ts';
import { registeredTerminal } from '../../src/modules/terminals/tables.ts';
import { allOf } from '../../src/platform/db/conditions.ts';
import { newId } from '../../src/platform/db/index.ts';
import { AppError } from '../../src/platform/http/index.ts';
import { readSheet } from '../../src/platform/import/index.ts';
import { call, CallFailed, codeOf, signIn, type Person } from './support/client.ts';
import { fresh } from './support/fresh.ts';
import { startTestServer, type TestServer } from './support/server.ts';
import { handmade, rowsOfWorkbook, workbookOf } from './support/workbooks.ts';

type Imported = Data<typeof contract.terminals.import>;

let server: TestServer;
let admin: Person;
let alice: Person;
/** Manages rooms without being an administrator. */
let bob: Person;
let dave: Person;
let north: string;
beforeAll(async () => {
  server = await startTestServer();
  north = server.people.get('admin')?.tenantId ?? '';
  const accountId = server.people.get('bob')?.id ?? '';
  await server.db.platform(async (tx) => {
    const codes = await tx.find(
      permission,
      allOf(eq(permission.code, 'rooms:manage'), eq(permission.type, ENTRY_TYPES.permission)),
    );
    await tx.asTenant(north).insert(
      accountPermission,
      codes.map(({ id }) => ({ accountId, permissionId: id })),
    );
  });
  [admin, alice, bob, dave] = [
    await signIn(server, 'admin'),
    await signIn(server, 'alice'),
    await signIn(server, 'bob'),
    await signIn(server, 'dave'),
  ];
});
afterAll(() => server.close());
beforeEach(() =>
  server.db.platform((tx) =>
    tx.delete(registeredTerminal, eq(registeredTerminal.tenantId, registeredTerminal.tenantId)),
  ),
);

const create = (values: object = {}, who = admin): Promise<RegisteredTerminal> =>
  who.terminals.create({ body: { name: 'Library TV', address: 'library@rooms.example.org', kind: 'sip', ...values } });
const update = ({ id, room: of, ...before }: RegisteredTerminal, values: object = {}) =>
  admin.terminals.update({ body: { ...before, id, roomId: of?.id ?? null, ...values } });
const list = async (query: object = {}, who = admin) => (await who.terminals.list({ query })).records;
const namesOf = async (query: object, who = admin): Promise<string[]> =>
  (await list(query, who)).map(({ name }) => name);
const auditOf = (action: string) =>
  server.db.tenant(north, (tx) => tx.find(auditLog, eq(auditLog.action, action), { orderBy: auditLog.id }));
async function failureOf(work: Promise<unknown>): Promise<{ statusCode: string; message: string }> {
  try {
    await work;
  } catch (error) {
    if (error instanceof CallFailed) return error.answer;
    throw error;
  }
  return expect.fail('The call went well.');
}

describe('a terminal (POST, PUT and DELETE terminal-registry)', () => {
  test('is registered, changed in its newest version and deleted, each with a row in the audit log', async () => {
    const roomId = await fresh.room(server, north, { name: 'Library', building: 'Main building' });
    const terminal = await create({ roomId, zone: 'cn-east', department: ' Surgery / General ', note: 'By the door' });
    expect(terminal).toMatchObject({
      name: 'Library TV',
      address: 'library@rooms.example.org',
      kind: 'sip',
      room: { id: roomId, name: 'Library', building: 'Main building' },
      zone: 'cn-east',
      department: 'Surgery/General',
      note: 'By the door',
      enabled: true,
      lastSeenAt: null,
      version: 1,
    });
    const changed = await update(terminal, { name: 'Library screen', roomId: null });
    expect(changed).toMatchObject({ name: 'Library screen', room: null, version: 2 });
    expect(await codeOf(update(terminal, { name: 'Late' }))).toBe('CHANGED_MEANWHILE');
    expect(await list()).toEqual([changed]);
    expect(await admin.terminals.remove({ body: { ids: [terminal.id, terminal.id] } })).toEqual({ deleted: 1 });
    expect(await codeOf(update(changed))).toBe('NOT_FOUND');
    expect(await auditOf('terminals.create')).toMatchObject([
      { targetId: terminal.id, after: { address: terminal.address, room: 'Main building / Library' } },
    ]);
    expect(await auditOf('terminals.update')).toMatchObject([
      { before: { name: 'Library TV', room: 'Main building / Library' }, after: { name: 'Library screen', room: '' } },
    ]);
    expect(await auditOf('terminals.remove')).toMatchObject([
      { targetName: 'Library screen', before: { kind: 'sip' } },
    ]);
  });

  test('has an address unique in the tenant, whatever its case', async () => {
    const library = await create();
    const taken = await failureOf(create({ name: 'Other', address: 'LIBRARY@rooms.example.org' }));
    expect(taken).toMatchObject({
      statusCode: 'TERMINAL_ADDRESS_TAKEN',
      message: 'The address library@rooms.example.org is already registered for Library TV. Please check it.',
    });
    const other = await create({ name: 'Other', address: '10.0.0.9' });
    expect(await codeOf(update(other, { address: 'Library@Rooms.Example.org' }))).toBe('TERMINAL_ADDRESS_TAKEN');
    expect(await update(library, { address: 'Library@Rooms.Example.org' })).toMatchObject({
      address: 'Library@Rooms.Example.org',
    });
    expect(await create({}, dave)).toMatchObject({ address: library.address });
  });

  test('that is created twice at once with one address is refused once, with the name of the first', async () => {
    const answers = await Promise.all(
      ['One', 'Two', 'Three'].map(async (name) => {
        const address = name === 'Two' ? 'BOTH@example.org' : 'both@example.org';
        return create({ name, address }).then(
          () => 'OK',
          (error: CallFailed) => error.answer.message,
        );
      }),
    );
    const [made] = await list();
    expect(answers.filter((answer) => answer === 'OK')).toHaveLength(1);
    expect(answers.filter((answer) => answer.includes(`already registered for ${made?.name}`))).toHaveLength(2);
  });

  test('is assigned only to rooms of its tenant, and not to a deleted one', async () => {
    const south = server.people.get('dave')?.tenantId ?? '';
    for (const roomId of [newId(), await fresh.room(server, south)])
      expect(await codeOf(create({ roomId }))).toBe('ROOM_UNKNOWN');
    const roomId = await fresh.room(server, north);
    const terminal = await create({ roomId });
    expect(await codeOf(update(terminal, { roomId: newId() }))).toBe('ROOM_UNKNOWN');
    await server.db.tenant(north, (tx) => tx.update(room, { deletedAt: server.clock.now() }, eq(room.id, roomId)));
    expect(await list()).toMatchObject([{ room: null }]);
    const other = await create({
      name: 'Hall TV',
      address: 'hall@rooms.example.org',
      roomId: await fresh.room(server, north),
    });
    const nowhere = await create({ name: 'Trolley', address: 'trolley@rooms.example.org' });
    const idsOf = async (filter: Parameters<typeof list>[0]) => (await list(filter)).map(({ id }) => id);
    expect(await idsOf({ roomId: 'none' })).toEqual([terminal.id, nowhere.id]);
    expect(await idsOf({ roomId: 'none', keyword: 'TV' })).toEqual([terminal.id]);
    expect(await idsOf({ roomId })).toEqual([]);
    expect(await idsOf({ roomId: other.room?.id })).toEqual([other.id]);
    expect(await codeOf(update(terminal))).toBe('ROOM_UNKNOWN');
  });

  test('is deleted with all others named, or none is', async () => {
    const [one, other, foreign] = [await create(), await create({ address: 'other' }), await create({}, dave)];
    for (const stranger of [newId(), foreign.id])
      expect(await codeOf(admin.terminals.remove({ body: { ids: [one.id, stranger] } }))).toBe('NOT_FOUND');
    expect(await list()).toHaveLength(2);
    expect(await admin.terminals.remove({ body: { ids: [one.id, other.id] } })).toEqual({ deleted: 2 });
    expect(await list({}, dave)).toEqual([foreign]);
  });

  test('is NOT_FOUND in another tenant, and FORBIDDEN without the right', async () => {
    const terminal = await create();
    expect(
      await codeOf(
        dave.terminals.update({ body: { id: terminal.id, name: 'X', address: 'x', kind: 'sip', version: 1 } }),
      ),
    ).toBe('NOT_FOUND');
    const file = await workbookOf([['name', 'address', 'kind']]);
    const attempts = [
      create({ address: 'alice' }, alice),
      alice.terminals.update({ body: { id: terminal.id, name: 'X', address: 'x', kind: 'sip', version: 1 } }),
      alice.terminals.remove({ body: { ids: [terminal.id] } }),
      alice.terminals.import({ body: { file, dryRun: true } }),
      call(server, contract.terminals.export, { query: {} }, alice.token).then((answer) => {
        throw new CallFailed(answer);
      }),
    ];
    expect(await Promise.all(attempts.map(codeOf))).toEqual(attempts.map(() => 'FORBIDDEN'));
    for (const body of [{ address: 'two words' }, { address: '' }, { name: 'x'.repeat(61) }, { kind: 'fax' }])
      expect(await codeOf(create(body))).toBe('INVALID_INPUT');
    expect(await list()).toEqual([terminal]);
  });
});

describe('GET terminal-registry', () => {
  test('is searched, filtered, sorted and paged', async () => {
    const roomId = await fresh.room(server, north);
    await create({ name: 'Anteroom', address: 'z1@example.org', roomId });
    await create({ name: 'Boardroom', address: '100%', kind: 'h323', enabled: false });
    const camera = await create({ name: 'Camera', address: 'rtsp://10.0.0.7/one', kind: 'rtsp' });
    await server.db.tenant(north, (tx) =>
      tx.update(registeredTerminal, { lastSeenAt: server.clock.now() }, eq(registeredTerminal.id, camera.id)),
    );
    await create({ name: 'Of south' }, dave);
    expect(await namesOf({})).toEqual(['Anteroom', 'Boardroom', 'Camera']);
    expect(await namesOf({ keyword: 'ROOM' })).toEqual(['Anteroom', 'Boardroom']);
    expect(await namesOf({ keyword: '%' })).toEqual(['Boardroom']);
    expect(await namesOf({ keyword: '10.0.0.7' })).toEqual(['Camera']);
    expect(await namesOf({ kind: 'h323' })).toEqual(['Boardroom']);
    expect(await namesOf({ roomId })).toEqual(['Anteroom']);
    expect(await namesOf({ status: 'disabled', keyword: 'o' })).toEqual(['Boardroom']);
    expect(await namesOf({ sort: 'address', order: 'DESC' })).toEqual(['Anteroom', 'Camera', 'Boardroom']);
    expect((await namesOf({ sort: 'lastSeenAt', order: 'DESC' }))[0]).toBe('Camera');
    expect((await namesOf({ sort: 'lastSeenAt' })).at(-1)).toBe('Camera');
    expect(await admin.terminals.list({ query: { size: 1, current: 2 } })).toMatchObject({
      records: [{ name: 'Boardroom' }],
      total: 3,
      current: 2,
      size: 1,
    });
    // Callers who are not managers see only enabled ones, with any filter.
    expect(await namesOf({}, alice)).toEqual(['Anteroom', 'Camera']);
    expect(await namesOf({ keyword: 'room' }, alice)).toEqual(['Anteroom']);
    expect(await namesOf({ status: 'disabled' }, alice)).toEqual([]);
  });
});

/** The workbook of the export, by ticket as in browsers. */
async function exported(query: Record<string, string>, language: string): Promise<{ file: Buffer; name: string }> {
  const path = pathOf(contract.terminals.export, { query });
  const { ticket } = await admin.downloads.ticket({ body: { path } });
  const response = await server.app.inject({
    url: `${path}${path.includes('?') ? '&' : '?'}ticket=${ticket}`,
    headers: { 'accept-language': language },
  });
  expect(response.statusCode).toBe(200);
  return { file: response.rawPayload, name: String(response.headers['content-disposition']) };
}
const importFile = (file: string, dryRun = false, who = admin): Promise<Imported> =>
  who.terminals.import({ body: { file, dryRun } });
const importRows = async (rows: Parameters<typeof workbookOf>[0], dryRun = false, who = admin) =>
  importFile(await workbookOf(rows), dryRun, who);
const HEAD = ['name', 'address', 'kind'];

describe('GET terminal-registry/export', () => {
  test.each([
    ['en', 'Terminals.xlsx', ['Name', 'Address', 'Type', 'Room', 'Region', 'Department', 'Note', 'Enabled']],
    [
      'zh',
      '%E4%BC%9A%E8%AE%AE%E7%BB%88%E7%AB%AF.xlsx',
      ['名称', '地址', '类型', '会议室', '区域', '部门', '备注', '启用'],
    ],
  ])('in %s can be imported again without any change', async (language, name, head) => {
    const roomId = await fresh.room(server, north, { name: `Library ${language}`, building: `Main / ${language}` });
    const gone = await fresh.room(server, north);
    await create({ roomId, note: '=1+1\nand\r\n_x0041_ <&"\'>', zone: 'cn', department: 'A/B' });
    await create({ name: '008', address: '00123', kind: 'phone', enabled: false, roomId: gone });
    await server.db.tenant(north, (tx) => tx.update(room, { deletedAt: server.clock.now() }, eq(room.id, gone)));
    for (const kind of ['h323', 'rooms', 'rtsp'] as const) await create({ name: kind, address: kind, kind });
    const { file, name: fileName } = await exported({}, language);
    expect(fileName).toContain(name);
    expect((await rowsOfWorkbook(file))[0]).toEqual(head);
    const before = await list();
    expect(await importFile(file.toString('base64'))).toEqual({
      rows: 5,
      added: 0,
      changed: 0,
      unchanged: 5,
      faults: [],
    });
    expect(await list()).toEqual(before);
    await admin.terminals.remove({ body: { ids: before.map(({ id }) => id) } });
    expect(await importFile(file.toString('base64'))).toEqual({
      rows: 5,
      added: 5,
      changed: 0,
      unchanged: 0,
      faults: [],
    });
    expect((await list()).map(({ id: _id, ...terminal }) => terminal)).toEqual(
      before.map(({ id: _id, ...terminal }) => terminal),
    );
  });

  test('contains the filtered terminals of the own tenant', async () => {
    await create({ name: 'Anteroom' });
    await create({ name: 'Boardroom', address: 'b', kind: 'h323' });
    await create({ name: 'Of south' }, dave);
    expect(
      (await rowsOfWorkbook((await exported({ keyword: 'ROOM', kind: 'h323' }, 'en')).file)).map(([name]) => name),
    ).toEqual(['Name', 'Boardroom']);
    expect(await rowsOfWorkbook((await exported({}, 'en')).file)).toHaveLength(3);
  });
});

describe('POST terminal-registry/import', () => {
  test('adds and changes, and keeps fields for which the sheet has no column', async () => {
    await fresh.room(server, north, { name: 'Anteroom', building: 'Import house' });
    await create({ name: 'Old', address: 'old@example.org', note: 'Kept', enabled: false });
    await create({ name: 'Same', address: 'same@example.org' });
    const rows = [
      ["Somebody's own", ' 类型 ', 'ADDRESS', '名称', 'Room', 'enabled'],
      ['x', 'SIP 终端', 'OLD@example.org', 'New name', 'import house/ANTEROOM', ''],
      ['', 'sip', 'same@example.org', 'Same', '', '是'],
      ['y', 'H.323 device', '10.0.0.5', 'Added', 'Import house / Anteroom', '停用'],
      ['y', 'PHONE', 8001, 'Telephone', null, true],
    ];
    const expected = { rows: 4, added: 2, changed: 1, unchanged: 1, faults: [] };
    const before = await list();
    expect(await importRows(rows, true)).toEqual(expected);
    expect(await list()).toEqual(before);
    const known = (await auditOf('terminals.import')).length;
    expect(await importRows(rows)).toEqual(expected);
    const inRoom = { building: 'Import house', name: 'Anteroom' };
    expect(await list()).toMatchObject([
      { name: 'Added', address: '10.0.0.5', kind: 'h323', room: inRoom, enabled: false, version: 1 },
      {
        name: 'New name',
        address: 'OLD@example.org',
        kind: 'sip',
        room: inRoom,
        note: 'Kept',
        enabled: false,
        version: 2,
      },
      { name: 'Same', version: 1 },
      { name: 'Telephone', address: '8001', kind: 'phone', room: null, enabled: true },
    ]);
    const audit = await auditOf('terminals.import');
    expect(audit).toHaveLength(known + 1);
    expect(audit.at(-1)).toMatchObject({
      targetKind: 'terminal',
      actorName: 'Admin',
      after: { rows: 4, added: 2, changed: 1, unchanged: 1 },
    });
    expect(await importRows(rows)).toMatchObject({ added: 0, changed: 0, unchanged: 4 });
  });

  test('reports every wrong cell, and then stores nothing', async () => {
    for (const building of ['Ambiguous one', 'Ambiguous two'])
      await fresh.room(server, north, { name: 'Twin', building });
    await create({ address: 'known@example.org' });
    const head = ['name', 'address', 'kind', 'room', 'zone', 'department', 'note', 'enabled'];
    const rows = [
      head,
      ['Good', 'good', 'sip'],
      ['', null, ' ', '', 'zone alone'],
      [],
      [
        'x'.repeat(61),
        'a'.repeat(256),
        'fax',
        'Nowhere / Room',
        'z'.repeat(61),
        'd'.repeat(301),
        'n'.repeat(501),
        'perhaps',
      ],
      ['Twin', 'GOOD', 'sip', 'twin'],
      ['Spaces', 'two words', 'sip', 'Ambiguous one / Twin'],
      ['Known', 'known@example.org', 'sip'],
    ];
    const answer = { rows: 6, added: 1, changed: 1, unchanged: 0 };
    const faults = [
      [3, 'name', 'missing', ''],
      [3, 'address', 'missing', ''],
      [3, 'kind', 'missing', ''],
      [5, 'name', 'tooLong', 'x'.repeat(61)],
      [5, 'address', 'tooLong', 'a'.repeat(100)],
      [5, 'kind', 'unreadable', 'fax'],
      [5, 'room', 'roomUnknown', 'Nowhere / Room'],
      [5, 'zone', 'tooLong', 'z'.repeat(61)],
      [5, 'department', 'tooLong', 'd'.repeat(100)],
      [5, 'note', 'tooLong', 'n'.repeat(100)],
      [5, 'enabled', 'unreadable', 'perhaps'],
      [6, 'address', 'twice', 'GOOD'],
      [6, 'room', 'roomAmbiguous', 'twin'],
      [7, 'address', 'unreadable', 'two words'],
    ].map(([row, column, fault, value]) => ({ row, column, fault, value }));
    for (const dryRun of [true, false]) expect(await importRows(rows, dryRun)).toEqual({ ...answer, faults });
    expect(await namesOf({})).toEqual(['Library TV']);
    expect(await auditOf('terminals.import').then((rowsOf) => rowsOf.at(-1)?.after)).not.toMatchObject(answer);
    const many = await importRows([HEAD, ...Array.from({ length: 400 }, () => ['x'.repeat(61), 'two words', 'fax'])]);
    expect(many).toMatchObject({ rows: 400, added: 0 });
    expect(many.faults).toHaveLength(1_000);
  });

  test('reports missing and repeated columns', async () => {
    const missing = (column: string) => ({ row: 1, column, fault: 'missing', value: '' });
    expect(await importRows([])).toEqual({
      rows: 0,
      added: 0,
      changed: 0,
      unchanged: 0,
      faults: [missing('name'), missing('address'), missing('kind')],
    });
    expect(
      await importRows([
        ['Name', 'Colour'],
        ['X', 'red'],
      ]),
    ).toMatchObject({ rows: 1, added: 0, faults: [missing('address'), missing('kind')] });
    expect(
      (
        await importRows([
          [...HEAD, '名称'],
          ['X', 'x', 'sip', 'Y'],
        ])
      ).faults,
    ).toEqual([{ row: 1, column: 'name', fault: 'twice', value: '名称' }]);
    expect(await importRows([HEAD])).toEqual({ rows: 0, added: 0, changed: 0, unchanged: 0, faults: [] });
  });

  test('reads numbers, formulas and formatted texts as they are displayed', async () => {
    await importRows([
      HEAD,
      [
        { richText: [{ text: 'Rich ', font: { bold: true } }, { text: 'text' }] },
        { formula: 'A1', result: 'sip:formula@example.org' },
        'sip',
      ],
      [12.5, { formula: '1+1', result: 13_800_138_000 }, { text: 'phone', hyperlink: 'https://example.org' }],
    ]);
    expect(await list({ sort: 'address' })).toMatchObject([
      { name: '12.5', address: '13800138000', kind: 'phone' },
      { name: 'Rich text', address: 'sip:formula@example.org' },
    ]);
  });

  test('reads workbooks of other programs', async () => {
    const cells = (texts: string[]) =>
      texts.map((text) => `<x:c t="inlineStr"><x:is><x:t>${text}</x:t></x:is></x:c>`).join('');
    const content = `<x:worksheet xmlns:x="urn:x"><x:sheetData><x:row>${cells(HEAD)}</x:row>
      <x:row/><x:row><x:c t="s"><x:v>1</x:v></x:c><x:c r="B9"><x:v>0.30000000000000004</x:v></x:c>
      <x:c r="C9" t="str"><x:f>X</x:f><x:v>rt<![CDATA[s]]>p</x:v></x:c></x:row></x:sheetData></x:worksheet>`;
    const texts =
      '<sst><si><t>0</t></si><si><r><t>漢&amp;</t></r><r><t xml:space="preserve"> 字_x0021_</t></r><rPh sb="0" ' +
      'eb="1"><t>かん</t></rPh></si></sst>';
    expect(await importFile(handmade({ content }, { content: texts }))).toMatchObject({ added: 1, faults: [] });
    expect(await list()).toMatchObject([{ name: '漢& 字!', address: '0.3', kind: 'rtsp' }]);
  });

  test('refuses what is no workbook or unpacks to too much, before unpacking', async () => {
    const sheet = Buffer.from('<worksheet><sheetData><row><c r="A1"><v>1</v></c></row></sheetData></worksheet>');
    const bomb = Buffer.alloc(48 * 1024 * 1024, ' ');
    const good = Buffer.from(await workbookOf([HEAD]), 'base64');
    const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64');
    const files = {
      garbage: base64('garbage'),
      large: base64(Buffer.alloc(6_000_000, 'PK\u0005\u0006')),
      short: 'AAAA',
      csv: base64('name,address,kind\nx,y,sip\n'),
      xls: base64(Buffer.from('d0cf11e0a1b11ae1'.repeat(80), 'hex')),
      cut: base64(good.subarray(0, -30)),
      torn: base64(Buffer.concat([good.subarray(0, 200), good.subarray(260)])),
      bomb: handmade({ content: bomb }),
      bombOfTexts: handmade({ content: sheet }, { content: bomb }),
      lying: handmade({ content: bomb, told: 1_000 }),
      boasting: handmade({ content: sheet, told: 2_000 }),
      damaged: handmade({ content: sheet, crc: 1 }),
      malformed: handmade({ content: '<worksheet><row></worksheet>' }),
      deep: handmade({ content: '<a>'.repeat(100_000) }),
      many: handmade({ content: `<a>${'<a/>'.repeat(1_000_000)}</a>` }),
      entities: handmade({ content: '<!DOCTYPE a [<!ENTITY b "bbbb">]><worksheet>&b;</worksheet>' }),
      attributes: handmade({ content: `<a ${Array.from({ length: 1_000 }, (_, i) => `a${i}=""`).join(' ')}/>` }),
      nowhere: handmade({ content: '<worksheet><row r="0"/></worksheet>' }),
      utf16: handmade({ content: Buffer.from('\ufeff<worksheet/>', 'utf16le') }),
    };
    const answers: Record<string, string> = {};
    // By two people, because of the rate limit of imports.
    for (const [index, [name, file]] of Object.entries(files).entries())
      answers[name] = await codeOf(importFile(file, true, index % 2 === 0 ? dave : bob));
    expect(answers).toEqual(Object.fromEntries(Object.keys(files).map((name) => [name, 'SHEET_UNREADABLE'])));
    expect(await codeOf(importFile('A'.repeat(8 * 1024 * 1024), true, dave))).toBe('BODY_TOO_LARGE');
    expect(await codeOf(importFile('no base64', true, dave))).toBe('INVALID_INPUT');
  });

  test('reads or refuses a file with any of its bytes changed', async () => {
    const good = Buffer.from(await workbookOf([HEAD, ['Library', 'library', 'sip']]), 'base64');
    const outcomes = new Set<string>();
    for (let at = 0; at < good.length; at += 7) {
      const broken = Buffer.from(good);
      broken[at] = (broken[at] ?? 0) ^ (1 << (at % 8));
      outcomes.add(
        await readSheet(broken, 10).then(
          () => 'rows',
          (error: unknown) => (error instanceof AppError ? error.code : String(error)),
        ),
      );
    }
    expect([...outcomes].toSorted()).toEqual(['SHEET_UNREADABLE', 'rows']);
  });

  test('accepts 5,000 rows within a few seconds, and not one more', async () => {
    const terminals = Array.from({ length: 5_000 }, (_, i) => [`Terminal ${i}`, `t${i}@example.org`, 'sip']);
    const file = await workbookOf([HEAD, ...terminals]);
    const changing = await workbookOf([
      HEAD,
      ...terminals.map(([name, address], i) => [i % 2 === 0 ? `${name} again` : (name ?? ''), address ?? '', 'sip']),
    ]);
    const began = performance.now();
    expect(await importFile(file, false, bob)).toMatchObject({ rows: 5_000, added: 5_000 });
    expect(await importFile(changing, false, bob)).toMatchObject({ added: 0, changed: 2_500, unchanged: 2_500 });
    expect(performance.now() - began).toBeLessThan(20_000);
    expect(await bob.terminals.list({ query: { keyword: 'again' } })).toMatchObject({ total: 2_500 });
    expect((await rowsOfWorkbook((await exported({}, 'en')).file)).length).toBe(5_001);
    const failure = await failureOf(
      importFile(await workbookOf([HEAD, ...terminals, ['One', 'more', 'sip']]), false, bob),
    );
    expect(failure).toMatchObject({
      statusCode: 'SHEET_TOO_LONG',
      message: 'The sheet has more than 5000 rows. Please import it in parts.',
    });
  }, 60_000);

  test('runs twice at once one after the other, in its own tenant', async () => {
    const rows = (order: 1 | -1) => [
      HEAD,
      ...Array.from({ length: 300 }, (_, i) => [`T ${i}`, `t${i}`, 'sip']).toSorted(
        (a, b) => order * (a[1] ?? '').localeCompare(b[1] ?? ''),
      ),
    ];
    const answers = await Promise.all([
      importRows(rows(1), false, bob),
      importRows(rows(-1), false, bob),
      importRows(rows(1), false, dave),
      codeOf(create({ address: 'T5' })),
    ]);
    expect(
      answers
        .slice(0, 2)
        .map((answer) => (answer as Imported).unchanged)
        .toSorted((a, b) => a - b),
    ).toEqual([0, 300]);
    expect(answers[2]).toMatchObject({ added: 300 });
    expect((await bob.terminals.list({ query: {} })).total).toBe(300);
  });
});
