import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DirectoryChange, DirectoryRound, DirectorySettings } from '@rmeet/contract';
import { ldifPerson, SLAPD_SKIPPED, slapdPerson, startSlapd, type Slapd } from '@rmeet/testkit';
import { tenant } from '../../src/modules/accounts/tenants/tables.ts';
import { account } from '../../src/modules/accounts/users/tables.ts';
import { DEMO_PASSWORD } from '../../src/seed/index.ts';
import { clientOf, codeOf, signIn, type Person } from './support/client.ts';
import { enter, entering, GROUPS_BASE, PEOPLE_BASE, settingsFor } from './support/directories.ts';
import { fresh } from './support/fresh.ts';
import { startTestServer, type TestServer } from './support/server.ts';

const UNIT = (path: string): string =>
  `dn: ou=${path},${PEOPLE_BASE}\nobjectClass: organizationalUnit\nou: ${path.split(',')[0] ?? ''}\n\n`;
const GROUP = (name: string, members: readonly string[]): string =>
  `dn: cn=${name},${GROUPS_BASE}\nobjectClass: groupOfNames\ncn: ${name}\n` +
  `${members.map((dn) => `member: ${dn}\n`).join('')}\n`;
const groupDn = (name: string): string => `cn=${name},${GROUPS_BASE}`;

const NAMES = ['dora', 'emil', 'fritz', 'gina', 'hugo', 'ines', 'jan', 'kai', 'lea', 'mia'];
const people = [
  UNIT('Surgery'),
  'dn: ou=General\\2C 2nd floor,ou=Surgery,' +
    PEOPLE_BASE +
    '\nobjectClass: organizationalUnit\nou: General, 2nd floor\n\n',
  ...NAMES.map((uid) => ldifPerson(uid, { cn: `Dr. ${uid}`, departmentNumber: 'Surgery' }, 'Surgery')),
  ldifPerson('nora', {}, 'General\\2C 2nd floor,ou=Surgery'),
  ldifPerson('alice', { cn: 'Alice of the directory', departmentNumber: 'Board' }),
  ldifPerson('bert', { mail: 'Bob@Example.org' }),
  ldifPerson('x', { cn: 'Too short' }),
  GROUP('doctors', [slapdPerson('dora', 'Surgery'), groupDn('heads')]),
  GROUP('heads', [slapdPerson('EMIL', 'Surgery'), groupDn('doctors')]),
].join('');

let slapd: Slapd;
let server: TestServer;
let admin: Person;
let id: string;
let north: string;
beforeAll(async () => {
  if (SLAPD_SKIPPED) return;
  slapd = await startSlapd(people);
  server = await startTestServer({ directoryHosts: ['127.0.0.1'] });
  north = server.people.get('admin')?.tenantId ?? '';
  await server.db.tenant(north, (tx) => tx.update(account, { email: 'bob@example.org' }, eq(account.account, 'bob')));
  admin = await signIn(server, 'admin');
  id = (await admin.directories.create({ body: settingsFor(slapd) })).id;
});
afterAll(async () => {
  await server?.close();
  await slapd?.remove();
});

/** Runs a round to its end. */
async function sync(options: { dryRun?: boolean; force?: boolean } = {}): Promise<DirectoryRound> {
  const { id: roundId } = await admin.directories.start({ params: { id }, body: { dryRun: false, ...options } });
  await server.rounds.syncDirectories();
  const { records } = await admin.directories.rounds({ params: { id }, query: {} });
  const found = records.find((round) => round.id === roundId);
  if (!found) throw new Error('The round is not listed.');
  return found;
}
const changesOf = async ({ id: roundId }: DirectoryRound, kind?: DirectoryChange['kind']): Promise<DirectoryChange[]> =>
  (
    await admin.directories.changes({
      params: { id, roundId },
      query: { size: 200, ...(kind === undefined ? {} : { kind }) },
    })
  ).records;
const rowOf = async (name: string) => server.db.tenant(north, (tx) => tx.findOne(account, eq(account.account, name)));
async function change(values: Partial<DirectorySettings>): Promise<void> {
  const version = (await admin.directories.list()).find((one) => one.id === id)?.version ?? 0;
  await admin.directories.update({ params: { id }, body: { ...settingsFor(slapd, values), version } });
}

