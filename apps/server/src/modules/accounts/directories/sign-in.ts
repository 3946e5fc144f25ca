import { eq } from 'drizzle-orm';
import { allOf } from '../../../platform/db/conditions.ts';
import type { Db, PlatformTx } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/http/index.ts';
import type { Log } from '../../../platform/log/log.ts';
import type { SecretBox } from '../../../platform/secrets/index.ts';
import { recordAudit, systemOrigin } from '../../audit/index.ts';
import { findTenantBy } from '../tenants/index.ts';
import { tenant } from '../tenants/tables.ts';
import type { AccountRow } from '../users/tables.ts';
import { collisionOf, createAccounts, roomFor, takenBy } from './accounts.ts';
import { knownDirectory } from './known.ts';
import type { OpenDirectory } from './ldap/directory.ts';
import type { PasswordVerdict } from './ldap/passwords.ts';
import { canBeAccount, type DirectoryPerson } from './ldap/person.ts';
import { DirectoryFailure } from './ldap/problem.ts';
import { directory, directoryAccount, type DirectoryRow } from './tables.ts';

export interface DirectoryDeps {
  db: Db;
  secrets: SecretBox;
  log: Log;
  now: () => Date;
  /** Hosts inside the network that may be directories (RMEET_DIRECTORY_HOSTS). */
  hosts: readonly string[];
}

/** Ms for each answer of a directory while a person waits. */
const ANSWER_WITHIN = 4_000;

const REFUSALS = {
  disabled: 'ACCOUNT_DISABLED',
  locked: 'DIRECTORY_LOCKED',
  refused: 'DIRECTORY_REFUSED',
} as const;

/** The error of a verdict other than right, wrong and due. */
function mayEnter(verdict: PasswordVerdict): void {
  if (verdict === 'disabled' || verdict === 'locked' || verdict === 'refused') throw new AppError(REFUSALS[verdict]);
}

/** Runs work at a directory, and closes the connection. @throws AppError DIRECTORY_UNREACHABLE */
function createVisits({ secrets, log, hosts }: DirectoryDeps) {
  return async <T>(row: DirectoryRow, work: (open: OpenDirectory) => Promise<T>): Promise<T> => {
    let open: OpenDirectory | undefined;
    try {
      // Loaded with the first sign-in.
      const { openDirectory } = await import('./ldap/directory.ts');
      open = await openDirectory(knownDirectory(secrets, row), hosts, ANSWER_WITHIN);
      return await work(open);
    } catch (error) {
      if (!(error instanceof DirectoryFailure)) throw error;
      const { problem, detail } = error;
      log.warn({ directoryId: row.id, tenantId: row.tenantId, problem, detail }, 'A directory cannot be used');
      throw new AppError('DIRECTORY_UNREACHABLE');
    } finally {
      await open?.close();
    }
  };
}

type Visit = ReturnType<typeof createVisits>;

/** The account of a person who signs in for the first time. @throws AppError QUOTA_USERS, DIRECTORY_REFUSED */
async function firstAccount(
  { db, now }: DirectoryDeps,
  row: DirectoryRow,
  person: DirectoryPerson,
): Promise<AccountRow> {
  return db.tenant(row.tenantId, async (tx) => {
    if ((await roomFor(tx)) < 1) throw new AppError('QUOTA_USERS', { limit: '' });
    const isTaken = collisionOf(person, await takenBy(tx, [person])) !== undefined;
    const created = isTaken ? new Map() : await createAccounts(tx, row.id, [person], { roundId: null, now: now() });
    const account = created.get(person.uniqueId) as AccountRow | undefined;
    // The next round lists what is in the way.
    if (!account) throw new AppError('DIRECTORY_REFUSED');
    await recordAudit(tx, systemOrigin('directories.signIn'), now(), {
      target: { kind: 'account', id: account.id, name: account.name },
      after: { account: account.account, directory: row.settings.name },
    });
    // Roles of groups come with a round.
    if (row.settings.groups.length > 0) await tx.update(directory, { nextRoundAt: now() }, eq(directory.id, row.id));
    return account;
  });
}

/** The tenant whose directories are asked; undefined if none may be. */
async function tenantAsked(tx: PlatformTx, named: string | undefined): Promise<string | undefined> {
  if (named !== undefined) return (await findTenantBy(tx, named))?.tenantId;
  const tenants = await tx.find(tenant, eq(tenant.kind, 'customer'), { limit: 2 });
  if (tenants.length === 1) return tenants[0]?.tenantId;
  // A password must not reach the directory of another organisation that has an account of the same name.
  if ((await tx.count(directory, eq(directory.enabled, true), 1)) > 0) throw new AppError('TENANT_NEEDED');
  return undefined;
}

