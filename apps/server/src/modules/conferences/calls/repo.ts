import { and, asc, eq, gt, inArray, isNull, lte, or, sql } from 'drizzle-orm';
import { allOf } from '../../../platform/db/conditions.ts';
import type { PlatformTx, TenantTx } from '../../../platform/db/index.ts';
import { conference, conferenceCall, type CallRow } from '../tables.ts';

/** Stores calls, each replacing the person's previous one. */
export async function putCalls(tx: TenantTx, calls: Omit<CallRow, 'tenantId'>[]): Promise<void> {
  if (calls.length === 0) return;
  const set = {
    calledAt: sql`excluded.called_at`,
    calledBy: sql`excluded.called_by`,
    until: sql`excluded.until`,
    declinedAt: sql`excluded.declined_at`,
    overAt: sql`excluded.over_at`,
    mailedAt: sql`excluded.mailed_at`,
    mail: sql`excluded.mail`,
  };
  await tx.insert(conferenceCall, calls, { target: [conferenceCall.conferenceId, conferenceCall.target], set });
}

/** The newest call of each person, by target. */
export async function findCalls(tx: Pick<TenantTx, 'find'>, conferenceId: string): Promise<Map<string, CallRow>> {
  return new Map(
    (await tx.find(conferenceCall, eq(conferenceCall.conferenceId, conferenceId))).map((row) => [row.target, row]),
  );
}

export function findCall(
  tx: Pick<TenantTx, 'findOne'>,
  conferenceId: string,
  target: string,
): Promise<CallRow | undefined> {
  return tx.findOne(
    conferenceCall,
    and(eq(conferenceCall.conferenceId, conferenceId), eq(conferenceCall.target, target)),
  );
}

/** The rings of an account, the oldest first. */
export function findRinging(tx: Pick<TenantTx, 'find'>, accountId: string, now: Date): Promise<CallRow[]> {
  const rings = and(
    eq(conferenceCall.accountId, accountId),
    isNull(conferenceCall.overAt),
    gt(conferenceCall.until, now),
  );
  return tx.find(conferenceCall, rings, { orderBy: [asc(conferenceCall.calledAt)] });
}

/** Ends the rings of these targets, with `ifSpentBy` only those due to end by then; returns the calls that rang. */
export function endRings(
  tx: TenantTx,
  conferenceId: string,
  targets: readonly string[],
  set: { overAt: Date; declinedAt?: Date },
  ifSpentBy?: Date,
): Promise<CallRow[]> {
  if (targets.length === 0) return Promise.resolve([]);
  const rings = allOf(
    eq(conferenceCall.conferenceId, conferenceId),
    inArray(conferenceCall.target, [...targets]),
    isNull(conferenceCall.overAt),
  );
  return tx.update(conferenceCall, set, ifSpentBy ? allOf(rings, lte(conferenceCall.until, ifSpentBy)) : rings);
}

/** Forgets that people who have joined declined or missed a call before. */
export async function forgetAnswers(tx: TenantTx, conferenceId: string, targets: readonly string[]): Promise<void> {
  await tx.update(
    conferenceCall,
    { declinedAt: null, overAt: sql`${conferenceCall.calledAt}` },
    allOf(eq(conferenceCall.conferenceId, conferenceId), inArray(conferenceCall.target, [...targets])),
  );
}

/** Stores the outcome of a mail that was being sent; undefined if there was none. */
export async function settleMail(
  tx: TenantTx,
  conferenceId: string,
  target: string,
  mail: 'SUCCESS' | 'FAIL' | 'none',
): Promise<CallRow | undefined> {
  const isOnItsWay = allOf(
    eq(conferenceCall.conferenceId, conferenceId),
    eq(conferenceCall.target, target),
    eq(conferenceCall.mail, 'SENDING'),
  );
  return (await tx.update(conferenceCall, { mail }, isOnItsWay))[0];
}

/** Calls still ringing although their time is over or the conference has ended. */
export function findSpentRings(tx: PlatformTx, now: Date): Promise<CallRow[]> {
  const isOver = sql`exists (select 1 from ${conference} where ${conference.id} = ${conferenceCall.conferenceId}
    and ${conference.endedAt} is not null)`;
  return tx.find(conferenceCall, and(isNull(conferenceCall.overAt), or(lte(conferenceCall.until, now), isOver)));
}
