import type { AccountChange, PasswordRules, TaskItemState } from '@rmeet/contract';
import type { Db, TenantTx } from '../../../../platform/db/index.ts';
import { AppError, type AccountCaller } from '../../../../platform/http/index.ts';
import type { Log } from '../../../../platform/log/log.ts';
import type { SecretBox } from '../../../../platform/secrets/index.ts';
import { passwordRulesOf } from '../../tenants/index.ts';
import type { TenantRow } from '../../tenants/tables.ts';
import { createAccountChanges, createUserChange, type Author } from '../change.ts';
import { createUserAddition } from '../creation.ts';
import type { Invitations } from '../invitations.ts';
import { makePassword } from '../password-rules.ts';
import { hashPassword, unusableHash } from '../passwords.ts';
import { mustMayGrant } from '../policy.ts';
import type { UserDeps } from '../ports.ts';
import { findAccount, findOwnTenant } from '../repo.ts';
import type { AccountRow, SheetUser, TaskActor, UserTaskItemRow, UserTaskRow } from '../tables.ts';
import { changedColumns } from './plan.ts';
import { claimTask, findByNames, findTask, openItems, updateItem, updateTask } from './repo.ts';

export interface RunDeps extends UserDeps {
  db: Db;
  log: Log;
  secrets: SecretBox;
  invitations: Pick<Invitations, 'invite' | 'mustBeReady'>;
}

/** Accounts of one task before another one has its turn. */
const CHUNK = 20;
/** A process that does a chunk does so within this time, else another one continues the task. */
const LEASE = 2 * 60_000;
/** ms; the queue counts a job of 15 minutes as failed. */
const LONGEST = 4 * 60_000;

/** The action of the single call that does the same, for the audit log. */
const ACTIONS: Record<AccountChange['kind'], string> = {
  enable: 'users.status',
  disable: 'users.status',
  invite: 'users.invite',
  remove: 'users.remove',
  move: 'users.update',
  addRole: 'users.setGrants',
  removeRole: 'users.setGrants',
};

/** To what a sealed first password is bound. */
export const bindingOf = ({ taskId, position }: Pick<UserTaskItemRow, 'taskId' | 'position'>): string =>
  `user_task_item ${taskId} ${position}`;

function authorOf({ isTenantAdmin, isSuperAdmin, kind, address, requestId, ...of }: TaskActor, action: string): Author {
  const account = { ...of, sessionId: '' };
  const caller: AccountCaller =
    kind === 'user' ? { kind, ...account, isTenantAdmin } : { kind, ...account, isSuperAdmin };
  return { caller, action, address, requestId };
}

/** How a new account is entered for the first time. */
interface FirstAccess {
  passwordHash: string;
  /** Null with an invitation. */
  password: string | null;
}

/** One account of a change of many. */
function createChangeOne(deps: RunDeps) {
  const { rights, invitations } = deps;
  const { reachedOne } = createUserChange(deps);
  const changes = createAccountChanges(deps);

  return async function changeOne(
    tx: TenantTx,
    author: Author,
    change: AccountChange,
    accountId: string,
  ): Promise<TaskItemState> {
    const row = await reachedOne(author, tx, accountId);
    const roleIds = async () => ((await rights.rolesOfAccounts(tx, [row.id])).get(row.id) ?? []).map(({ id }) => id);
    const doneIf = (isChanged: boolean): TaskItemState => (isChanged ? 'changed' : 'same');
    switch (change.kind) {
      case 'enable':
      case 'disable':
        return doneIf((await changes.setEnabled(tx, author, [row], change.kind === 'enable')).length > 0);
      case 'invite':
        invitations.mustBeReady();
        await invitations.invite(tx, row);
        await changes.invited(tx, author, row);
        return 'changed';
      case 'remove':
        await changes.remove(tx, author, row);
        return 'changed';
      case 'move':
        if (row.department === change.department) return 'same';
        await changes.update(tx, author, row, { department: change.department });
        return 'changed';
      case 'addRole':
        return doneIf(await changes.setRoles(tx, author, row, [...new Set([...(await roleIds()), change.roleId])]));
      case 'removeRole':
        return doneIf(
          await changes.setRoles(
            tx,
            author,
            row,
            (await roleIds()).filter((id) => id !== change.roleId),
          ),
        );
    }
  };
}

