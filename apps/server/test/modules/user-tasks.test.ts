import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { and, eq } from 'drizzle-orm';
import { contract, encodeContact, pathOf, type AccountChange, type UserTask, type UserTaskItem } from '@rmeet/contract';
import type { MailServer } from '@rmeet/testkit';
import { auditLog } from '../../src/modules/audit/tables.ts';
import { accountPermission, permission } from '../../src/modules/accounts/permissions/tables.ts';
import { role, rolePermission } from '../../src/modules/accounts/roles/tables.ts';
import { PLATFORM_TENANT_ID } from '../../src/modules/accounts/tenants/index.ts';
import { tenant } from '../../src/modules/accounts/tenants/tables.ts';
import { account, userTask, userTaskItem } from '../../src/modules/accounts/users/tables.ts';
import { newId } from '../../src/platform/db/index.ts';
import { readSheetOrCsv } from '../../src/platform/import/index.ts';
import { clientOf, codeOf, encrypt, signIn, type Person } from './support/client.ts';
import { startServerWithMail } from './support/mail-server.ts';
import type { TestServer } from './support/server.ts';
import { handmade, rowsOfWorkbook, workbookOf } from './support/workbooks.ts';

let server: TestServer;
let mails: MailServer;
let admin: Person;
/** Manages users without being an administrator. */
let bob: Person;
let dave: Person;
let north: string;
let staff: string;
/** A role with management rights. */
let above: string;
beforeAll(async () => {
  ({ server, mails } = await startServerWithMail());
  north = server.people.get('admin')?.tenantId ?? '';
  above = newId();
  await server.db.platform(async (tx) => {
    const idsOf = async (code: string) =>
      (await tx.find(permission, and(eq(permission.code, code), eq(permission.type, 2)))).map(({ id }) => id);
    const accountId = server.people.get('bob')?.id ?? '';
    const own = await idsOf('users:manage');
    await tx.asTenant(north).insert(
      accountPermission,
      own.map((permissionId) => ({ accountId, permissionId })),
    );
    const platform = tx.asTenant(PLATFORM_TENANT_ID);
    await platform.insert(role, {
      id: above,
      name: '会议室管理员',
      nameEn: 'Rooms, and buildings',
      kind: 'user',
      createdAt: server.clock.now(),
    });
    await platform.insert(
      rolePermission,
      (await idsOf('rooms:manage')).map((permissionId) => ({ roleId: above, permissionId })),
    );
    staff = (await tx.findOne(role, and(eq(role.isDefault, true), eq(role.kind, 'user'))))?.id ?? '';
  });
  [admin, bob, dave] = [await signIn(server, 'admin'), await signIn(server, 'bob'), await signIn(server, 'dave')];
});
afterAll(() => server.close());

const HEAD = ['account', 'name', 'phone', 'email', 'department', 'roles', 'locale'];
const csv = (rows: readonly (readonly string[])[], head: readonly string[] = HEAD): string =>
  Buffer.from([head, ...rows].map((row) => row.join(',')).join('\r\n')).toString('base64');
const check = (file: string, who = admin): Promise<UserTask> => who.userTasks.import({ body: { file } });
const itemsOf = async ({ id }: UserTask, query: object = {}, who = admin): Promise<UserTaskItem[]> =>
  (await who.userTasks.items({ params: { id }, query: { size: 200, ...query } })).records;
const userNamed = async (name: string, who = admin) =>
  (await who.users.list({ query: { keyword: name, size: 200 } })).records.find((row) => row.account === name);
async function finished({ id }: UserTask, who = admin): Promise<UserTask> {
  const read = () => who.userTasks.read({ params: { id }, query: {} });
  await expect.poll(async () => (await read()).state, { timeout: 20_000 }).toBe('done');
  return read();
}
async function start({ id }: UserTask, firstAccess: 'invitation' | 'password' = 'password', who = admin) {
  return finished(await who.userTasks.start({ params: { id }, body: { firstAccess } }), who);
}
const download = async (path: string, language = 'en'): Promise<Buffer> => {
  const { ticket } = await admin.downloads.ticket({ body: { path } });
  const answer = await server.app.inject({
    method: 'GET',
    url: `${path}${path.includes('?') ? '&' : '?'}ticket=${ticket}`,
    headers: { 'accept-language': language, host: new URL(server.publicUrl).host },
  });
  expect(answer.statusCode).toBe(200);
  return answer.rawPayload;
};
let made = 0;
async function add(values: object = {}) {
  made += 1;
  return (await admin.users.create({ body: { account: `many${made}`, name: `Many ${made}`, ...values } })).user;
}

