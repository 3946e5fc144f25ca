import { and, asc, eq, inArray } from 'drizzle-orm';
import { allOf } from '../../../platform/db/conditions.ts';
import type { TenantTx } from '../../../platform/db/index.ts';
import { meetingGrant, type MeetingGrantRow } from '../tables.ts';

/** The accounts these meetings were granted to, in the order of the grants. */
export function findGrants(tx: Pick<TenantTx, 'find'>, meetingIds: readonly string[]): Promise<MeetingGrantRow[]> {
  if (meetingIds.length === 0) return Promise.resolve([]);
  return tx.find(meetingGrant, inArray(meetingGrant.meetingId, [...meetingIds]), {
    orderBy: [asc(meetingGrant.grantedAt), asc(meetingGrant.accountId)],
  });
}

export async function isGranted(tx: Pick<TenantTx, 'findOne'>, meetingId: string, accountId: string): Promise<boolean> {
  return (
    (await tx.findOne(
      meetingGrant,
      and(eq(meetingGrant.meetingId, meetingId), eq(meetingGrant.accountId, accountId)),
    )) !== undefined
  );
}

/** Those of the meetings that were granted to an account. */
export async function grantedOf(tx: TenantTx, meetingIds: readonly string[], accountId: string): Promise<Set<string>> {
  if (meetingIds.length === 0) return new Set();
  const rows = await tx.find(
    meetingGrant,
    and(inArray(meetingGrant.meetingId, [...meetingIds]), eq(meetingGrant.accountId, accountId)),
  );
  return new Set(rows.map(({ meetingId }) => meetingId));
}

/** Grants a meeting to accounts; returns those that did not have it. */
export async function grantMeeting(
  tx: TenantTx,
  meetingId: string,
  accountIds: readonly string[],
  by: { grantedBy: string; grantedAt: Date },
): Promise<string[]> {
  if (accountIds.length === 0) return [];
  const rows = await tx.insert(
    meetingGrant,
    accountIds.map((accountId) => ({ meetingId, accountId, ...by })),
    'nothing',
  );
  return rows.map(({ accountId }) => accountId);
}

/** Revokes the grant of a meeting; returns the accounts that had it. */
export async function takeMeetingBack(
  tx: TenantTx,
  meetingId: string,
  accountIds: readonly string[],
): Promise<string[]> {
  if (accountIds.length === 0) return [];
  const rows = await tx.delete(
    meetingGrant,
    allOf(eq(meetingGrant.meetingId, meetingId), inArray(meetingGrant.accountId, [...accountIds])),
  );
  return rows.map(({ accountId }) => accountId);
}
