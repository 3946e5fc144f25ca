import { and, count, desc, eq, inArray } from 'drizzle-orm';
import {
  DIRECTORY_CHANGES,
  type contract,
  type Data,
  type Directory,
  type DirectoryChange,
  type DirectoryRound,
  type DirectorySettings,
  type Input,
} from '@rmeet/contract';
import { allOf } from '../../../platform/db/conditions.ts';
import { newId, type TenantTx } from '../../../platform/db/index.ts';
import { AppError, type AccountCaller, type Context, type Handlers } from '../../../platform/http/index.ts';
import type { Jobs } from '../../../platform/jobs/types.ts';
import { changed, recordAudit } from '../../audit/index.ts';
import { role } from '../roles/tables.ts';
import { findAccounts, NO_PASSWORD } from '../users/index.ts';
import { account } from '../users/tables.ts';
import { bindingOf } from './known.ts';
import { mayBeAt } from './ldap/address.ts';
import type { OpenDirectory } from './ldap/directory.ts';
import type { DirectoryPerson } from './ldap/person.ts';
import { DirectoryFailure, failureOf } from './ldap/problem.ts';
import { runSoon } from './rounds.ts';
import type { DirectoryDeps } from './sign-in.ts';
import {
  directory,
  directoryAccount,
  directoryChange,
  directoryRound,
  type DirectoryChangeRow,
  type DirectoryRoundRow,
  type DirectoryRow,
} from './tables.ts';

type Calls = typeof contract.directories;
type AccountContext = Context<AccountCaller>;
type Body = Input<Calls['create']>['body'];

interface ServiceDeps extends DirectoryDeps {
  jobs: Jobs;
}

const MINUTE = 60_000;
/** Ms for each answer of a directory that is tested. */
const TEST_WITHIN = 5_000;
const TEST_PEOPLE = 5;

const settingsOf = ({ password: _password, ...settings }: Body): DirectorySettings => settings;
const targetOf = ({ id, settings }: DirectoryRow) => ({ kind: 'directory', id, name: settings.name });

/** Directories decide who signs in, so a permission alone is not enough. @throws AppError FORBIDDEN */
function mustAdminister({ isTenantAdmin, kind }: AccountCaller & { isTenantAdmin?: boolean }): void {
  if (kind !== 'user' || !isTenantAdmin) throw new AppError('FORBIDDEN');
}

const presentPerson = ({ isLocked, uniqueId: _id, passwordStamp: _stamp, ...person }: DirectoryPerson) => ({
  ...person,
  enabled: !isLocked,
});

function presentRound(row: DirectoryRoundRow): DirectoryRound {
  return {
    id: row.id,
    directoryId: row.directoryId,
    dryRun: row.dryRun,
    state: row.state,
    startedAt: row.startedAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
    people: row.people,
    counts: Object.fromEntries(DIRECTORY_CHANGES.map((kind) => [kind, row[kind]])) as DirectoryRound['counts'],
    problem: row.problem,
    detail: row.detail,
  };
}

async function present(tx: TenantTx, rows: readonly DirectoryRow[]): Promise<Directory[]> {
  const links = tx.scoped(directoryAccount);
  const counts = await tx.select({ id: links.directoryId, n: count() }).from(links).groupBy(links.directoryId);
  const accounts = new Map(counts.map(({ id, n }) => [id, n]));
  const presented: Directory[] = [];
  for (const { id, settings, version } of rows) {
    const last = await tx.findOne(directoryRound, eq(directoryRound.directoryId, id), {
      orderBy: desc(directoryRound.startedAt),
    });
    presented.push({
      ...settings,
      id,
      version,
      accounts: accounts.get(id) ?? 0,
      lastRound: last ? presentRound(last) : null,
    });
  }
  return presented;
}

/** The account in the way of a person can be linked if it is of this server, no administrator and not deleted. */
const canLink = (
  row: { managedBy: string; isTenantAdmin: boolean; kind: string; deletedAt: Date | null } | undefined,
) => row?.managedBy === 'local' && row.kind === 'user' && !row.isTenantAdmin && row.deletedAt === null;

/** Loaded with the first directory. */
const ldap = () => import('./ldap/directory.ts');

