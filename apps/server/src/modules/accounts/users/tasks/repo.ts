import { and, asc, count, desc, eq, inArray, isNotNull, isNull, lt, lte, sql } from 'drizzle-orm';
import { TASK_ITEM_STATES, type TaskItemState } from '@rmeet/contract';
import { allOf } from '../../../../platform/db/conditions.ts';
import { newId, type PlatformTx, type TenantTx } from '../../../../platform/db/index.ts';
import { account, userTask, userTaskItem, type AccountRow, type UserTaskItemRow, type UserTaskRow } from '../tables.ts';

export type NewItem = Pick<
  UserTaskItemRow,
  'row' | 'accountId' | 'account' | 'name' | 'state' | 'values' | 'columns' | 'faults'
>;

/** Rows per statement; each takes a dozen parameters, of which there may be 65,535. */
const BATCH = 1_000;
/** What is still to be done. */
const OPEN: TaskItemState[] = ['toCreate', 'toChange'];

function* batchesOf<T>(items: readonly T[]): Generator<T[]> {
  for (let at = 0; at < items.length; at += BATCH) yield items.slice(at, at + BATCH);
}

/** The accounts with these names that are not deleted, by their names in lower case. */
export async function findByNames(tx: TenantTx, names: readonly string[]): Promise<Map<string, AccountRow>> {
  const found = new Map<string, AccountRow>();
  for (const batch of batchesOf(names.map((name) => name.toLowerCase()))) {
    const where = allOf(inArray(sql`lower(${account.account})`, batch), isNull(account.deletedAt));
    for (const row of await tx.find(account, where)) found.set(row.account.toLowerCase(), row);
  }
  return found;
}

export async function insertTask(
  tx: TenantTx,
  values: Pick<UserTaskRow, 'kind' | 'name' | 'change' | 'actor' | 'createdAt'>,
  items: readonly NewItem[],
): Promise<UserTaskRow> {
  const [row] = await tx.insert(userTask, { id: newId(), ...values });
  if (!row) throw new Error('A task was not inserted.');
  let position = 0;
  for (const batch of batchesOf(items))
    await tx.insert(
      userTaskItem,
      batch.map((item) => Object.assign({ taskId: row.id, position: (position += 1) }, item)),
    );
  return row;
}

/** The newest tasks of an account that were started. */
export function startedTasks(tx: TenantTx, accountId: string, atMost: number): Promise<UserTaskRow[]> {
  return tx.find(userTask, allOf(sql`${userTask.actor} ->> 'userId' = ${accountId}`, isNotNull(userTask.firstAccess)), {
    orderBy: [desc(userTask.createdAt), desc(userTask.id)],
    limit: atMost,
  });
}

/** A task of this account. With `lock`, others that change it wait. */
export function findTask(tx: TenantTx, id: string, lock = false): Promise<UserTaskRow | undefined> {
  return tx.findOne(userTask, eq(userTask.id, id), lock ? { lock: 'update' } : {});
}

export async function updateTask(tx: TenantTx, id: string, set: Partial<UserTaskRow>): Promise<UserTaskRow> {
  const [row] = await tx.update(userTask, set, eq(userTask.id, id));
  if (!row) throw new Error('A task was lost.');
  return row;
}

/** How many accounts of a task are in each state. */
export async function countItems(tx: TenantTx, taskId: string): Promise<Record<TaskItemState, number>> {
  const items = tx.scoped(userTaskItem);
  const rows = await tx
    .select({ state: items.state, n: count() })
    .from(items)
    .where(eq(items.taskId, taskId))
    .groupBy(items.state);
  const counts = Object.fromEntries(TASK_ITEM_STATES.map((state) => [state, 0])) as Record<TaskItemState, number>;
  for (const { state, n } of rows) counts[state] = n;
  return counts;
}

/** New accounts of a task that have no mail address. */
export function countWithoutMail(tx: TenantTx, taskId: string): Promise<number> {
  return tx.count(
    userTaskItem,
    allOf(
      eq(userTaskItem.taskId, taskId),
      eq(userTaskItem.state, 'toCreate'),
      sql`coalesce(${userTaskItem.values} ->> 'email', '') = ''`,
    ),
  );
}

export const withPassword = (taskId: string) =>
  allOf(eq(userTaskItem.taskId, taskId), isNotNull(userTaskItem.sealedPassword));

export function countPasswords(tx: TenantTx, taskId: string): Promise<number> {
  return tx.count(userTaskItem, withPassword(taskId));
}

/** The accounts of a task with a first password, which is removed. */
export async function takePasswords(tx: TenantTx, taskId: string): Promise<UserTaskItemRow[]> {
  const rows = await tx.find(userTaskItem, withPassword(taskId), {
    orderBy: asc(userTaskItem.position),
    lock: 'update',
  });
  if (rows.length > 0) await tx.update(userTaskItem, { sealedPassword: null }, withPassword(taskId));
  return rows;
}

/** One page of the accounts of a task, and their number. */
export async function listItems(
  tx: TenantTx,
  taskId: string,
  { state, current, size }: { state?: TaskItemState | undefined; current: number; size: number },
): Promise<{ rows: UserTaskItemRow[]; total: number }> {
  const where = and(eq(userTaskItem.taskId, taskId), state && eq(userTaskItem.state, state));
  const page = { orderBy: asc(userTaskItem.position), limit: size, offset: (current - 1) * size };
  return { rows: await tx.find(userTaskItem, where, page), total: await tx.count(userTaskItem, where) };
}

/** The accounts of a task after a position; at most `size`. */
export function itemsAfter(tx: TenantTx, taskId: string, after: number, size: number): Promise<UserTaskItemRow[]> {
  return tx.find(userTaskItem, allOf(eq(userTaskItem.taskId, taskId), sql`${userTaskItem.position} > ${after}`), {
    orderBy: asc(userTaskItem.position),
    limit: size,
  });
}

/** The next accounts of a task that are still to be done. */
export function openItems(tx: TenantTx, taskId: string, size: number): Promise<UserTaskItemRow[]> {
  return tx.find(userTaskItem, allOf(eq(userTaskItem.taskId, taskId), inArray(userTaskItem.state, OPEN)), {
    orderBy: asc(userTaskItem.position),
    limit: size,
  });
}

export async function updateItem(
  tx: TenantTx,
  { taskId, position }: Pick<UserTaskItemRow, 'taskId' | 'position'>,
  set: Partial<UserTaskItemRow>,
): Promise<void> {
  await tx.update(userTaskItem, set, allOf(eq(userTaskItem.taskId, taskId), eq(userTaskItem.position, position)));
}

/** The running task whose turn it is, reserved until `until`. */
export async function claimTask(tx: PlatformTx, now: Date, until: Date): Promise<UserTaskRow | undefined> {
  const [row] = await tx.find(userTask, allOf(eq(userTask.state, 'running'), lte(userTask.turnAt, now)), {
    orderBy: [asc(userTask.turnAt), asc(userTask.id)],
    limit: 1,
    lock: 'update of free',
  });
  if (row) await tx.update(userTask, { turnAt: until }, eq(userTask.id, row.id));
  return row;
}

/** Deletes old tasks, and first passwords that were not downloaded. */
export async function clearTasks(tx: PlatformTx, before: { tasks: Date; passwords: Date }): Promise<void> {
  await tx.delete(userTask, lt(userTask.createdAt, before.tasks));
  const old = await tx.find(userTask, lt(userTask.createdAt, before.passwords));
  for (const { id } of old) await tx.update(userTaskItem, { sealedPassword: null }, withPassword(id));
}
