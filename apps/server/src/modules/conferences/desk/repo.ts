import { and, desc, eq, gt, inArray, isNull, lt } from 'drizzle-orm';
import { allOf } from '../../../platform/db/conditions.ts';
import type { PlatformTx, TenantTx } from '../../../platform/db/index.ts';
import { deskLink, deskSession, type DeskLinkRow } from '../tables.ts';

type Reader = Pick<TenantTx, 'find' | 'findOne'>;

/** Links in a list. */
const LISTED = 100;
/** Desks that one link keeps open; a new one replaces the oldest. */
const DESKS_PER_LINK = 50;

export async function insertLink(
  tx: TenantTx,
  values: Omit<DeskLinkRow, 'tenantId' | 'revokedAt' | 'lastUsedAt'>,
): Promise<DeskLinkRow> {
  const [row] = await tx.insert(deskLink, values);
  if (!row) throw new Error('The link was not stored.');
  return row;
}

export function findLinks(tx: Reader, meetingId: string): Promise<DeskLinkRow[]> {
  return tx.find(deskLink, eq(deskLink.meetingId, meetingId), {
    orderBy: [desc(deskLink.createdAt), desc(deskLink.id)],
    limit: LISTED,
  });
}

/** Revokes a link unless it was revoked before; undefined if the meeting has no such link to revoke. */
export async function endLink(
  tx: TenantTx,
  meetingId: string,
  id: string,
  revokedAt: Date,
): Promise<DeskLinkRow | undefined> {
  const [row] = await tx.update(
    deskLink,
    { revokedAt },
    allOf(eq(deskLink.id, id), eq(deskLink.meetingId, meetingId), isNull(deskLink.revokedAt)),
  );
  return row;
}

export function findLink(tx: Reader, meetingId: string, id: string): Promise<DeskLinkRow | undefined> {
  return tx.findOne(deskLink, and(eq(deskLink.id, id), eq(deskLink.meetingId, meetingId)));
}

export function findLinkBySecret(tx: PlatformTx, hash: string): Promise<DeskLinkRow | undefined> {
  return tx.findOne(deskLink, eq(deskLink.tokenHash, hash));
}

/** The link that opened the desk of a token; undefined if there is no such desk. */
export async function findLinkOfDesk(tx: PlatformTx, hash: string): Promise<DeskLinkRow | undefined> {
  const desk = await tx.findOne(deskSession, eq(deskSession.tokenHash, hash));
  return desk && tx.findOne(deskLink, eq(deskLink.id, desk.linkId));
}

/** Stores a desk opened by a link. */
export async function insertDesk(tx: TenantTx, link: DeskLinkRow, tokenHash: string, now: Date): Promise<void> {
  await tx.update(deskLink, { lastUsedAt: now }, eq(deskLink.id, link.id));
  const open = await tx.find(deskSession, eq(deskSession.linkId, link.id), { orderBy: desc(deskSession.createdAt) });
  const surplus = open.slice(DESKS_PER_LINK - 1).map((row) => row.tokenHash);
  if (surplus.length > 0) await tx.delete(deskSession, inArray(deskSession.tokenHash, surplus));
  await tx.insert(deskSession, { tokenHash, linkId: link.id, createdAt: now });
}

/** Deletes links that expired before a time, and the desks they opened. */
export async function dropLinksBefore(tx: PlatformTx, time: Date): Promise<void> {
  await tx.delete(deskLink, lt(deskLink.expiresAt, time));
}

/** The ids of the active links among these. */
export async function findActiveLinks(tx: PlatformTx, ids: readonly string[], now: Date): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await tx.find(
    deskLink,
    allOf(inArray(deskLink.id, [...ids]), isNull(deskLink.revokedAt), gt(deskLink.expiresAt, now)),
  );
  return new Set(rows.map((row) => row.id));
}
