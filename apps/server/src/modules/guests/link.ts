import type { PlatformTx } from '../../platform/db/index.ts';
import { AppError, networkOf } from '../../platform/http/index.ts';
import { hashToken } from '../../platform/secrets/index.ts';
import { unknownSecret, type Guesser } from '../accounts/auth/index.ts';
import { findMeeting, isOver } from '../meetings/index.ts';
import type { MeetingRow } from '../meetings/tables.ts';
import { findTenant } from '../accounts/tenants/index.ts';
import { findByHash } from './repo.ts';
import type { GuestTokenRow } from './tables.ts';

/** Links tried that never were, by where they are tried from. */
const linkGuesser = (address: string): Guesser => ({
  scope: 'guest-link',
  key: [networkOf(address)],
  free: 20,
  delay: 2,
  maxDelay: 300,
});

/** A guest link that works. */
export interface GuestLink {
  token: GuestTokenRow;
  meeting: MeetingRow;
}

/**
 * What a guest link leads to. Refusals are answered, not thrown, because counted guesses have to be committed:
 * GUEST_LINK_INVALID whatever the reason, TOO_MANY_REQUESTS after many guesses.
 */
export async function openGuestLink(
  tx: PlatformTx,
  resource: string,
  address: string,
  now: Date,
): Promise<AppError | GuestLink> {
  const token = await findByHash(tx, hashToken(resource));
  // Nobody guesses 256 bits: what others behind the address tried does not hold up a link that there is.
  if (!token) return unknownSecret(tx, linkGuesser(address), now, 'GUEST_LINK_INVALID');
  const meeting = await findMeeting(tx.asTenant(token.tenantId), token.meetingId);
  const tenant = await findTenant(tx, token.tenantId);
  const works = token.revokedAt === null && token.expiresAt > now && tenant?.enabled;
  return meeting && works && !isOver(meeting, now) ? { token, meeting } : new AppError('GUEST_LINK_INVALID');
}