describe('the check of a sheet', () => {
  test('lists by row what would be created, changed, left alone or is wrong, and changes nothing', async () => {
    const before = await server.db.tenant(north, (tx) => tx.count(account));
    await add({ account: 'known.one', name: 'Known One', department: '外科' });
    await add({ account: 'known.two', name: 'Known Two' });
    const task = await check(
      csv([
        ['new.one', 'New One', '+86 138 0000 1111', 'new.one@example.org', '外科/骨科', '', 'English'],
        ['KNOWN.ONE', 'Known One', '', '', '外科', '', ''],
        ['known.two', 'Known Too', '', '', ' 外科 / 骨科 ', '', 'en'],
        ['x', '', 'abc', 'no mail', '', 'Nobody', 'French'],
        ['new.one', 'Twice', '', '', '', '', ''],
      ]),
    );
    expect(task).toMatchObject({
      state: 'checked',
      total: 5,
      counts: { toCreate: 1, toChange: 1, same: 1, wrong: 2, created: 0 },
    });
    const items = await itemsOf(task);
    expect(items.map(({ row, state, columns }) => [row, state, columns])).toEqual([
      [2, 'toCreate', []],
      [3, 'same', []],
      [4, 'toChange', ['name', 'department', 'locale']],
      [5, 'wrong', []],
      [6, 'wrong', []],
    ]);
    expect(items[3]?.faults).toEqual([
      { column: 'account', fault: 'unreadable', value: 'x' },
      { column: 'name', fault: 'missing', value: '' },
      { column: 'phone', fault: 'unreadable', value: 'abc' },
      { column: 'email', fault: 'unreadable', value: 'no mail' },
      { column: 'roles', fault: 'roleUnknown', value: 'Nobody' },
      { column: 'locale', fault: 'unreadable', value: 'French' },
    ]);
    expect(items[4]?.faults).toEqual([{ column: 'account', fault: 'twice', value: 'new.one' }]);
    expect(await itemsOf(task, { state: 'wrong', size: 1 })).toHaveLength(1);
    expect(await server.db.tenant(north, (tx) => tx.count(account))).toBe(before + 2);

    const path = pathOf(contract.userTasks.report, { params: { id: task.id }, query: { en: '1' } });
    const report = await rowsOfWorkbook(await download(path));
    expect(report[0]).toEqual(['Row', 'Account', 'Name', 'Result', 'Details']);
    expect(report[1]?.slice(0, 4)).toEqual(['2', 'new.one', 'New One', 'To be created']);
    expect(report[4]?.[4]).toContain('Phone cannot be understood (abc)');
  });

  test('reads Excel, CSV in UTF-8 with and without a mark, GB18030, and other separators', async () => {
    const text = '账号,姓名,部门\r\nzhang.san,"张""三""",外科\r\n';
    const files = [
      await workbookOf([
        ['账号', '姓名', '部门'],
        ['zhang.san', '张"三"', '外科'],
      ]),
      Buffer.from(text).toString('base64'),
      Buffer.from(`\uFEFF${text}`).toString('base64'),
      Buffer.from(text.replaceAll(',', ';')).toString('base64'),
      Buffer.from(text.replaceAll(',', '\t').replaceAll('\r\n', '\n')).toString('base64'),
      // 账号,姓名,部门 / zhang.san,张三,外科 in GB18030.
      Buffer.from('d5cbbac52cd0d5c3fb2cb2bfc3c50d0a7a68616e672e73616e2cd5c5c8fd2ccde2bfc60d0a', 'hex').toString(
        'base64',
      ),
    ];
    for (const [at, file] of files.entries()) {
      const [item] = await itemsOf(await check(file));
      expect(item, String(at)).toMatchObject({
        state: 'toCreate',
        account: 'zhang.san',
        name: at === 5 ? '张三' : '张"三"',
      });
    }
  });

  test('refuses other files, files without the columns, bombs, and more than 10,000 rows', async () => {
    const refused = (file: Buffer) => codeOf(check(file.toString('base64')));
    for (const file of [
      Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0, 0]),
      Buffer.from('PK\u0003\u0004 no archive'),
      Buffer.from('account,name\n"open'),
      Buffer.from([0x61, 0xff, 0xff]),
      Buffer.from('account,name\nalice,Alice', 'utf16le'),
    ])
      expect(await refused(file), file.toString('hex')).toBe('TABLE_UNREADABLE');
    const bomb = handmade({ content: `<sheetData>${' '.repeat(30 * 1024 * 1024)}</sheetData>` });
    expect(await codeOf(check(bomb))).toBe('TABLE_UNREADABLE');
    const long = Array.from({ length: 10_001 }, (_, at) => `a${at},A`).join('\n');
    expect(await refused(Buffer.from(`account,name\n${long}`))).toBe('SHEET_TOO_LONG');
    expect(await refused(Buffer.alloc(7 * 1024 * 1024, 'a'))).toBe('BODY_TOO_LARGE');
    expect(await itemsOf(await check(csv([['alice', 'a']], ['account', 'phone'])))).toMatchObject([
      { row: 1, state: 'wrong', faults: [{ column: 'name', fault: 'missing' }] },
    ]);
    expect(await itemsOf(await check(csv([], ['name', 'account', 'Name'])))).toMatchObject([
      { row: 1, state: 'wrong', faults: [{ column: 'name', fault: 'twice' }] },
    ]);
  });

  test('counts the quota of the tenant', async () => {
    const count = await server.db.tenant(north, (tx) => tx.count(account, eq(account.kind, 'user')));
    await server.db.platform((tx) => tx.update(tenant, { maxUsers: count + 1 }, eq(tenant.tenantId, north)));
    const rows = [
      ['quota.1', 'One'],
      ['quota.2', 'Two'],
      ['alice', 'Alice'],
    ];
    const task = await check(csv(rows, ['account', 'name']));
    const items = await itemsOf(task);
    expect(items.map(({ state }) => state)).toEqual(['toCreate', 'wrong', 'same']);
    expect(items[1]?.faults).toMatchObject([{ column: 'account', fault: 'quota' }]);
    // The last place is taken meanwhile.
    await add();
    const after = await start(task);
    expect(after.counts).toMatchObject({ created: 0, failed: 1, wrong: 1, same: 1 });
    expect((await itemsOf(after))[0]?.reason).toContain(String(count + 1));
    await server.db.platform((tx) => tx.update(tenant, { maxUsers: null }, eq(tenant.tenantId, north)));
  });

  test('refuses roles to callers who cannot grant any, and accounts with more rights than theirs', async () => {
    const file = csv([
      ['above.one', 'Above', '', '', '', '"Rooms, and buildings"', ''],
      ['alice', 'Alice', '', '', '外科/普外科', 'Rooms and buildings', ''],
      ['admin', 'Renamed', '', '', '', '', ''],
      ['carol', 'Carol', '', '', '新科室', '', ''],
    ]);
    expect((await itemsOf(await check(file, bob), {}, bob)).map(({ faults }) => faults)).toEqual([
      [{ column: 'roles', fault: 'mayNotGrant', value: '' }],
      [{ column: 'roles', fault: 'mayNotGrant', value: '' }],
      [{ column: 'account', fault: 'mayNotChange', value: '' }],
      [],
    ]);
    expect((await check(file)).counts).toMatchObject({ toCreate: 1, toChange: 3, wrong: 0 });
    const of = { filter: { keyword: 'alice' } };
    const prepared = bob.userTasks.change({ body: { of, change: { kind: 'addRole', roleId: above } } });
    expect(await codeOf(prepared)).toBe('FORBIDDEN');
  });
});

