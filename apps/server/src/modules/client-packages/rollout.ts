import { createHash } from 'node:crypto';
import type { Rollout } from '@rmeet/contract';
import type { AccountCaller, AnyoneCaller } from '../../platform/http/index.ts';
import type { ClientPackageRow } from './tables.ts';

type RolloutColumns = Pick<ClientPackageRow, 'rolloutKind' | 'rolloutPercent' | 'rolloutTenants'>;

/** The columns of a roll-out. */
export const columnsOf = (rollout: Rollout): RolloutColumns => ({
  rolloutKind: rollout.kind,
  rolloutPercent: rollout.kind === 'percent' ? rollout.percent : 100,
  rolloutTenants: rollout.kind === 'tenants' ? [...new Set(rollout.tenantIds)] : [],
});

export function rolloutOf({ rolloutKind, rolloutPercent, rolloutTenants }: RolloutColumns): Rollout {
  if (rolloutKind === 'percent') return { kind: 'percent', percent: rolloutPercent };
  return rolloutKind === 'tenants' ? { kind: 'tenants', tenantIds: rolloutTenants } : { kind: 'all' };
}

/**
 * A number from 0 to 99 for an account and a package: the same at each call, and another for each package, so that not
 * always the same people are the first.
 */
function bucketOf(packageId: string, accountId: string): number {
  return createHash('sha256').update(`${packageId} ${accountId}`).digest().readUInt32BE(0) % 100;
}

/** Whether a package is offered to a caller. Without an account, only what everyone is offered. */
export function isOffered(row: ClientPackageRow, caller: AnyoneCaller | AccountCaller): boolean {
  if (row.rolloutKind === 'all') return true;
  if (caller.kind === 'anyone') return false;
  if (row.rolloutKind === 'tenants') return row.rolloutTenants.includes(caller.tenantId);
  return bucketOf(row.id, caller.userId) < row.rolloutPercent;
}