/** Checks the password of a person, and keeps what the directory says about them. */
async function provePerson(
  { db, now }: DirectoryDeps,
  open: OpenDirectory,
  account: AccountRow,
  { uniqueId, password }: { uniqueId: string; password: string },
): Promise<{ account: AccountRow; isDue: boolean } | undefined> {
  const person = await open.findByUniqueId(uniqueId);
  if (!person) return undefined;
  const verdict = await open.checkPassword(person.dn, password);
  if (verdict === 'wrong') return undefined;
  mayEnter(verdict);
  if (person.isLocked) throw new AppError('ACCOUNT_DISABLED');
  await db.tenant(account.tenantId, (tx) =>
    tx.update(directoryAccount, { dn: person.dn, lastSeenAt: now() }, eq(directoryAccount.accountId, account.id)),
  );
  return { account, isDue: verdict === 'due' };
}

/** Passwords that directories keep. */
// oxlint-disable-next-line max-lines-per-function -- three short methods that share the visits
export function createDirectoryPasswords(deps: DirectoryDeps) {
  const { db } = deps;
  const visit: Visit = createVisits(deps);

  /** The directory of an account. @throws AppError PASSWORD_IN_DIRECTORY if it is switched off */
  const directoryOf = (account: Pick<AccountRow, 'id' | 'tenantId'>) =>
    db.tenant(account.tenantId, async (tx) => {
      const link = await tx.findOne(directoryAccount, eq(directoryAccount.accountId, account.id));
      const row = link && (await tx.findOne(directory, eq(directory.id, link.directoryId)));
      return row?.enabled && link ? { row, link } : undefined;
    });

  /** A person without an account, in the directories of the tenant that create accounts. */
  async function proveNewcomer(tenantId: string, name: string, password: string) {
    if (!canBeAccount(name)) return undefined;
    const rows = await db.tenant(tenantId, (tx) =>
      tx.find(directory, allOf(eq(directory.enabled, true), eq(directory.makesAccounts, true)), {
        orderBy: directory.createdAt,
      }),
    );
    for (const row of rows) {
      const found = await visit(row, async (open) => {
        const person = await open.findByAccount(name);
        const verdict = person && (await open.checkPassword(person.dn, password));
        return person && verdict && verdict !== 'wrong' ? { person, verdict } : undefined;
      });
      if (!found) continue;
      mayEnter(found.verdict);
      if (found.person.isLocked) throw new AppError('ACCOUNT_DISABLED');
      return { account: await firstAccount(deps, row, found.person), isDue: found.verdict === 'due' };
    }
    return undefined;
  }

  return {
    async prove(
      { account: name, tenant: named }: { account: string; tenant?: string | undefined },
      accounts: readonly AccountRow[],
      password: string,
    ): Promise<{ account: AccountRow; isDue: boolean } | undefined> {
      // An empty password would be an anonymous bind (RFC 4513, section 5.1.2).
      if (password === '') return undefined;
      const tenantId = await db.platform((tx) => tenantAsked(tx, named));
      if (tenantId === undefined) return undefined;
      const account = accounts.find((row) => row.tenantId === tenantId);
      if (!account) return proveNewcomer(tenantId, name, password);
      const known = account.managedBy === 'directory' ? await directoryOf(account) : undefined;
      if (!known) return undefined;
      const { uniqueId } = known.link;
      return visit(known.row, (open) => provePerson(deps, open, account, { uniqueId, password }));
    },

    async changePassword(account: Pick<AccountRow, 'id' | 'tenantId'>, from: string, to: string): Promise<void> {
      const known = await directoryOf(account);
      if (!known?.row.settings.changesPasswords) throw new AppError('PASSWORD_IN_DIRECTORY');
      if (from === '' || to === '') throw new AppError('PASSWORD_WRONG');
      const { row, link } = known;
      const answer = await visit(row, (open) => change(open, row, { uniqueId: link.uniqueId, from, to }));
      if (answer === 'wrong') throw new AppError('PASSWORD_WRONG');
      if (answer === 'refused') throw new AppError('DIRECTORY_PASSWORD_REFUSED');
      // The next round must not take the new password for one that was changed elsewhere.
      await db.tenant(account.tenantId, (tx) =>
        tx.update(directoryAccount, { passwordStamp: null }, eq(directoryAccount.accountId, account.id)),
      );
    },
  };
}

/** Active Directory checks the old password itself, and signs in no one whose password is due. */
async function change(
  open: OpenDirectory,
  { settings }: DirectoryRow,
  { uniqueId, from, to }: { uniqueId: string; from: string; to: string },
): Promise<'changed' | 'refused' | 'wrong'> {
  const person = await open.findByUniqueId(uniqueId);
  if (!person) return 'wrong';
  if (settings.kind === 'ldap') {
    const verdict = await open.checkPassword(person.dn, from);
    if (verdict === 'wrong') return 'wrong';
    mayEnter(verdict);
  }
  return open.changePassword({ dn: person.dn, from, to });
}
