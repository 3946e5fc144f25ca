import { eq, inArray } from 'drizzle-orm';
import type { DirectoryChangeKind } from '@rmeet/contract';
import { allOf } from '../../../platform/db/conditions.ts';
import { newId, type TenantTx } from '../../../platform/db/index.ts';
import { changeDetails, findAccounts, type AccountSessions } from '../users/index.ts';
import { account, type AccountRow } from '../users/tables.ts';
import { collisionOf, createAccounts, roomFor, setGroupRoles, takenBy, type Taken } from './accounts.ts';
import type { RolesOf } from './groups.ts';
import { canBeAccount, type DirectoryPerson } from './ldap/person.ts';
import {
  directoryAccount,
  directoryChange,
  type DirectoryAccountRow,
  type DirectoryChangeRow,
  type DirectoryRoundRow,
} from './tables.ts';

/** How many people a round created, changed and so on. */
export type Counts = Record<DirectoryChangeKind, number>;
const noCounts = (): Counts => ({ created: 0, changed: 0, disabled: 0, restored: 0, collision: 0, failed: 0 });

type Change = Omit<DirectoryChangeRow, 'roundId' | 'id' | 'tenantId'>;
const DETAILS = ['account', 'name', 'email', 'phone', 'department'] as const;

interface PageSetting {
  round: DirectoryRoundRow;
  sessions: AccountSessions;
  rolesOf: RolesOf;
  /** Roles that groups give. */
  given: readonly string[];
  now: Date;
}

export const changeOf = (
  kind: DirectoryChangeKind,
  { account: name, name: display, dn }: { account: string; name: string; dn: string },
  more: Partial<Change> = {},
): Change => ({
  kind,
  account: name,
  name: display,
  dn,
  reason: null,
  fields: {},
  uniqueId: '',
  otherAccountId: null,
  ...more,
});

/** Lists changes with their round, and counts them. */
export async function listChanges(tx: TenantTx, roundId: string, changes: readonly Change[]): Promise<Counts> {
  await tx.insert(
    directoryChange,
    changes.map((one) => ({ roundId, id: newId(), ...one })),
  );
  const counts = noCounts();
  for (const { kind } of changes) counts[kind] += 1;
  return counts;
}

/** Sorts the people of a page into those who can have accounts, and the reasons of the others. */
function sortNewcomers(
  people: readonly DirectoryPerson[],
  taken: Taken,
  room: number,
): { welcome: DirectoryPerson[]; changes: Change[] } {
  const welcome: DirectoryPerson[] = [];
  const changes: Change[] = [];
  for (const person of people) {
    const collision = collisionOf(person, taken);
    if (!canBeAccount(person.account)) changes.push(changeOf('failed', person, { reason: 'accountWrong' }));
    else if (collision)
      changes.push(
        changeOf('collision', person, {
          reason: collision.reason,
          uniqueId: person.uniqueId,
          otherAccountId: collision.other.id,
        }),
      );
    else if (welcome.length >= room) changes.push(changeOf('failed', person, { reason: 'quota' }));
    else welcome.push(person);
  }
  return { welcome, changes };
}

/** Creates accounts for the new people of a page. People who are locked in the directory get none. */
async function addNewcomers(
  tx: TenantTx,
  { round, now }: PageSetting,
  people: readonly DirectoryPerson[],
): Promise<{ changes: Change[]; created: Map<string, AccountRow> }> {
  if (people.length === 0) return { changes: [], created: new Map() };
  const { welcome, changes } = sortNewcomers(people, await takenBy(tx, people), await roomFor(tx));
  const created = round.dryRun
    ? new Map<string, AccountRow>()
    : await createAccounts(tx, round.directoryId, welcome, { roundId: round.id, now });
  for (const person of welcome) {
    const isThere = round.dryRun || created.has(person.uniqueId);
    changes.push(changeOf(isThere ? 'created' : 'collision', person, isThere ? {} : { reason: 'accountTaken' }));
  }
  return { changes, created };
}

/** The fields of an account that the directory has otherwise: before and after. */
function differences(row: AccountRow, person: DirectoryPerson, taken: Taken): Record<string, [string, string]> {
  const wanted = { ...person, account: row.account };
  const other = taken.byName.get(person.account.toLowerCase());
  if (canBeAccount(person.account) && (!other || other.id === row.id)) wanted.account = person.account;
  return Object.fromEntries(
    DETAILS.filter((field) => row[field] !== wanted[field]).map((field) => [field, [row[field], wanted[field]]]),
  );
}