/** One row of an imported sheet. */
function createImportOne(deps: RunDeps) {
  const { rights, secrets, invitations } = deps;
  const { reachedOne } = createUserChange(deps);
  const changes = createAccountChanges(deps);
  const add = createUserAddition(deps);

  async function createOne(
    tx: TenantTx,
    task: UserTaskRow,
    tenant: TenantRow,
    { roleIds, ...user }: SheetUser,
    first: FirstAccess,
  ): Promise<AccountRow> {
    const author = authorOf(task.actor, 'users.create');
    if (roleIds) mustMayGrant(author.caller);
    const row = await add(tx, author, tenant, {
      phone: '',
      email: '',
      department: '',
      locale: 'zh',
      ...user,
      isTenantAdmin: false,
      passwordHash: first.passwordHash,
      passwordDue: first.password !== null,
      roleIds: roleIds ?? 'default',
    });
    if (first.password === null) await invitations.invite(tx, row);
    return row;
  }

  /** Creates or changes an account as its row says. The account may have been created or deleted since the check. */
  return async function importOne(
    tx: TenantTx,
    task: UserTaskRow,
    tenant: TenantRow,
    item: UserTaskItemRow,
    first: FirstAccess | undefined,
  ): Promise<Partial<UserTaskItemRow>> {
    const user = item.values;
    if (!user) throw new Error('A row of a sheet has no values.');
    const found = (await findByNames(tx, [user.account])).get(user.account.toLowerCase());
    if (!found) {
      if (!first) throw new AppError('CHANGED_MEANWHILE');
      const row = await createOne(tx, task, tenant, user, first);
      const sealedPassword = first.password === null ? null : secrets.seal(first.password, bindingOf(item));
      return { state: 'created', accountId: row.id, sealedPassword };
    }
    const before = (await rights.rolesOfAccounts(tx, [found.id])).get(found.id) ?? [];
    const columns = changedColumns({ row: found, roleIds: before.map(({ id }) => id) }, user);
    if (columns.length === 0) return { state: 'same', columns };
    const author = authorOf(task.actor, 'users.update');
    const row = await reachedOne(author, tx, found.id);
    const { account: _name, roleIds, ...details } = user;
    if (columns.some((column) => column !== 'roles')) await changes.update(tx, author, row, details);
    if (roleIds) await changes.setRoles(tx, authorOf(task.actor, 'users.setGrants'), row, roleIds);
    return { state: 'changed', accountId: row.id, columns };
  };
}

/** Hashes, so it must not run inside a transaction. */
async function firstAccessOf(
  task: UserTaskRow,
  { state, values }: UserTaskItemRow,
  rules: PasswordRules,
): Promise<FirstAccess | undefined> {
  if (state !== 'toCreate') return undefined;
  if (task.firstAccess === 'invitation' && values?.email) return { passwordHash: unusableHash(), password: null };
  const password = makePassword(rules);
  return { passwordHash: await hashPassword(password), password };
}

/** One account of a task, in its own transaction. */
function createItemRun(deps: RunDeps) {
  const { db, log } = deps;
  const changeOne = createChangeOne(deps);
  const importOne = createImportOne(deps);

  /** Does one account; a failure is listed with it, and changes nothing else. False if the task was cancelled. */
  return async (task: UserTaskRow, item: UserTaskItemRow, rules: PasswordRules): Promise<boolean> => {
    const { tenantId, change, actor } = task;
    const first = await firstAccessOf(task, item, rules);
    try {
      return await db.tenant(tenantId, async (tx) => {
        const tenant = await findOwnTenant(tx, true);
        const isRunning = (await findTask(tx, task.id))?.state === 'running';
        if (!tenant || !isRunning) return false;
        const set =
          change === null
            ? await importOne(tx, task, tenant, item, first)
            : { state: await changeOne(tx, authorOf(actor, ACTIONS[change.kind]), change, item.accountId ?? '') };
        await updateItem(tx, item, set);
        return true;
      });
    } catch (error) {
      if (!(error instanceof AppError)) log.error({ error, tenantId, task: task.id }, 'An account of a task failed');
      const failure =
        error instanceof AppError
          ? { code: error.code, params: error.params }
          : { code: 'SERVER_ERROR' as const, params: { requestId: actor.requestId } };
      await db.tenant(tenantId, (tx) => updateItem(tx, item, { state: 'failed', failure }));
      return true;
    }
  };
}

/** Does the running tasks, in turns; what a stopped process has left is continued by the next one. */
export function createTaskRun(deps: RunDeps) {
  const { db, now } = deps;
  const doItem = createItemRun(deps);

  /** The task whose turn it is; it ends if the account in whose name it runs may no longer sign in. */
  const claim = (): Promise<UserTaskRow | undefined> =>
    db.platform(async (tx) => {
      const task = await claimTask(tx, now(), new Date(now().getTime() + LEASE));
      if (!task) return undefined;
      const actor = await findAccount(tx, task.actor.userId);
      if (actor?.enabled && !actor.deletedAt) return task;
      return updateTask(tx.asTenant(task.tenantId), task.id, { state: 'cancelled', turnAt: null });
    });

  async function doChunk(task: UserTaskRow): Promise<void> {
    const { items, tenant } = await db.tenant(task.tenantId, async (tx) => ({
      items: await openItems(tx, task.id, CHUNK),
      tenant: await findOwnTenant(tx),
    }));
    if (tenant) for (const item of items) if (!(await doItem(task, item, passwordRulesOf(tenant)))) return;
    await db.tenant(task.tenantId, async (tx) => {
      const current = await findTask(tx, task.id, true);
      if (current?.state !== 'running') return;
      const isDone = items.length < CHUNK;
      await updateTask(tx, task.id, isDone ? { state: 'done', turnAt: null } : { turnAt: now() });
    });
  }

  /** True if all running tasks are done, false if it is time to let the queue begin another job. */
  return async (): Promise<boolean> => {
    const end = Date.now() + LONGEST;
    while (Date.now() < end) {
      const task = await claim();
      if (!task) return true;
      if (task.state === 'running') await doChunk(task);
    }
    return false;
  };
}
