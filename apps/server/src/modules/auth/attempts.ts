import { createHash } from 'node:crypto';
import { eq, lt, sql, type SQL } from 'drizzle-orm';
import { allOf } from '../../platform/db/conditions.ts';
import type { PlatformTx } from '../../platform/db/index.ts';
import { PLATFORM_TENANT_ID } from '../tenants/index.ts';
import { failedAttempt } from './tables.ts';

const SECOND = 1_000;
/** Failures are forgotten after this long without a further one. */
const FORGET_AFTER = 24 * 60 * 60 * SECOND;

/** Who guesses at what, and how patient the server is with it. */
export interface Guesser {
  /** What is guessed at, as `login` or `join-number`. */
  scope: string;
  /** What identifies the guesser; stored hashed only. */
  key: readonly string[];
  /** Failures that cost no waiting. */
  free: number;
  /** Seconds to wait after the first failure past `free`; doubles with each. */
  delay: number;
  /** Seconds the wait never exceeds. */
  maxDelay: number;
}

function keyOf(guesser: Guesser): string {
  return createHash('sha256').update(JSON.stringify(guesser.key)).digest('base64url');
}

function rowOf(guesser: Guesser): SQL {
  return allOf(eq(failedAttempt.scope, guesser.scope), eq(failedAttempt.key, keyOf(guesser)));
}

function waitAfter(failures: number, { free, delay, maxDelay }: Guesser): number {
  return failures <= free ? 0 : Math.min(delay * 2 ** (failures - free - 1), maxDelay) * SECOND;
}

/** How a guesser stands: failures so far and whole seconds before the next try. */
export interface Standing {
  failures: number;
  wait: number;
}

/** Reads and holds a guesser's row to the end of the transaction, so that guesses made at once are counted one by one. */
export async function standingOf(tx: PlatformTx, guesser: Guesser, now: Date): Promise<Standing> {
  const row = await tx.findOne(failedAttempt, rowOf(guesser), { lock: 'update' });
  if (!row || now.getTime() - row.lastFailedAt.getTime() >= FORGET_AFTER) return { failures: 0, wait: 0 };
  const left = row.lastFailedAt.getTime() + waitAfter(row.failures, guesser) - now.getTime();
  return { failures: row.failures, wait: Math.max(0, Math.ceil(left / SECOND)) };
}

/** Counts one failure, in one statement, so that none is lost among several at once. */
export async function countFailure(tx: PlatformTx, guesser: Guesser, now: Date): Promise<void> {
  const forgotten = new Date(now.getTime() - FORGET_AFTER).toISOString();
  const { lastFailedAt, failures } = failedAttempt;
  await tx.insert(
    failedAttempt,
    { tenantId: PLATFORM_TENANT_ID, scope: guesser.scope, key: keyOf(guesser), failures: 1, lastFailedAt: now },
    {
      target: [failedAttempt.scope, failedAttempt.key],
      set: { failures: sql`case when ${lastFailedAt} <= ${forgotten}::timestamptz then 1 else ${failures} + 1 end`, lastFailedAt: now },
    },
  );
}

export async function forgetFailures(tx: PlatformTx, guesser: Guesser): Promise<void> {
  await tx.delete(failedAttempt, rowOf(guesser));
}

export async function dropOldFailures(tx: PlatformTx, now: Date): Promise<void> {
  await tx.delete(failedAttempt, lt(failedAttempt.lastFailedAt, new Date(now.getTime() - FORGET_AFTER)));
}
