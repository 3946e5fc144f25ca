import type { PlatformTx } from '../../platform/db/index.ts';
import { AppError, networkOf } from '../../platform/http/index.ts';
import { hashToken } from '../../platform/secrets/index.ts';
import { unknownSecret, type Guesser } from '../accounts/auth/index.ts';
import { findMeeting, isOver } from '../meetings/index.ts';
import type { MeetingRow } from '../meetings/tables.ts';
import { findTenant } from '../accounts/tenants/index.ts';
import { findByHash } from './repo.ts';
import type { GuestTokenRow } from './tables.ts';

/** Attempts with unknown links, per network. */
const linkGuesser = (address: string): Guesser => ({
  scope: 'guest-link',
  key: [networkOf(address)],
  free: 20,
  delay: 2,
  maxDelay: 300,
});

/** A valid guest link. */
export interface GuestLink {
  token: GuestTokenRow;
  meeting: MeetingRow;
}

/**
 * The meeting of a guest link. Refusals are returned instead of thrown, because counted guesses have to be committed:
 * GUEST_LINK_INVALID whatever the reason, TOO_MANY_REQUESTS after many guesses.
 */
export async function openGuestLink(
  tx: PlatformTx,
  resource: string,
  address: string,
  now: Date,
): Promise<AppError | GuestLink> {
  const token = await findByHash(tx, hashToken(resource));
  // 256 bits cannot be guessed, so wrong attempts from the same network do not delay a link that exists.
  if (!token) return unknownSecret(tx, linkGuesser(address), now, 'GUEST_LINK_INVALID');
  const meeting = await findMeeting(tx.asTenant(token.tenantId), token.meetingId);
  const tenant = await findTenant(tx, token.tenantId);
  const isActive = token.revokedAt === null && token.expiresAt > now && tenant?.enabled;
  return meeting && isActive && !isOver(meeting, now) ? { token, meeting } : new AppError('GUEST_LINK_INVALID');
}