/** The settings of directories, and trying them. */
// oxlint-disable-next-line max-lines-per-function -- short methods that share find() and check()
function createSettings({ db, secrets, hosts, now }: ServiceDeps) {
  async function find(tx: TenantTx, id: string): Promise<DirectoryRow> {
    const row = await tx.findOne(directory, eq(directory.id, id), { lock: 'no key update' });
    if (!row) throw new AppError('NOT_FOUND');
    return row;
  }

  /** @throws AppError DIRECTORY_ADDRESS, ROLE_UNKNOWN, FORBIDDEN, INVALID_INPUT */
  async function check(tx: TenantTx, { caller }: AccountContext, body: Body): Promise<void> {
    try {
      mayBeAt(body.address, body.startTls, hosts);
    } catch (error) {
      if (error instanceof DirectoryFailure) throw new AppError('DIRECTORY_ADDRESS');
      throw error;
    }
    const { filterOf } = await ldap();
    try {
      filterOf(body.filter);
    } catch (error) {
      throw new AppError('INVALID_INPUT', {}, { filter: failureOf(error).detail });
    }
    const roleIds = [...new Set(body.groups.map(({ roleId }) => roleId))];
    if (roleIds.length === 0) return;
    if (!caller.permissions.includes('users:grant')) throw new AppError('FORBIDDEN');
    const roles = await tx.find(role, allOf(inArray(role.id, roleIds), eq(role.kind, 'user')));
    if (roles.length < roleIds.length) throw new AppError('ROLE_UNKNOWN');
  }

  /** A stored password goes to the address that it was entered for, and nowhere else. */
  function passwordFor(row: DirectoryRow, { password, ...body }: Body): string | undefined {
    if (password !== undefined) return password;
    const { address, bindDn, startTls } = row.settings;
    const isSame = address === body.address && bindDn === body.bindDn && startTls === body.startTls;
    return isSame ? secrets.open(row.sealedPassword, bindingOf(row)) : undefined;
  }

  const valuesOf = (body: Body) => ({
    enabled: body.enabled,
    makesAccounts: body.makesAccounts,
    settings: settingsOf(body),
    nextRoundAt: body.everyMinutes === 0 ? null : new Date(now().getTime() + body.everyMinutes * MINUTE),
  });
  const one = async (tx: TenantTx, row: DirectoryRow): Promise<Directory> => {
    const [presented] = await present(tx, [row]);
    if (!presented) throw new AppError('NOT_FOUND');
    return presented;
  };

  return {
    find,

    list: ({ caller }: AccountContext): Promise<Directory[]> =>
      db.tenant(caller.tenantId, async (tx) =>
        present(tx, await tx.find(directory, undefined, { orderBy: directory.createdAt })),
      ),

    create: (context: AccountContext, body: Body): Promise<Directory> =>
      db.tenant(context.caller.tenantId, async (tx) => {
        await check(tx, context, body);
        if (body.password === undefined) throw new AppError('INVALID_INPUT', {}, { password: 'required' });
        const { tenantId } = context.caller;
        const id = newId();
        const sealedPassword = secrets.seal(body.password, bindingOf({ id, tenantId }));
        const [row] = await tx.insert(directory, { id, ...valuesOf(body), sealedPassword, createdAt: now() });
        if (!row) throw new AppError('SERVICE_BUSY');
        await recordAudit(tx, context, now(), { target: targetOf(row), after: { ...row.settings } });
        return one(tx, row);
      }),

    update: (context: AccountContext, id: string, body: Body & { version: number }): Promise<Directory> =>
      db.tenant(context.caller.tenantId, async (tx) => {
        const before = await find(tx, id);
        const { version, ...values } = body;
        if (before.version !== version) throw new AppError('CHANGED_MEANWHILE');
        await check(tx, context, values);
        const password = passwordFor(before, values);
        if (password === undefined) throw new AppError('INVALID_INPUT', {}, { password: 'required' });
        const sealedPassword = secrets.seal(password, bindingOf(before));
        const [row] = await tx.update(
          directory,
          { ...valuesOf(values), sealedPassword, version: version + 1 },
          eq(directory.id, id),
        );
        if (!row) throw new AppError('NOT_FOUND');
        const fields = Object.keys(row.settings) as (keyof DirectorySettings)[];
        await recordAudit(tx, context, now(), {
          target: targetOf(row),
          ...changed(before.settings, row.settings, fields),
        });
        return one(tx, row);
      }),

    /** The accounts stay, without a password. */
    remove: (context: AccountContext, id: string): Promise<null> =>
      db.tenant(context.caller.tenantId, async (tx) => {
        const row = await find(tx, id);
        const links = tx.select({ id: tx.scoped(directoryAccount).accountId }).from(tx.scoped(directoryAccount));
        const ofDirectory = links.where(eq(tx.scoped(directoryAccount).directoryId, id));
        await tx.update(account, { managedBy: 'local' }, inArray(account.id, ofDirectory));
        await tx.delete(directory, eq(directory.id, id));
        await recordAudit(tx, context, now(), { target: targetOf(row), before: { ...row.settings } });
        return null;
      }),

    /** @throws AppError INVALID_INPUT without a password */
    async test(
      { caller }: AccountContext,
      { id, ...body }: Input<Calls['test']>['body'],
    ): Promise<Data<Calls['test']>> {
      const password = await db.tenant(caller.tenantId, async (tx) =>
        id === undefined ? body.password : passwordFor(await find(tx, id), body),
      );
      if (password === undefined) throw new AppError('INVALID_INPUT', {}, { password: 'required' });
      const empty = { people: [], unknownGroups: [] };
      let open: OpenDirectory | undefined;
      try {
        const { openDirectory } = await ldap();
        open = await openDirectory({ ...settingsOf(body), password }, hosts, TEST_WITHIN);
        const people = (await open.firstPeople(TEST_PEOPLE)).slice(0, TEST_PEOPLE);
        const unknownGroups: string[] = [];
        for (const { dn } of body.groups) if (!(await open.read(dn, ['1.1']))) unknownGroups.push(dn);
        return {
          problem: people.length === 0 ? 'NOBODY_FOUND' : null,
          detail: '',
          people: people.map(presentPerson),
          unknownGroups,
        };
      } catch (error) {
        const { problem, detail } = failureOf(error);
        return { ...empty, problem, detail };
      } finally {
        await open?.close();
      }
    },
  };
}

