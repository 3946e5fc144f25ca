import { and, eq, isNull } from 'drizzle-orm';
import { allOf } from '../../../platform/db/conditions.ts';
import type { TenantTx } from '../../../platform/db/index.ts';
import { account, department } from './tables.ts';

/**
 * Somebody is in the department from now on. Its row is held to the end of the transaction, so that somebody else who
 * is the last to leave it waits and sees the newcomer.
 */
export async function enterDepartment(tx: TenantTx, path: string): Promise<void> {
  if (path === '') return;
  await tx.insert(department, { path }, { target: [department.tenantId, department.path], set: { path } });
}

/** Somebody has left the department; it goes with the last one. Deleted accounts are in none. */
export async function leaveDepartment(tx: TenantTx, path: string): Promise<void> {
  if (path === '' || !(await tx.findOne(department, eq(department.path, path), { lock: 'update' }))) return;
  const left = await tx.count(account, and(eq(account.department, path), isNull(account.deletedAt)), 1);
  if (left === 0) await tx.delete(department, allOf(eq(department.path, path)));
}