describe('an import', () => {
  test('creates accounts that are invited by mail, and others with a password that is downloaded once', async () => {
    mails.received.length = 0;
    const task = await check(
      csv([
        ['mail.one', 'Mail One', '', 'mail.one@example.org', '放射科', '', 'en'],
        ['mail.none', '=1+1', '', '', '', '"Staff"', ''],
      ]),
    );
    expect(task.withoutMail).toBe(1);
    const done = await start(task, 'invitation');
    expect(done).toMatchObject({ counts: { created: 2, failed: 0 }, passwords: 1 });
    const listed = async (who: Person) => (await who.userTasks.list({ query: {} })).map(({ id }) => id);
    expect((await listed(admin))[0]).toBe(task.id);
    expect(await listed(bob)).not.toContain(task.id);
    await expect.poll(() => mails.received.map(({ to }) => to)).toEqual([['mail.one@example.org']]);
    expect(await userNamed('mail.one')).toMatchObject({ department: '放射科', locale: 'en', lastLoginAt: null });
    expect(await userNamed('mail.none')).toMatchObject({ invitation: null, roles: [{ id: staff }] });
    const rows = await server.db.platform((tx) => tx.find(userTaskItem, eq(userTaskItem.taskId, task.id)));

    const take = () => admin.userTasks.passwords({ params: { id: task.id }, body: { en: '1' } });
    const { file } = await take();
    const text = Buffer.from(file, 'base64').toString();
    const [, name, password = ''] = text.split('\r\n')[1]?.split(',') ?? [];
    // A name is no formula in a spreadsheet.
    expect(name).toBe("'=1+1");
    expect(JSON.stringify(rows)).not.toContain(password);
    const body = { account: 'mail.none', password: await encrypt(server, password) };
    expect(await codeOf(clientOf(server).auth.login({ body }))).toBe('PWD_EXPIRED');
    expect(await codeOf(take())).toBe('PASSWORDS_TAKEN');
    const log = await server.db.tenant(north, (tx) => tx.find(auditLog, eq(auditLog.action, 'users.create')));
    expect(log.map(({ targetName }) => targetName)).toEqual(expect.arrayContaining(['Mail One', '=1+1']));
    expect(JSON.stringify(await server.db.platform((tx) => tx.find(auditLog)))).not.toContain(password);
  });

  test('changes accounts and their roles, with a row in the audit log each', async () => {
    const user = await add({ account: 'to.change', name: 'To Change', phoneNumber: encodeContact('123') });
    const task = await check(csv([['to.change', 'Changed', '', '', '', '"Staff; rooms, and buildings"', '']]));
    expect((await itemsOf(task))[0]).toMatchObject({ state: 'toChange', columns: ['name', 'phone', 'roles'] });
    expect((await start(task)).counts).toMatchObject({ changed: 1 });
    const after = await userNamed('to.change');
    expect(after).toMatchObject({ name: 'Changed', phoneNumber: '--' });
    expect(after?.roles.map(({ id }) => id).toSorted()).toEqual([above, staff].toSorted());
    const log = await server.db.tenant(north, (tx) =>
      tx.find(auditLog, eq(auditLog.targetId, user.id), { orderBy: auditLog.id }),
    );
    expect(log.map(({ action, actorName }) => [action, actorName]).slice(1)).toEqual([
      ['users.update', 'Admin'],
      ['users.setGrants', 'Admin'],
    ]);
    // A second import of the same file has nothing to do.
    expect((await check(csv([['to.change', 'Changed', '', '', '', 'Staff、会议室管理员', '']]))).counts).toMatchObject({
      same: 1,
    });
  });

  test('ends when it is cancelled, and lists what was done', async () => {
    const task = await check(csv(Array.from({ length: 60 }, (_, at) => [`cancel.${at}`, `Cancel ${at}`])));
    await admin.userTasks.start({ params: { id: task.id }, body: {} });
    const read = () => admin.userTasks.read({ params: { id: task.id }, query: {} });
    await expect.poll(async () => (await read()).counts.created, { timeout: 20_000 }).toBeGreaterThan(0);
    await admin.userTasks.cancel({ params: { id: task.id }, body: {} });
    await server.rounds.runUserTasks();
    const { state, counts } = await read();
    expect([state, counts.created + counts.toCreate]).toEqual(['cancelled', 60]);
    expect(counts.toCreate).toBeGreaterThan(0);
    const { total } = await admin.users.list({ query: { keyword: 'cancel.' } });
    expect(total).toBe(counts.created);
    const again = () => admin.userTasks.start({ params: { id: task.id }, body: {} });
    expect(await codeOf(again())).toBe('TASK_STARTED');
  });

  test('ends if the account in whose name it runs is disabled', async () => {
    const task = await check(csv([['orphan.one', 'Orphan']]), bob);
    const bobId = server.people.get('bob')?.id ?? '';
    await server.db.platform(async (tx) => {
      await tx.update(userTask, { state: 'running', turnAt: server.clock.now() }, eq(userTask.id, task.id));
      await tx.update(account, { enabled: false }, eq(account.id, bobId));
    });
    await server.rounds.runUserTasks();
    expect(await server.db.platform((tx) => tx.findOne(userTask, eq(userTask.id, task.id)))).toMatchObject({
      state: 'cancelled',
    });
    expect(await userNamed('orphan.one')).toBeUndefined();
    await server.db.platform((tx) => tx.update(account, { enabled: true }, eq(account.id, bobId)));
  });

  test('belongs to the account that made it, in its own tenant', async () => {
    const task = await check(csv([['mine.one', 'Mine']]));
    for (const other of [bob, dave]) {
      expect(await codeOf(other.userTasks.read({ params: { id: task.id }, query: {} }))).toBe('NOT_FOUND');
      expect(await codeOf(other.userTasks.start({ params: { id: task.id }, body: {} }))).toBe('NOT_FOUND');
      expect(await codeOf(other.userTasks.passwords({ params: { id: task.id }, body: {} }))).toBe('NOT_FOUND');
    }
    // Accounts of another tenant are unknown, also by id.
    const alice = server.people.get('alice')?.id ?? '';
    const change = await dave.userTasks.change({ body: { of: { ids: [alice] }, change: { kind: 'disable' } } });
    expect(change.total).toBe(0);
    const same = await check(csv([['alice', 'Of another tenant']]), dave);
    expect(same.counts).toMatchObject({ toCreate: 1, toChange: 0 });
  });

  test('is forgotten after a week, its passwords after a day', async () => {
    const task = await start(await check(csv([['old.one', 'Old']])));
    expect(task.passwords).toBe(1);
    server.clock.advance({ hours: 25 });
    await server.rounds.clearUserTasks();
    admin = await signIn(server, 'admin');
    const read = () => admin.userTasks.read({ params: { id: task.id }, query: {} });
    expect((await read()).passwords).toBe(0);
    server.clock.advance({ hours: 24 * 7 });
    await server.rounds.clearUserTasks();
    admin = await signIn(server, 'admin');
    expect(await codeOf(read())).toBe('NOT_FOUND');
    [bob, dave] = [await signIn(server, 'bob'), await signIn(server, 'dave')];
  });
});

