import { LIMITS } from '@rmeet/contract';
import type { TenantTx } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/http/index.ts';
import { recountPorts } from '../../resources/index.ts';
import type { Body } from '../booking/type-rules.ts';
import { addParticipants, findParticipants, updateMeeting, type Invitation } from '../repo.ts';
import type { MeetingParticipantRow, MeetingRow } from '../tables.ts';
import { resolveParticipants } from './resolve.ts';

/** A key of an invitation that does not depend on the spelling of an address. */
function keyOf(invitation: Invitation | MeetingParticipantRow): string {
  const { accountId, email, phone } = { accountId: null, email: null, phone: null, ...invitation };
  return accountId ?? email?.toLowerCase() ?? `tel:${phone}`;
}

/**
 * Invites more people to a meeting that may be running, by the rules of booking. Those who are invited already stay so.
 * Audit log and notices are left to the caller.
 *
 * @param row the meeting, locked to the end of the transaction
 * @returns the participants that were named, without the host
 * @throws AppError PARTICIPANT_UNKNOWN, INVITEES_FULL, RESOURCE_FULL
 */
export async function inviteMore(
  tx: TenantTx,
  row: MeetingRow,
  people: Body['participants'],
  now: Date,
): Promise<MeetingParticipantRow[]> {
  const named = await resolveParticipants(tx, people, row.hostId);
  const known = await findParticipants(tx, [row.id]);
  const knownKeys = new Set(known.map(keyOf));
  const added = named.filter((one) => !knownKeys.has(keyOf(one)));
  if (known.length + added.length > LIMITS.participants)
    throw new AppError('INVITEES_FULL', { limit: LIMITS.participants });
  if (added.length > 0) {
    await addParticipants(tx, row.id, added, (known.at(-1)?.position ?? -1) + 1);
    // Counts as an edit, so that a form that was opened before does not drop them.
    await updateMeeting(tx, row.id, row.version, { updatedAt: now, detached: row.detached || row.seriesId !== null });
    await recountPorts(tx, row);
  }
  const keys = new Set(named.map(keyOf));
  return (await findParticipants(tx, [row.id])).filter((one) => keys.has(keyOf(one)));
}
