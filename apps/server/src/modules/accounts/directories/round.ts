import { and, asc, count, eq, gt, inArray, isNull, sql } from 'drizzle-orm';
import { allOf } from '../../../platform/db/conditions.ts';
import type { TenantTx } from '../../../platform/db/index.ts';
import { recordAudit, systemOrigin } from '../../audit/index.ts';
import { findAccounts, hasOtherAdmin, setAccountsEnabled, type AccountSessions } from '../users/index.ts';
import { account } from '../users/tables.ts';
import { knownDirectory } from './known.ts';
import { DirectoryFailure, failureOf } from './ldap/problem.ts';
import { changeOf, listChanges, takeOver, type Counts } from './page.ts';
import type { DirectoryDeps } from './sign-in.ts';
import { directory, directoryAccount, directoryRound, type DirectoryRoundRow, type DirectoryRow } from './tables.ts';

export interface RoundDeps extends DirectoryDeps {
  sessions: AccountSessions;
}

/** Ms for each page of a directory. */
const PAGE_WITHIN = 60_000;
const BATCH = 500;
/** So few people may always be disabled: in a small organisation one of them is a large share. */
const ALWAYS = 5;

/** The round was cancelled. */
class Cancelled extends Error {}

/** Adds to the counts of a round; shows that it is alive. @throws Cancelled */
async function beat(
  tx: TenantTx,
  { id }: DirectoryRoundRow,
  { people, counts }: { people: number; counts: Counts },
  now: Date,
): Promise<boolean> {
  const [row] = await tx.update(
    directoryRound,
    {
      beatAt: now,
      people: sql`${directoryRound.people} + ${people}`,
      created: sql`${directoryRound.created} + ${counts.created}`,
      changed: sql`${directoryRound.changed} + ${counts.changed}`,
      disabled: sql`${directoryRound.disabled} + ${counts.disabled}`,
      restored: sql`${directoryRound.restored} + ${counts.restored}`,
      collision: sql`${directoryRound.collision} + ${counts.collision}`,
      failed: sql`${directoryRound.failed} + ${counts.failed}`,
    },
    allOf(eq(directoryRound.id, id), isNull(directoryRound.endedAt)),
  );
  return row !== undefined && !row.isCancelled;
}

/** Accounts of the directory that are enabled here, joined with what the round saw. */
function enabledPeople(tx: TenantTx) {
  const [links, accounts] = [tx.scoped(directoryAccount), tx.scoped(account)];
  return { links, accounts, joined: eq(accounts.id, links.accountId) };
}

async function countEnabled(tx: TenantTx, round: DirectoryRoundRow, which: 'all' | 'gone'): Promise<number> {
  const { links, accounts, joined } = enabledPeople(tx);
  const gone = sql`(${links.seenIn} is distinct from ${round.id} or ${links.isLockedThere})`;
  const [row] = await tx
    .select({ n: count() })
    .from(links)
    .innerJoin(accounts, joined)
    .where(
      and(
        eq(links.directoryId, round.directoryId),
        eq(accounts.enabled, true),
        isNull(accounts.deletedAt),
        which === 'gone' ? gone : undefined,
      ),
    );
  return row?.n ?? 0;
}

/** The next people whom the directory has no more, or has locked. */
async function nextGone(tx: TenantTx, round: DirectoryRoundRow, after: string): Promise<{ id: string; dn: string }[]> {
  const { links, accounts, joined } = enabledPeople(tx);
  return tx
    .select({ id: links.accountId, dn: links.dn })
    .from(links)
    .innerJoin(accounts, joined)
    .where(
      and(
        eq(links.directoryId, round.directoryId),
        gt(links.accountId, after),
        sql`(${links.seenIn} is distinct from ${round.id} or ${links.isLockedThere})`,
        eq(accounts.enabled, true),
        isNull(accounts.deletedAt),
      ),
    )
    .orderBy(asc(links.accountId))
    .limit(BATCH);
}

