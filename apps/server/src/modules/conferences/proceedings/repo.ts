import { and, asc, count, eq, gte, isNull, lte } from 'drizzle-orm';
import { allOf } from '../../../platform/db/conditions.ts';
import type { PlatformTx, TenantTx } from '../../../platform/db/index.ts';
import { ballot, scene, type BallotRow, type SceneRow } from '../tables.ts';

type Reader = Pick<TenantTx, 'find' | 'findOne'>;

/** The scenes of a meeting: those with a time first, by time, then the others by name. */
export async function findScenes(tx: Reader, meetingId: string): Promise<SceneRow[]> {
  const rows = await tx.find(scene, eq(scene.meetingId, meetingId), { orderBy: [asc(scene.at), asc(scene.name)] });
  return [...rows.filter(({ at }) => at !== null), ...rows.filter(({ at }) => at === null)];
}

export function findScene(tx: Reader, meetingId: string, id: string): Promise<SceneRow | undefined> {
  return tx.findOne(scene, and(eq(scene.meetingId, meetingId), eq(scene.id, id)));
}

export async function insertScene(tx: TenantTx, values: Omit<SceneRow, 'tenantId'>): Promise<void> {
  await tx.insert(scene, values);
}

export async function updateScene(tx: TenantTx, id: string, set: Partial<SceneRow>): Promise<void> {
  await tx.update(scene, set, eq(scene.id, id));
}

export async function deleteScene(tx: TenantTx, id: string): Promise<void> {
  await tx.delete(scene, eq(scene.id, id));
}

/** Scenes due between `from` and `upTo` that have not been applied. */
export function findDueScenes(tx: PlatformTx, from: Date, upTo: Date): Promise<SceneRow[]> {
  return tx.find(scene, and(isNull(scene.appliedAt), gte(scene.at, from), lte(scene.at, upTo)), {
    orderBy: asc(scene.at),
  });
}

/**
 * Claims a due scene, so that it is applied once; false if another process has claimed it, or if its time was changed.
 */
export async function takeDueScene(tx: TenantTx, id: string, at: Date, appliedAt: Date): Promise<boolean> {
  return (
    (await tx.update(scene, { appliedAt }, allOf(eq(scene.id, id), eq(scene.at, at), isNull(scene.appliedAt)))).length >
    0
  );
}

/** Stores a ballot, replacing the voter's earlier one. */
export async function putBallot(
  tx: TenantTx,
  { voteId, voter, conferenceId, name, option }: Omit<BallotRow, 'tenantId'>,
): Promise<void> {
  await tx.insert(
    ballot,
    { voteId, voter, conferenceId, name, option },
    { target: [ballot.voteId, ballot.voter], set: { option } },
  );
}

export function findBallots(tx: Reader, conferenceId: string, voteId: string): Promise<BallotRow[]> {
  return tx.find(ballot, and(eq(ballot.conferenceId, conferenceId), eq(ballot.voteId, voteId)), {
    orderBy: asc(ballot.voter),
  });
}

/** Ballots of a vote per option. */
export async function countBallots(tx: TenantTx, conferenceId: string, voteId: string): Promise<Map<number, number>> {
  const ballots = tx.scoped(ballot);
  const rows = await tx
    .select({ option: ballots.option, n: count() })
    .from(ballots)
    .where(and(eq(ballots.conferenceId, conferenceId), eq(ballots.voteId, voteId)))
    .groupBy(ballots.option);
  return new Map(rows.map(({ option, n }) => [option, n]));
}