async function changeAccount(tx: TenantTx, row: AccountRow, fields: Record<string, [string, string]>): Promise<void> {
  const { account: name, ...details } = Object.fromEntries(
    Object.entries(fields).map(([field, [, after]]) => [field, after]),
  );
  await changeDetails(tx, row, details);
  if (name !== undefined) await tx.update(account, { account: name }, eq(account.id, row.id));
}

/** Whether the password was changed in the directory, by someone else than this server, since it was seen last. */
const hasNewPassword = (link: DirectoryAccountRow, { passwordStamp }: DirectoryPerson): boolean =>
  link.passwordStamp !== null && passwordStamp !== '' && link.passwordStamp !== passwordStamp;

/** Stores what the directory says now: who was seen, and who is locked there. */
async function markSeen(
  tx: TenantTx,
  { round, now }: PageSetting,
  known: readonly { link: DirectoryAccountRow; person: DirectoryPerson }[],
): Promise<void> {
  const groups = Map.groupBy(known, ({ person }) => person.isLocked);
  for (const [isLockedThere, some] of groups)
    await tx.update(
      directoryAccount,
      { seenIn: round.id, isLockedThere },
      inArray(
        directoryAccount.accountId,
        some.map(({ link }) => link.accountId),
      ),
    );
  if (round.dryRun) return;
  for (const { link, person } of known) {
    const { dn, passwordStamp } = person;
    if (link.dn !== dn || link.passwordStamp !== passwordStamp)
      await tx.update(
        directoryAccount,
        { dn, passwordStamp, lastSeenAt: now },
        eq(directoryAccount.accountId, link.accountId),
      );
  }
}

/** Changes the accounts of known people of a page. */
async function updateKnown(
  tx: TenantTx,
  { round, sessions }: PageSetting,
  known: readonly { link: DirectoryAccountRow; person: DirectoryPerson; row: AccountRow }[],
  taken: Taken,
): Promise<Change[]> {
  const changes: Change[] = [];
  const renamed: string[] = [];
  for (const { link, person, row } of known) {
    const fields = differences(row, person, taken);
    const isBack = !row.enabled && link.disabledByRound && !person.isLocked;
    if (Object.keys(fields).length > 0) changes.push(changeOf('changed', person, { fields }));
    if (isBack) changes.push(changeOf('restored', person));
    if (round.dryRun) continue;
    if (Object.keys(fields).length > 0) await changeAccount(tx, row, fields);
    if (fields['name']) renamed.push(row.id);
    if (isBack) {
      await tx.update(account, { enabled: true }, eq(account.id, row.id));
      await tx.update(directoryAccount, { disabledByRound: false }, eq(directoryAccount.accountId, row.id));
    }
    if (hasNewPassword(link, person)) await sessions.endSessions(tx, [row.id], 'password');
  }
  await sessions.accessChanged(tx, renamed);
  return changes;
}

/** Compares a page of people with the accounts, and unless it is a dry run changes those. One transaction. */
export async function takeOver(
  tx: TenantTx,
  setting: PageSetting,
  people: readonly DirectoryPerson[],
): Promise<Counts> {
  const { round, sessions, rolesOf, given } = setting;
  const links = await tx.find(
    directoryAccount,
    allOf(
      eq(directoryAccount.directoryId, round.directoryId),
      inArray(
        directoryAccount.uniqueId,
        people.map(({ uniqueId }) => uniqueId),
      ),
    ),
  );
  const linkOf = new Map(links.map((link) => [link.uniqueId, link]));
  const rows = new Map(
    (
      await findAccounts(
        tx,
        links.map((link) => link.accountId),
      )
    ).map((row) => [row.id, row]),
  );
  const known = people.flatMap((person) => {
    const link = linkOf.get(person.uniqueId);
    const row = link && rows.get(link.accountId);
    return link && row ? [{ person, link, row }] : [];
  });
  const living = known.filter(({ row }) => row.deletedAt === null);
  const newcomers = people.filter(({ uniqueId, isLocked }) => !linkOf.has(uniqueId) && !isLocked);

  const renamed = living.filter(({ person, row }) => person.account !== row.account).map(({ person }) => person);
  const taken = await takenBy(tx, renamed);
  const { changes, created } = await addNewcomers(tx, setting, newcomers);
  changes.push(...(await updateKnown(tx, setting, living, taken)));
  await markSeen(tx, setting, known);
  if (!round.dryRun) {
    const wanted = new Map(living.map(({ person, row }) => [row.id, rolesOf(person)]));
    for (const person of newcomers) {
      const row = created.get(person.uniqueId);
      if (row) wanted.set(row.id, rolesOf(person));
    }
    await sessions.accessChanged(tx, await setGroupRoles(tx, wanted, given));
  }
  return listChanges(tx, round.id, changes);
}
