import { createHash } from 'node:crypto';
import type { ErrorCode } from '@rmeet/contract';
import { eq, gt, lt, sql, type SQL } from 'drizzle-orm';
import { allOf } from '../../../platform/db/conditions.ts';
import { holdKey, type PlatformTx } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/http/index.ts';
import { PLATFORM_TENANT_ID } from '../tenants/index.ts';
import { failedAttempt } from './tables.ts';

const SECOND = 1_000;
/** Failures are forgotten after this long without another one. */
const FORGET_AFTER = 24 * 60 * 60 * SECOND;

/** Target and origin of guesses, and how long the server delays them. */
export interface Guesser {
  /** The target, such as `login` or `join-number`. */
  scope: string;
  /** What identifies the guesser; stored hashed only. */
  key: readonly string[];
  /** Number of failures without a delay. */
  free: number;
  /** Delay in seconds after the first failure above `free`; it doubles with each further one. */
  delay: number;
  /** Maximum delay in seconds. */
  maxDelay: number;
}

/** Identifies a row of failures. */
type Counted = Pick<Guesser, 'scope' | 'key'>;

function keyOf({ key }: Counted): string {
  return createHash('sha256').update(JSON.stringify(key)).digest('base64url');
}

function rowOf(counted: Counted): SQL {
  return allOf(eq(failedAttempt.scope, counted.scope), eq(failedAttempt.key, keyOf(counted)));
}

function waitAfter(failures: number, { free, delay, maxDelay }: Guesser): number {
  return failures <= free ? 0 : Math.min(delay * 2 ** (failures - free - 1), maxDelay) * SECOND;
}

/** Failures so far, and whole seconds before the next attempt. */
export interface Standing {
  failures: number;
  wait: number;
}

/** The row of a counter, locked to the end of the transaction. A counter without a row is locked, too. */
async function holdRow(tx: PlatformTx, counted: Pick<Guesser, 'scope' | 'key'>) {
  const find = () => tx.findOne(failedAttempt, rowOf(counted), { lock: 'update' });
  const row = await find();
  if (row) return row;
  await holdKey(tx, `${counted.scope} ${keyOf(counted)}`);
  return find();
}

/**
 * Reads a counter and locks it to the end of the transaction, so that concurrent guesses are counted one by one.
 */
export async function standingOf(tx: PlatformTx, guesser: Guesser, now: Date): Promise<Standing> {
  const row = await holdRow(tx, guesser);
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
      set: {
        failures: sql`case when ${lastFailedAt} <= ${forgotten}::timestamptz then 1 else ${failures} + 1 end`,
        lastFailedAt: now,
      },
    },
  );
}

/**
 * Counts an attempt with an unknown secret and returns its error. The error is not thrown, because counted guesses must
 * be committed.
 */
export async function unknownSecret(tx: PlatformTx, guesser: Guesser, now: Date, code: ErrorCode): Promise<AppError> {
  const { wait } = await standingOf(tx, guesser, now);
  if (wait > 0) return new AppError('TOO_MANY_REQUESTS', { seconds: wait });
  await countFailure(tx, guesser, now);
  return new AppError(code);
}

export async function forgetFailures(tx: PlatformTx, guesser: Guesser): Promise<void> {
  await tx.delete(failedAttempt, rowOf(guesser));
}

/** A rate limit of failures (leaky bucket), for guessers who vary their targets. */
export interface RateLimit {
  scope: string;
  key: readonly string[];
  /** Failures allowed at once. */
  burst: number;
  /** Seconds after which one failure is forgotten. */
  drain: number;
}

function drained(failures: number, lastFailedAt: Date, { drain }: RateLimit, now: Date): number {
  return Math.max(0, failures - Math.floor((now.getTime() - lastFailedAt.getTime()) / (drain * SECOND)));
}

/** Whole seconds before the next attempt, or 0. Locks the row to the end of the transaction, as `standingOf` does. */
export async function limitWait(tx: PlatformTx, limit: RateLimit, now: Date): Promise<number> {
  const row = await holdRow(tx, limit);
  if (!row || drained(row.failures, row.lastFailedAt, limit, now) < limit.burst) return 0;
  const free = row.lastFailedAt.getTime() + (row.failures - limit.burst + 1) * limit.drain * SECOND;
  return Math.max(1, Math.ceil((free - now.getTime()) / SECOND));
}

/** Counts one failure, less those that have drained. */
export async function countOnLimit(tx: PlatformTx, limit: RateLimit, now: Date): Promise<void> {
  const { lastFailedAt, failures } = failedAttempt;
  const gone = sql`floor(extract(epoch from ${now.toISOString()}::timestamptz - ${lastFailedAt}) /
    ${limit.drain})::int`;
  await tx.insert(
    failedAttempt,
    { tenantId: PLATFORM_TENANT_ID, scope: limit.scope, key: keyOf(limit), failures: 1, lastFailedAt: now },
    {
      target: [failedAttempt.scope, failedAttempt.key],
      set: { failures: sql`greatest(0, ${failures} - ${gone}) + 1`, lastFailedAt: now },
    },
  );
}

/** Removes one counted failure. The others stay: a right password among many wrong ones proves nothing. */
export async function takeOneBack(tx: PlatformTx, counted: Counted): Promise<void> {
  const left = await tx.update(
    failedAttempt,
    { failures: sql`${failedAttempt.failures} - 1` },
    allOf(rowOf(counted), gt(failedAttempt.failures, 1)),
  );
  if (left.length === 0) await tx.delete(failedAttempt, rowOf(counted));
}

export async function dropOldFailures(tx: PlatformTx, now: Date): Promise<void> {
  await tx.delete(failedAttempt, lt(failedAttempt.lastFailedAt, new Date(now.getTime() - FORGET_AFTER)));
}