type Settings = ReturnType<typeof createSettings>;

/** Rounds that administrators start, watch and cancel. */
// oxlint-disable-next-line max-lines-per-function -- short methods that share findRound()
function createRoundCalls({ db, jobs, log, now }: ServiceDeps, { find }: Settings) {
  async function findRound(tx: TenantTx, { id, roundId }: { id: string; roundId: string }): Promise<DirectoryRoundRow> {
    const row = await tx.findOne(
      directoryRound,
      allOf(eq(directoryRound.id, roundId), eq(directoryRound.directoryId, id)),
    );
    if (!row) throw new AppError('NOT_FOUND');
    return row;
  }

  const presentChange = (
    row: DirectoryChangeRow,
    others: Map<string, Parameters<typeof canLink>[0]>,
  ): DirectoryChange => ({
    id: row.id,
    kind: row.kind,
    account: row.account,
    name: row.name,
    dn: row.dn,
    reason: row.reason,
    fields: row.fields,
    canLink: row.kind === 'collision' && canLink(others.get(row.otherAccountId ?? '')),
  });

  return {
    findRound,

    start: (context: AccountContext, id: string, body: { dryRun: boolean; force: boolean }): Promise<DirectoryRound> =>
      db.tenant(context.caller.tenantId, async (tx) => {
        const row = await find(tx, id);
        const at = now();
        const [round] = await tx.insert(
          directoryRound,
          { id: newId(), directoryId: id, ...body, state: 'waiting', startedAt: at, beatAt: at },
          'nothing',
        );
        if (!round) throw new AppError('DIRECTORY_BUSY');
        await recordAudit(tx, context, at, { target: targetOf(row), after: { ...body } });
        runSoon({ jobs, log }, tx);
        return presentRound(round);
      }),

    rounds: (
      { caller }: AccountContext,
      id: string,
      { current, size }: { current: number; size: number },
    ): Promise<Data<Calls['rounds']>> =>
      db.tenant(caller.tenantId, async (tx) => {
        await find(tx, id);
        const where = eq(directoryRound.directoryId, id);
        const rows = await tx.find(directoryRound, where, {
          orderBy: [desc(directoryRound.startedAt), desc(directoryRound.id)],
          limit: size,
          offset: (current - 1) * size,
        });
        return { records: rows.map(presentRound), total: await tx.count(directoryRound, where), current, size };
      }),

    cancel: (context: AccountContext, named: { id: string; roundId: string }): Promise<DirectoryRound> =>
      db.tenant(context.caller.tenantId, async (tx) => {
        const row = await findRound(tx, named);
        const directoryRow = await find(tx, named.id);
        // One that waits ends at once, a running one after its page.
        const end = row.state === 'waiting' ? { state: 'cancelled' as const, endedAt: now() } : {};
        const [after] =
          row.endedAt === null
            ? await tx.update(directoryRound, { isCancelled: true, ...end }, eq(directoryRound.id, row.id))
            : [row];
        await recordAudit(tx, context, now(), { target: targetOf(directoryRow), after: { cancelled: true } });
        return presentRound(after ?? row);
      }),

    changes: (
      { caller }: AccountContext,
      named: { id: string; roundId: string },
      { current, size, kind }: Input<Calls['changes']>['query'],
    ): Promise<Data<Calls['changes']>> =>
      db.tenant(caller.tenantId, async (tx) => {
        const { id } = await findRound(tx, named);
        const ofRound = eq(directoryChange.roundId, id);
        const where = kind === undefined ? ofRound : and(ofRound, eq(directoryChange.kind, kind));
        const rows = await tx.find(directoryChange, where, {
          orderBy: directoryChange.id,
          limit: size,
          offset: (current - 1) * size,
        });
        const others = await findAccounts(
          tx,
          rows.flatMap((row) => row.otherAccountId ?? []),
        );
        const byId = new Map(others.map((row) => [row.id, row]));
        const total = await tx.count(directoryChange, where);
        return { records: rows.map((row) => presentChange(row, byId)), total, current, size };
      }),
  };
}