describe.skipIf(SLAPD_SKIPPED)(`a synchronisation${SLAPD_SKIPPED}`, () => {
  test('lists in a dry run what it would change, and changes nothing', async () => {
    const round = await sync({ dryRun: true });
    expect(round).toMatchObject({ state: 'done', dryRun: true, people: 14, problem: null });
    expect(round.counts).toEqual({ created: 11, changed: 0, disabled: 0, restored: 0, collision: 2, failed: 1 });
    expect(await rowOf('dora')).toBeUndefined();
    expect((await changesOf(round, 'created')).map((one) => one.account).toSorted()).toEqual([...NAMES, 'nora']);
    const collisions = await changesOf(round, 'collision');
    expect(collisions.map(({ account: name, reason }) => [name, reason])).toEqual([
      ['alice', 'accountTaken'],
      ['bert', 'mailTaken'],
    ]);
    expect(await changesOf(round, 'failed')).toMatchObject([{ account: 'x', reason: 'accountWrong' }]);
  });

  test('creates accounts, with the departments of the attribute or of the tree', async () => {
    expect((await sync()).counts).toMatchObject({ created: 11, changed: 0 });
    expect(await rowOf('dora')).toMatchObject({ name: 'Dr. dora', department: 'Surgery', managedBy: 'directory' });
    expect((await sync()).counts).toMatchObject({ created: 0, changed: 0, disabled: 0 });
    await change({ departmentFrom: 'tree' });
    const round = await sync();
    expect(await changesOf(round, 'changed')).toMatchObject([
      { account: 'nora', fields: { department: ['', 'Surgery/General, 2nd floor'] } },
    ]);
    const tree = await admin.users.departments({ query: {} });
    expect(tree).toEqual(expect.arrayContaining([{ path: 'Surgery/General, 2nd floor', users: 1 }]));
    expect((await enter(server, 'nora', 'nora-Password-1')).user.name).toBe('nora');
  });

  test('follows people who are renamed and moved', async () => {
    const before = await rowOf('hugo');
    slapd.change(
      `dn: ${slapdPerson('hugo', 'Surgery')}\nchangetype: modify\nreplace: cn\ncn: Hugo Huber\n-\nreplace: mail\n` +
        `mail: hugo@example.org\n\ndn: ${slapdPerson('hugo', 'Surgery')}\nchangetype: modrdn\nnewrdn: uid=huber\n` +
        `deleteoldrdn: 1\nnewsuperior: ${PEOPLE_BASE}\n`,
    );
    const [found] = await changesOf(await sync(), 'changed');
    expect(found?.fields).toEqual({
      account: ['hugo', 'huber'],
      name: ['Dr. hugo', 'Hugo Huber'],
      email: ['', 'hugo@example.org'],
      department: ['Surgery', ''],
    });
    expect(await rowOf('huber')).toMatchObject({ id: before?.id, name: 'Hugo Huber' });
    await enter(server, 'huber', 'hugo-Password-1');
  });

  test('gives people of groups their roles, groups in groups included, and takes them back', async () => {
    const roleId = await fresh.role(server);
    await change({ groups: [{ dn: groupDn('doctors').toUpperCase(), roleId }], nested: true, departmentFrom: 'tree' });
    const holders = async (): Promise<string[]> =>
      (await admin.users.list({ query: { roleId } })).records.map((one) => one.account).toSorted();
    await sync();
    expect(await holders()).toEqual(['dora', 'emil']);
    const emil = await rowOf('emil');
    const { roleIds } = await admin.users.grants({ params: { id: emil?.id ?? '' }, query: {} });
    // The role that everybody has stays.
    expect(roleIds).toHaveLength(2);
    await change({ groups: [{ dn: groupDn('doctors'), roleId }], nested: false, departmentFrom: 'tree' });
    await sync();
    expect(await holders()).toEqual(['dora']);
    await change({ departmentFrom: 'tree' });
  });

  test('disables people who are gone or locked, ends their sessions, and restores them', async () => {
    const { token } = await enter(server, 'dora', 'dora-Password-1');
    slapd.change(
      `dn: ${slapdPerson('dora', 'Surgery')}\nchangetype: delete\n\n` +
        `dn: ${slapdPerson('emil', 'Surgery')}\nchangetype: modify\nadd: pwdAccountLockedTime\n` +
        'pwdAccountLockedTime: 000001010000Z\n',
    );
    const round = await sync();
    expect((await changesOf(round, 'disabled')).map((one) => one.account).toSorted()).toEqual(['dora', 'emil']);
    expect(await codeOf(clientOf(server, token).users.current())).toBe('UNAUTHORIZED');
    expect(await entering(server, 'dora', 'dora-Password-1')).toBe('BAD_CREDENTIALS');
    expect(await rowOf('emil')).toMatchObject({ enabled: false });

    const fritz = await rowOf('fritz');
    await admin.users.status({ body: { id: fritz?.id ?? '', enabled: false } });
    slapd.change(`dn: ${slapdPerson('emil', 'Surgery')}\nchangetype: modify\ndelete: pwdAccountLockedTime\n`);
    expect((await sync()).counts).toMatchObject({ restored: 1, disabled: 0 });
    expect(await rowOf('emil')).toMatchObject({ enabled: true });
    // A person whom the administrator disabled stays disabled.
    expect(await rowOf('fritz')).toMatchObject({ enabled: false });
  });

  test('links accounts that are in the way when the administrator confirms it', async () => {
    const [alice] = await changesOf(await sync({ dryRun: true }), 'collision');
    expect(alice).toMatchObject({ account: 'alice', canLink: true });
    expect(await entering(server, 'alice', DEMO_PASSWORD)).toBe('OK');
    await admin.directories.link({ params: { id }, body: { changeIds: [alice?.id ?? ''] } });
    expect(await entering(server, 'alice', DEMO_PASSWORD)).toBe('BAD_CREDENTIALS');
    expect((await enter(server, 'alice', 'alice-Password-1')).user.id).toBe(server.people.get('alice')?.id);
    expect(await codeOf(admin.directories.link({ params: { id }, body: { changeIds: [alice?.id ?? ''] } }))).toBe(
      'DIRECTORY_LINK',
    );
    expect(await changesOf(await sync(), 'changed')).toMatchObject([{ account: 'alice' }]);
    const dave = await signIn(server, 'dave');
    expect(await codeOf(dave.directories.link({ params: { id }, body: { changeIds: [alice?.id ?? ''] } }))).toBe(
      'NOT_FOUND',
    );
  });

  test('does not link administrators', async () => {
    slapd.change(ldifPerson('admin').replace('objectClass', 'changetype: add\nobjectClass'));
    const collisions = await changesOf(await sync(), 'collision');
    const found = collisions.find((one) => one.account === 'admin');
    expect(found).toMatchObject({ canLink: false });
    expect(await codeOf(admin.directories.link({ params: { id }, body: { changeIds: [found?.id ?? ''] } }))).toBe(
      'DIRECTORY_LINK',
    );
  });

  test('stops before it disables too many, unless it is forced', async () => {
    const gone = ['gina', 'ines', 'jan', 'kai', 'lea', 'mia'];
    slapd.change(gone.map((uid) => `dn: ${slapdPerson(uid, 'Surgery')}\nchangetype: delete\n`).join('\n'));
    const stopped = await sync();
    expect(stopped).toMatchObject({ state: 'stopped', problem: 'TOO_MANY_DISABLED' });
    expect(await rowOf('gina')).toMatchObject({ enabled: true });
    // A dry run lists them all the same.
    expect((await sync({ dryRun: true })).counts.disabled).toBe(gone.length);
    expect((await sync({ force: true })).counts.disabled).toBe(gone.length);
    expect(await rowOf('gina')).toMatchObject({ enabled: false });
  });

  test('disables no account when no person is found, or the directory is away', async () => {
    await change({ filter: '(objectClass=printer)', departmentFrom: 'tree' });
    expect(await sync({ force: true })).toMatchObject({ state: 'failed', problem: 'NOBODY_FOUND' });
    await change({ departmentFrom: 'tree' });
    await slapd.away();
    expect(await sync()).toMatchObject({ state: 'failed', problem: 'UNREACHABLE' });
    await slapd.back();
    expect(await rowOf('nora')).toMatchObject({ enabled: true });
  });

  test('counts against the quota of the tenant', async () => {
    slapd.change(ldifPerson('zoe').replace('objectClass', 'changetype: add\nobjectClass'));
    await server.db.platform((tx) => tx.update(tenant, { maxUsers: 1 }, eq(tenant.tenantId, north)));
    expect(await changesOf(await sync(), 'failed')).toEqual(
      expect.arrayContaining([expect.objectContaining({ account: 'zoe', reason: 'quota' })]),
    );
    expect(await entering(server, 'zoe', 'zoe-Password-1')).toBe('QUOTA_USERS');
    await server.db.platform((tx) => tx.update(tenant, { maxUsers: null }, eq(tenant.tenantId, north)));
    expect((await sync()).counts.created).toBe(1);
  });

  test('runs when it is due, once at a time, and can be cancelled', async () => {
    await change({ departmentFrom: 'tree', everyMinutes: 60 });
    const rounds = async (): Promise<DirectoryRound[]> =>
      (await admin.directories.rounds({ params: { id }, query: {} })).records;
    const before = (await rounds()).length;
    await server.rounds.syncDirectories();
    expect(await rounds()).toHaveLength(before);
    server.clock.advance({ minutes: 61 });
    await server.rounds.syncDirectories();
    expect((await rounds())[0]).toMatchObject({ state: 'done', dryRun: false });
    expect(await rounds()).toHaveLength(before + 1);

    const waiting = await admin.directories.start({ params: { id }, body: { dryRun: true } });
    expect(await codeOf(admin.directories.start({ params: { id }, body: { dryRun: true } }))).toBe('DIRECTORY_BUSY');
    const cancelled = await admin.directories.cancel({ params: { id, roundId: waiting.id } });
    expect(cancelled.state).toBe('cancelled');
    await server.rounds.syncDirectories();
    expect((await rounds())[0]).toMatchObject({ id: waiting.id, state: 'cancelled', people: 0 });
  });

  test('is for administrators of the tenant', async () => {
    const bob = await signIn(server, 'bob');
    expect(await codeOf(bob.directories.list())).toBe('FORBIDDEN');
    const dave = await signIn(server, 'dave');
    expect(await dave.directories.list()).toEqual([]);
    expect(await codeOf(dave.directories.start({ params: { id }, body: { dryRun: true } }))).toBe('NOT_FOUND');
  });
});
