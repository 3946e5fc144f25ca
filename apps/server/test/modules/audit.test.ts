import ExcelJS from 'exceljs';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contract, pathOf } from '@rmeet/contract';
import { recordAudit, systemOrigin } from '../../src/modules/audit/index.ts';
import { auditLog } from '../../src/modules/audit/tables.ts';
import { PLATFORM_TENANT_ID } from '../../src/modules/accounts/tenants/index.ts';
import { tenant } from '../../src/modules/accounts/tenants/tables.ts';
import { newId } from '../../src/platform/db/index.ts';
import { codeOf, send, signIn, type Person } from './support/client.ts';
import { Clock } from './support/clock.ts';
import { startTestServer, type TestServer } from './support/server.ts';

const DAY = 86_400_000;
let server: TestServer;
let north: string;
let south: string;
let admin: Person;
let dave: Person;
let root: Person;

const tenantOf = (account: string): string => server.people.get(account)?.tenantId ?? '';

/** A row as a route would write it. */
async function record(
  account: string,
  action: string,
  target: string,
  values: { at?: Date; before?: Record<string, unknown>; after?: Record<string, unknown>; of?: string } = {},
): Promise<void> {
  const actor = server.people.get(account);
  if (!actor) throw new Error(`There is no ${account}.`);
  const { at = server.clock.now(), of = actor.tenantId, ...fields } = values;
  const caller = {
    kind: 'user',
    userId: actor.id,
    tenantId: actor.tenantId,
    sessionId: '',
    account,
    name: actor.name,
    permissions: [],
    isTenantAdmin: false,
  } as const;
  await server.db.tenant(of, (tx) =>
    recordAudit(tx, { caller, action, address: '192.0.2.7', requestId: 'r1' }, at, {
      target: { kind: 'account', id: `id of ${target}`, name: target },
      ...fields,
    }),
  );
}

beforeAll(async () => {
  server = await startTestServer();
  [admin, dave, root] = [await signIn(server, 'admin'), await signIn(server, 'dave'), await signIn(server, 'root')];
  [north, south] = [tenantOf('admin'), tenantOf('dave')];
});
afterAll(() => server.close());