/** Links accounts with the people of collisions. */
function createLinks({ db, now }: ServiceDeps, { find }: Settings) {
  return {
    /** All or none. @throws AppError DIRECTORY_LINK */
    link: (context: AccountContext, id: string, changeIds: readonly string[]): Promise<{ linked: number }> =>
      db.tenant(context.caller.tenantId, async (tx) => {
        const row = await find(tx, id);
        const ids = [...new Set(changeIds)];
        const changes = await tx.find(
          directoryChange,
          allOf(inArray(directoryChange.id, ids), eq(directoryChange.kind, 'collision')),
        );
        const rounds = await tx.find(
          directoryRound,
          allOf(
            eq(directoryRound.directoryId, id),
            inArray(directoryRound.id, ['00000000-0000-0000-0000-000000000000', ...changes.map((one) => one.roundId)]),
          ),
        );
        const ofDirectory = new Set(rounds.map((round) => round.id));
        if (changes.length < ids.length || !changes.every(({ roundId }) => ofDirectory.has(roundId)))
          throw new AppError('NOT_FOUND');
        for (const change of changes) {
          const [other] = await findAccounts(tx, change.otherAccountId === null ? [] : [change.otherAccountId]);
          if (!other || !canLink(other)) throw new AppError('DIRECTORY_LINK');
          const values = { accountId: other.id, directoryId: id, uniqueId: change.uniqueId, dn: change.dn };
          const [linked] = await tx.insert(directoryAccount, values, 'nothing');
          if (!linked) throw new AppError('DIRECTORY_LINK');
          await tx.update(account, { managedBy: 'directory', passwordHash: NO_PASSWORD }, eq(account.id, other.id));
          await recordAudit(tx, context, now(), {
            target: { kind: 'account', id: other.id, name: other.name },
            before: { managedBy: 'local' },
            after: { managedBy: row.settings.name, dn: change.dn },
          });
        }
        return { linked: changes.length };
      }),
  };
}

/** What tenant administrators do with directories. */
export function createDirectoryRoutes(deps: ServiceDeps): Handlers<Calls> {
  const settings = createSettings(deps);
  const rounds = createRoundCalls(deps, settings);
  const { link } = createLinks(deps, settings);
  return {
    list: (context) => {
      mustAdminister(context.caller);
      return settings.list(context);
    },
    create: (context, { body }) => {
      mustAdminister(context.caller);
      return settings.create(context, body);
    },
    update: (context, { params, body }) => {
      mustAdminister(context.caller);
      return settings.update(context, params.id, body);
    },
    remove: (context, { params }) => {
      mustAdminister(context.caller);
      return settings.remove(context, params.id);
    },
    test: (context, { body }) => {
      mustAdminister(context.caller);
      return settings.test(context, body);
    },
    start: (context, { params, body }) => {
      mustAdminister(context.caller);
      return rounds.start(context, params.id, body);
    },
    rounds: (context, { params, query }) => {
      mustAdminister(context.caller);
      return rounds.rounds(context, params.id, query);
    },
    cancel: (context, { params }) => {
      mustAdminister(context.caller);
      return rounds.cancel(context, params);
    },
    changes: (context, { params, query }) => {
      mustAdminister(context.caller);
      return rounds.changes(context, params, query);
    },
    link: (context, { params, body }) => {
      mustAdminister(context.caller);
      return link(context, params.id, body.changeIds);
    },
  };
}