test('an export is imported again without changes, as a workbook and as CSV, in both languages', async () => {
  await add({
    account: 'round.1',
    name: '+round',
    phoneNumber: encodeContact('+86 13800000001'),
    department: '外科/骨科',
  });
  await add({ account: 'round.2', name: "'=quoted", email: encodeContact('a@example.org'), locale: 'en' });
  await add({ account: 'round.3', name: 'Comma, "quote"', roleIds: [staff, above] });
  await add({ account: 'round.4', name: '@4', roleIds: [] });
  for (const format of ['xlsx', 'csv'] as const) {
    for (const language of ['zh', 'en']) {
      const path = pathOf(contract.users.export, { query: { keyword: 'round.', format } });
      const file = await download(path, language);
      const task = await check(file.toString('base64'));
      expect(task.counts, `${format} ${language}`).toMatchObject({ same: 4, toChange: 0, wrong: 0 });
      expect(task.total).toBe(4);
      if (format === 'csv') {
        // No cell begins like a formula.
        const cells = file
          .toString()
          .replace('\uFEFF', '')
          .split(/[,\r\n]+/);
        expect(cells.filter((cell) => /^"?[=+\-@\t\r]/.test(cell))).toEqual([]);
        const [header] = await readSheetOrCsv(file, 10);
        expect(header?.cells[0]).toBe(language === 'en' ? 'Account' : '账号');
      }
    }
  }
  const template = await rowsOfWorkbook(await download(pathOf(contract.userTasks.template, { query: { en: '1' } })));
  expect(template).toEqual([['Account', 'Name', 'Phone', 'Email', 'Department', 'Roles', 'Language']]);
});

describe('a change of many', () => {
  const change = async (of: object, values: AccountChange, who = admin): Promise<UserTask> => {
    const task = await who.userTasks.change({ body: { of: of as never, change: values } });
    return start(task, 'password', who);
  };

  test('enables, disables, moves, grants, revokes and deletes, by ids or by a filter, audited for each', async () => {
    const users = [await add({ department: '老年科' }), await add({ department: '老年科' })];
    const ids = users.map(({ id }) => id);
    const states = async () =>
      (await admin.users.list({ query: { department: '老年科', status: 'disabled' } })).records.map(({ id }) => id);
    expect((await change({ ids }, { kind: 'disable' })).counts).toMatchObject({ changed: 2 });
    expect((await states()).toSorted()).toEqual(ids.toSorted());
    expect((await change({ filter: { department: '老年科' } }, { kind: 'enable' })).counts.changed).toBe(2);
    expect((await change({ ids }, { kind: 'enable' })).counts).toMatchObject({ same: 2, changed: 0 });
    await change({ ids }, { kind: 'addRole', roleId: above });
    expect((await admin.users.list({ query: { roleId: above, department: '老年科' } })).total).toBe(2);
    await change({ filter: { roleId: above, department: '老年科' } }, { kind: 'removeRole', roleId: above });
    expect((await admin.users.list({ query: { roleId: above, department: '老年科' } })).total).toBe(0);
    await change({ ids }, { kind: 'move', department: '康复科 / 一病区' });
    expect((await admin.users.list({ query: { department: '康复科' } })).total).toBe(2);
    expect((await change({ filter: { department: '康复科' } }, { kind: 'remove' })).counts.changed).toBe(2);
    expect((await admin.users.list({ query: { status: 'deleted', department: '康复科' } })).total).toBe(2);
    const log = await server.db.tenant(north, (tx) =>
      tx.find(auditLog, eq(auditLog.targetId, ids[0] ?? ''), { orderBy: auditLog.id }),
    );
    expect(log.map(({ action }) => action)).toEqual([
      'users.create',
      'users.status',
      'users.status',
      'users.setGrants',
      'users.setGrants',
      'users.update',
      'users.remove',
    ]);
  });

  test('lists what failed, and does the others', async () => {
    const user = await add();
    const ids = [server.people.get('admin')?.id ?? '', user.id];
    const task = await change({ ids }, { kind: 'disable' });
    expect(task.counts).toMatchObject({ changed: 1, failed: 1 });
    const failed = await itemsOf(task, { state: 'failed' });
    expect(failed).toMatchObject([{ account: 'admin', reason: 'You cannot do this to your own account.' }]);
    const byBob = await change({ ids: [server.people.get('admin')?.id ?? ''] }, { kind: 'disable' }, bob);
    expect(byBob.counts).toMatchObject({ failed: 1 });
  });

  test('sends invitations again', async () => {
    mails.received.length = 0;
    const email = encodeContact('again@example.org');
    const [first, second] = [await add({ email, invite: true }), await add()];
    await expect.poll(() => mails.received.length).toBe(1);
    const task = await change({ ids: [first.id, second.id] }, { kind: 'invite' });
    expect(task.counts).toMatchObject({ changed: 1, failed: 1 });
    await expect.poll(() => mails.received.length).toBe(2);
  });

  test('refuses unknown roles', async () => {
    const wrong = admin.userTasks.change({
      body: { of: { filter: {} }, change: { kind: 'addRole', roleId: newId() } },
    });
    expect(await codeOf(wrong)).toBe('ROLE_UNKNOWN');
  });
});