/** One round. */
// oxlint-disable-next-line max-lines-per-function -- the steps of a round, which share the round and the directory
export function createRoundWork({ db, secrets, hosts, now, sessions }: RoundDeps) {
  /** Disables a batch of people; the last administrator of the tenant stays. */
  async function disable(tx: TenantTx, round: DirectoryRoundRow, gone: readonly { id: string; dn: string }[]) {
    const rows = await findAccounts(
      tx,
      gone.map(({ id }) => id),
    );
    const admins = rows.filter((row) => row.isTenantAdmin).map((row) => row.id);
    const keeps = admins.length > 0 && !(await hasOtherAdmin(tx, admins)) ? admins.slice(0, 1) : [];
    const leaving = rows.filter((row) => !keeps.includes(row.id));
    const dnOf = new Map(gone.map(({ id, dn }) => [id, dn]));
    if (!round.dryRun && leaving.length > 0) {
      const ids = leaving.map((row) => row.id);
      await setAccountsEnabled(tx, ids, false, sessions);
      await tx.update(directoryAccount, { disabledByRound: true }, inArray(directoryAccount.accountId, ids));
    }
    return listChanges(
      tx,
      round.id,
      leaving.map((row) => changeOf('disabled', { account: row.account, name: row.name, dn: dnOf.get(row.id) ?? '' })),
    );
  }

  /** @throws DirectoryFailure TOO_MANY_DISABLED, Cancelled */
  async function disableGone(round: DirectoryRoundRow, { disableLimit }: DirectoryRow['settings']): Promise<void> {
    const { gone, all } = await db.tenant(round.tenantId, async (tx) => ({
      gone: await countEnabled(tx, round, 'gone'),
      all: await countEnabled(tx, round, 'all'),
    }));
    const isTooMany = gone > ALWAYS && gone * 100 > all * disableLimit;
    if (isTooMany && !round.force && !round.dryRun) throw new DirectoryFailure('TOO_MANY_DISABLED', `${gone} / ${all}`);
    let after = '00000000-0000-0000-0000-000000000000';
    for (;;) {
      const { batch, goesOn } = await db.tenant(round.tenantId, async (tx) => {
        const next = await nextGone(tx, round, after);
        const counts = await disable(tx, round, next);
        return { batch: next, goesOn: await beat(tx, round, { people: 0, counts }, now()) };
      });
      if (!goesOn) throw new Cancelled();
      if (batch.length < BATCH) return;
      after = batch.at(-1)?.id ?? after;
    }
  }

  async function readAll(round: DirectoryRoundRow, row: DirectoryRow): Promise<number> {
    // Loaded with the first round.
    const [{ openDirectory }, { readGroups }] = await Promise.all([
      import('./ldap/directory.ts'),
      import('./groups.ts'),
    ]);
    const open = await openDirectory(knownDirectory(secrets, row), hosts, PAGE_WITHIN);
    try {
      const rolesOf = await readGroups(open, row.settings);
      const given = [...new Set(row.settings.groups.map(({ roleId }) => roleId))];
      let people = 0;
      for await (const page of open.pages()) {
        people += page.length;
        const goesOn = await db.tenant(round.tenantId, async (tx) => {
          const setting = { round, sessions, rolesOf, given, now: now() };
          const counts = page.length === 0 ? undefined : await takeOver(tx, setting, page);
          return counts === undefined || beat(tx, round, { people: page.length, counts }, now());
        });
        if (!goesOn) throw new Cancelled();
      }
      return people;
    } finally {
      await open.close();
    }
  }

  /** How the round ended. */
  async function outcome(round: DirectoryRoundRow, row: DirectoryRow): Promise<Partial<DirectoryRoundRow>> {
    try {
      // An empty answer disables nobody: it is a wrong filter or base more often than an empty organisation.
      if ((await readAll(round, row)) === 0) throw new DirectoryFailure('NOBODY_FOUND');
      await disableGone(round, row.settings);
      return { state: 'done' };
    } catch (error) {
      if (error instanceof Cancelled) return { state: 'cancelled' };
      const { problem, detail } = failureOf(error);
      return { state: problem === 'TOO_MANY_DISABLED' ? 'stopped' : 'failed', problem, detail };
    }
  }

  return async (round: DirectoryRoundRow): Promise<void> => {
    const row = await db.tenant(round.tenantId, (tx) => tx.findOne(directory, eq(directory.id, round.directoryId)));
    if (!row) return;
    const end = await outcome(round, row);
    await db.tenant(round.tenantId, async (tx) => {
      const [ended] = await tx.update(
        directoryRound,
        { ...end, endedAt: now() },
        allOf(eq(directoryRound.id, round.id), isNull(directoryRound.endedAt)),
      );
      if (!ended || round.dryRun) return;
      const { state, people, created, changed, disabled, restored } = ended;
      await recordAudit(tx, systemOrigin('directories.start'), now(), {
        target: { kind: 'directory', id: row.id, name: row.settings.name },
        after: { state, people, created, changed, disabled, restored },
      });
    });
  };
}