describe('the log', () => {
  beforeAll(async () => {
    const at = (minutes: number): Date => new Date(Date.parse('2026-03-01T09:00:00Z') + minutes * 60_000);
    await record('admin', 'users.create', 'Bob', {
      at: at(0),
      after: { name: 'Bob', password: 'Abcdef-1', passwordHistory: 3 },
    });
    await record('admin', 'users.update', 'Bob', { at: at(1), before: { name: 'Bob' }, after: { name: 'Bo' } });
    await record('chair', 'meetings.update', '100% sure', { at: at(2) });
    await record('dave', 'users.create', 'Erin', { at: at(3) });
    await record('root', 'tenants.update', 'north', { at: at(4), of: north });
    await record('root', 'operators.create', 'Ops', { at: at(5) });
  });
  const march = { from: '2026-03-01T00:00:00Z', to: '2026-03-02T00:00:00Z' };
  const targets = async (
    person: Person,
    query: Partial<Parameters<Person['audit']['list']>[0]['query']> = {},
  ): Promise<string[]> =>
    (await person.audit.list({ query: { ...march, ...query } })).records.map(({ target }) => target.name);

  test('shows authorised people the rows of their own tenant only', async () => {
    expect(await targets(admin)).toEqual(['north', '100% sure', 'Bob', 'Bob']);
    expect(await targets(dave)).toEqual(['Erin']);
    expect(await targets(dave, { tenantId: north })).toEqual(['Erin']);
    for (const account of ['alice', 'ops'])
      expect(await codeOf(targets(await signIn(server, account)))).toBe('FORBIDDEN');
  });

  test('shows the platform all rows, or those of one tenant', async () => {
    expect(await targets(root)).toEqual(['Ops', 'north', 'Erin', '100% sure', 'Bob', 'Bob']);
    expect(await targets(root, { tenantId: south })).toEqual(['Erin']);
    expect(await targets(root, { tenantId: PLATFORM_TENANT_ID })).toEqual(['Ops']);
    expect(await targets(root, { tenantId: newId() })).toEqual([]);
  });

  test('is filtered by time, action, actor, target and part of a name', async () => {
    expect(await targets(admin, { from: '2026-03-01T09:01:00Z', to: '2026-03-01T10:02:00+01:00' })).toEqual(['Bob']);
    expect(await targets(admin, { action: 'users.create' })).toEqual(['Bob']);
    expect(await targets(admin, { actorId: server.people.get('chair')?.id })).toEqual(['100% sure']);
    expect(await targets(admin, { targetId: 'id of Bob' })).toEqual(['Bob', 'Bob']);
    expect(await targets(admin, { keyword: '0%' })).toEqual(['100% sure']);
    expect(await targets(admin, { keyword: 'CHAI' })).toEqual(['100% sure']);
    expect(await targets(admin, { keyword: '_' })).toEqual([]);
    expect(await targets(admin, { order: 'ASC', size: '3' })).toEqual(['Bob', 'Bob', '100% sure']);
    expect(await targets(admin, { size: '3', current: '2' })).toEqual(['Bob']);
  });

  test('shows who did what to what, before and after, without secrets', async () => {
    const { records } = await admin.audit.list({ query: { ...march, order: 'ASC' } });
    expect(records[0]).toMatchObject({
      at: '2026-03-01T09:00:00.000Z',
      tenantId: north,
      tenantName: 'north',
      actor: { kind: 'user', id: server.people.get('admin')?.id, name: 'Admin' },
      address: '192.0.2.7',
      action: 'users.create',
      target: { kind: 'account', id: 'id of Bob', name: 'Bob' },
      before: null,
      after: { name: 'Bob', password: '***', passwordHistory: 3 },
      requestId: 'r1',
    });
    expect(records[1]).toMatchObject({ before: { name: 'Bob' }, after: { name: 'Bo' } });
  });

  test('shows jobs as the system, and keeps the names of that time', async () => {
    await server.db.tenant(south, (tx) =>
      recordAudit(tx, systemOrigin('conferences.end'), server.clock.now(), {
        target: { kind: 'conference', id: 'c', name: 'Ward round' },
      }),
    );
    await server.db.platform((tx) => tx.update(tenant, { name: 'far south' }, eq(tenant.tenantId, south)));
    const { records } = await dave.audit.list({ query: { action: 'conferences.end' } });
    expect(records).toMatchObject([{ tenantName: 'south', actor: { kind: 'system', id: '', name: '' }, address: '' }]);
  });

  test('lists the existing actions', async () => {
    const actions = await admin.audit.actions();
    expect(actions).toEqual(actions.toSorted());
    expect(actions).toContain('users.create');
    expect(actions).not.toContain('users.list');
  });
});

