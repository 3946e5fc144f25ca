import { createHash } from 'node:crypto';
import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, notInArray, or, type SQL } from 'drizzle-orm';
import { allOf } from '../../../platform/db/conditions.ts';
import type { PlatformTx, TenantTx } from '../../../platform/db/index.ts';
import { newToken } from '../../../platform/secrets/index.ts';
import { recording, type RecordingRow } from '../tables.ts';

/** A recorder that does not renew its lease within this time loses the recording; ms. */
export const LEASE = 3_000;
export const RENEW_EVERY = 1_000;
/** A lease that ends later than this was given before the clock was set back. */
const LONGEST = 2 * LEASE;

/** States in which a recording needs a recorder. */
const UNFINISHED = ['recording', 'processing'] as const;
export const isUnfinished = inArray(recording.state, [...UNFINISHED]);

/** Proves that its owner holds a recording: the lease names a hash of the token. */
export interface Credential {
  token: string;
  holder: string;
}

/** The holder that a token proves, as a UUID: half of its SHA-256. 128 bits cannot be guessed either. */
export function holderOf(token: string): string {
  const hash = createHash('sha256').update(token).digest('hex');
  return [hash.slice(0, 8), hash.slice(8, 12), hash.slice(12, 16), hash.slice(16, 20), hash.slice(20, 32)].join('-');
}

export function newCredential(): Credential {
  const token = newToken();
  return { token, holder: holderOf(token) };
}

/** The identity of a recorder on the media engine; different from those of terminals and desks. */
export const identityOf = (holder: string): string => `R${holder.replaceAll('-', '')}`;
/** The identity by which it gets the lower layer of cameras. */
export const smallIdentityOf = (holder: string): string => `${identityOf(holder)}S`;

/** Recordings that no recorder holds. */
export const isFree = (now: Date): SQL | undefined =>
  or(
    isNull(recording.leaseUntil),
    lte(recording.leaseUntil, now),
    gt(recording.leaseUntil, new Date(now.getTime() + LONGEST)),
  );

const untilOf = (now: Date): Date => new Date(now.getTime() + LEASE);

/** A recording that a recorder took, and who held it before; null if the one before gave it back, or there was none. */
export interface Claim {
  row: RecordingRow;
  before: string | null;
}

/**
 * Takes the oldest recording without a recorder; undefined if there is none.
 *
 * @param without ids of recordings that the process already has
 * @param liveOrigin where the process gives recordings to servers
 */
export async function claimNext(
  tx: PlatformTx,
  holder: string,
  without: readonly string[],
  now: Date,
  liveOrigin?: string,
): Promise<Claim | undefined> {
  const [free] = await tx.find(recording, and(isUnfinished, isFree(now), notInArray(recording.id, [...without])), {
    orderBy: asc(recording.startedAt),
    limit: 1,
    lock: 'update of free',
  });
  if (!free) return undefined;
  const lease = { leaseHolder: holder, leaseUntil: untilOf(now), liveOrigin: liveOrigin ?? null };
  const [row] = await tx.update(recording, lease, eq(recording.id, free.id));
  return row && { row, before: free.leaseHolder };
}

/** A recording as long as the holder has it. */
const heldBy = (id: string, holder: string): SQL =>
  allOf(eq(recording.id, id), eq(recording.leaseHolder, holder), isUnfinished);

/**
 * Renews a lease, also one that ran out unless another recorder has taken the recording.
 *
 * @returns the recording as it is now; undefined if it is lost
 */
export async function renew(
  tx: TenantTx,
  { id, holder }: { id: string; holder: string },
  progress: Partial<Pick<RecordingRow, 'duration' | 'bytes' | 'trouble'>>,
  now: Date,
): Promise<RecordingRow | undefined> {
  const [row] = await tx.update(recording, { ...progress, leaseUntil: untilOf(now) }, heldBy(id, holder));
  return row;
}

/** Gives a recording back, for another recorder to continue, or changes its state for good. */
export async function release(
  tx: TenantTx,
  { id, holder }: { id: string; holder: string },
  outcome: Partial<Pick<RecordingRow, 'state' | 'trouble' | 'duration' | 'bytes'>> = {},
): Promise<RecordingRow | undefined> {
  const free = { leaseHolder: null, leaseUntil: null, liveOrigin: null };
  const [row] = await tx.update(recording, { ...outcome, ...free }, heldBy(id, holder));
  return row;
}

/**
 * The recording that a token's owner holds: the last one that took it, also while the lease has run out and is not
 * renewed yet. So a database that was away, or a clock that was set, does not interrupt a recording.
 */
export async function findHeld(tx: PlatformTx, token: string): Promise<RecordingRow | undefined> {
  return tx.findOne(recording, and(eq(recording.leaseHolder, holderOf(token)), isUnfinished));
}

/** The recorders that hold recordings of these conferences, as findHeld() has it. */
export async function holdersIn(tx: PlatformTx, conferenceIds: readonly string[]): Promise<string[]> {
  if (conferenceIds.length === 0) return [];
  const rows = await tx.find(
    recording,
    and(inArray(recording.conferenceId, [...conferenceIds]), isNotNull(recording.leaseHolder), isUnfinished),
  );
  return rows.flatMap(({ leaseHolder }) => leaseHolder ?? []);
}
