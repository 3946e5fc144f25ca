import { and, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { allOf } from '../../platform/db/conditions.ts';
import type { PlatformTx, TenantTx } from '../../platform/db/index.ts';
import { terminalSession, type TerminalRow } from '../conferences/tables.ts';
import { guestToken, type GuestTokenRow } from './tables.ts';

const GUESTS = 500;
const isActive = isNull(guestToken.revokedAt);

/** Revoked ones too: a link that was valid once is not a guess. */
export function findByHash(tx: PlatformTx, tokenHash: string): Promise<GuestTokenRow | undefined> {
  return tx.findOne(guestToken, eq(guestToken.tokenHash, tokenHash));
}

/** The active token of a meeting. */
export function findOfMeeting(tx: TenantTx, meetingId: string): Promise<GuestTokenRow | undefined> {
  return tx.findOne(guestToken, and(eq(guestToken.meetingId, meetingId), isActive));
}

export async function insertToken(
  tx: TenantTx,
  values: Omit<typeof guestToken.$inferInsert, 'tenantId'>,
): Promise<GuestTokenRow> {
  const [row] = await tx.insert(guestToken, values);
  if (!row) throw new Error('The guest token was not stored.');
  return row;
}

/** Undefined if the meeting has none. */
export async function renewToken(
  tx: TenantTx,
  meetingId: string,
  set: Pick<GuestTokenRow, 'tokenHash' | 'createdBy' | 'createdAt' | 'expiresAt'>,
): Promise<GuestTokenRow | undefined> {
  const [row] = await tx.update(guestToken, set, allOf(eq(guestToken.meetingId, meetingId), isActive));
  return row;
}

/** Undefined if the meeting has none. */
export async function revokeToken(
  tx: TenantTx,
  meetingId: string,
  revokedAt: Date,
): Promise<GuestTokenRow | undefined> {
  const [row] = await tx.update(guestToken, { revokedAt }, allOf(eq(guestToken.meetingId, meetingId), isActive));
  return row;
}

/** Counts a use of a link; false if the link was renewed or revoked meanwhile. */
export async function countUse(
  tx: TenantTx,
  { id, tokenHash }: Pick<GuestTokenRow, 'id' | 'tokenHash'>,
): Promise<boolean> {
  const used = await tx.update(
    guestToken,
    { uses: sql`${guestToken.uses} + 1` },
    allOf(eq(guestToken.id, id), eq(guestToken.tokenHash, tokenHash), isActive),
  );
  return used.length > 0;
}

/** Terminals that joined a meeting by its guest links, the newest first. */
export function findGuests(tx: TenantTx, meetingId: string): Promise<TerminalRow[]> {
  return tx.find(
    terminalSession,
    and(eq(terminalSession.meetingId, meetingId), isNotNull(terminalSession.guestTokenId)),
    {
      orderBy: [desc(terminalSession.createdAt), desc(terminalSession.termId)],
      limit: GUESTS,
    },
  );
}