describe('a long log', () => {
  const ROWS = 10_050;
  beforeAll(async () => {
    const rows = Array.from({ length: ROWS }, (_, i) => ({
      id: newId(),
      at: new Date(Date.UTC(2026, 1, 1) + Math.floor(i / 3)),
      actorKind: 'user' as const,
      actorId: 'many',
      actorName: '=cmd()',
      address: '192.0.2.9',
      action: 'users.status',
      targetKind: 'account',
      targetId: 'many',
      targetName: `Person ${i}`,
      before: { enabled: true },
      after: { enabled: false },
      requestId: 'r2',
      tenantName: 'north',
    }));
    for (let i = 0; i < ROWS; i += 3_000)
      await server.db.tenant(north, (tx) => tx.insert(auditLog, rows.slice(i, i + 3_000)));
  });

  test('is counted to 10,000', async () => {
    const [lastPage, beyond] = [
      { size: '3', current: '2' },
      { size: '3', current: '9' },
    ].map((page) => admin.audit.list({ query: { from: '2026-03-01T00:00:00Z', to: '2026-03-02T00:00:00Z', ...page } }));
    expect([(await lastPage)?.total, (await beyond)?.total]).toEqual([4, 4]);
    expect(await admin.audit.list({ query: { actorId: 'many', size: '1' } })).toMatchObject({
      total: 10_000,
      totalIsLowerBound: true,
    });
    expect(await admin.audit.list({ query: { actorId: 'many', keyword: 'Person 9999' } })).not.toHaveProperty(
      'totalIsLowerBound',
    );
  });

  test('is exported, every row once and in order, in the requested language', async () => {
    const path = pathOf(contract.audit.export, { query: { actorId: 'many' } });
    const { ticket } = await admin.downloads.ticket({ body: { path } });
    const { file, httpStatus } = await send(server, 'GET', `${path}&ticket=${ticket}`);
    expect(httpStatus).toBe(200);
    const book = new ExcelJS.Workbook();
    await book.xlsx.load(file as never);
    const [sheet] = book.worksheets;
    expect(sheet?.name).toBe('Audit log');
    expect(sheet?.getRow(1).values).toEqual(
      expect.arrayContaining(['Time (UTC)', 'Tenant', 'By', 'Action', 'Before', 'After']),
    );
    const names = sheet?.getColumn(9).values.slice(2);
    expect(names).toHaveLength(ROWS);
    expect(new Set(names)).toHaveLength(ROWS);
    expect(names?.slice(0, 1)).toEqual([`Person ${ROWS - 1}`]);
    expect(sheet?.getCell('C2').value).toBe('=cmd()');
    expect(sheet?.getCell('L2').value).toBe('{"enabled":false}');
    expect((await send(server, 'GET', path, { token: dave.token })).file?.length).toBeLessThan(file?.length ?? 0);
  });
});

describe('old rows', () => {
  let old: TestServer;
  beforeAll(async () => {
    old = await startTestServer({ clock: new Clock(Date.now() - 400 * DAY) });
  });
  afterAll(() => old.close());

  test('are deleted once they are older than the tenant wants, and younger ones are kept', async () => {
    const [of, other] = [old.people.get('admin')?.tenantId ?? '', old.people.get('dave')?.tenantId ?? ''];
    await old.db.platform((tx) => tx.update(tenant, { auditMonths: 6 }, eq(tenant.tenantId, of)));
    const write = (tenantId: string, name: string) =>
      old.db.tenant(tenantId, (tx) =>
        recordAudit(tx, systemOrigin('conferences.end'), old.clock.now(), {
          target: { kind: 'account', id: name, name },
        }),
      );
    const rowsOf = (tenantId: string) =>
      old.db.tenant(tenantId, async (tx) =>
        (await tx.find(auditLog, undefined, { orderBy: auditLog.at })).map(({ action, targetName, after }) => [
          action,
          targetName,
          after,
        ]),
      );
    for (const tenantId of [of, other]) await write(tenantId, 'first');
    old.clock.advance({ hours: 24 * 220 });
    for (const tenantId of [of, other]) await write(tenantId, 'second');
    await old.rounds.clearAudit();
    expect(await rowsOf(of)).toEqual([
      ['conferences.end', 'second', null],
      ['audit.clear', 'north', { deleted: 1, months: 6 }],
    ]);
    // Twelve months, the default of every tenant.
    expect(await rowsOf(other)).toHaveLength(2);
    old.clock.advance({ hours: 24 * 179 });
    await old.rounds.clearAudit();
    expect(await rowsOf(of)).toHaveLength(2);
    expect(await rowsOf(other)).toEqual([
      ['conferences.end', 'second', null],
      ['audit.clear', 'south', { deleted: 1, months: 12 }],
    ]);
  });
});
