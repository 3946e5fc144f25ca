import type { TenantTx } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/http/index.ts';
import { findAccounts } from '../../accounts/users/index.ts';
import type { Body } from '../booking/type-rules.ts';
import type { Invitation } from '../repo.ts';

/** The participants without duplicates and without the host. @throws AppError PARTICIPANT_UNKNOWN */
export async function resolveParticipants(
  tx: TenantTx,
  participants: Body['participants'],
  hostId: string,
): Promise<Invitation[]> {
  const userIds = new Set(participants.flatMap((p) => (p.kind === 'user' && p.userId !== hostId ? [p.userId] : [])));
  const emails = new Map(
    participants.flatMap((p) => (p.kind === 'mail' ? [[p.email.toLowerCase(), p.email] as const] : [])),
  );
  const known = await findAccounts(tx, [...userIds]);
  if (known.length < userIds.size || known.some((person) => person.kind !== 'user'))
    throw new AppError('PARTICIPANT_UNKNOWN');
  const parties = new Map(
    participants.flatMap((p) => (p.kind === 'phone' ? [[p.phone.replaceAll(/[\s-]/g, ''), p.name] as const] : [])),
  );
  return [
    ...[...userIds].map((accountId) => ({ accountId })),
    ...[...emails.values()].map((email) => ({ email })),
    ...[...parties].map(([phone, name]) => ({ phone, name })),
  ];
}
