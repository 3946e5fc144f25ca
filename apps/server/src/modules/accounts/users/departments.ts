import { and, eq, isNull } from 'drizzle-orm';
import { allOf } from '../../../platform/db/conditions.ts';
import type { TenantTx } from '../../../platform/db/index.ts';
import { account, department } from './tables.ts';

/**
 * Adds an account to a department. Locks its row to the end of the transaction, so that a concurrent removal of the
 * last account waits and sees the new one.
 */
export async function enterDepartment(tx: TenantTx, path: string): Promise<void> {
  if (path === '') return;
  await tx.insert(department, { path }, { target: [department.tenantId, department.path], set: { path } });
}

/** Removes an account from a department, which is deleted with the last one. Deleted accounts have none. */
export async function leaveDepartment(tx: TenantTx, path: string): Promise<void> {
  if (path === '' || !(await tx.findOne(department, eq(department.path, path), { lock: 'update' }))) return;
  const left = await tx.count(account, and(eq(account.department, path), isNull(account.deletedAt)), 1);
  if (left === 0) await tx.delete(department, allOf(eq(department.path, path)));
}
