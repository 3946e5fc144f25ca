import type { TenantTx } from '../../../platform/db/index.ts';
import { AppError, type UserCaller } from '../../../platform/http/index.ts';
import { findMeeting, invitedOf, isInvited } from '../repo.ts';
import { isOver, isToCome } from '../status.ts';
import type { MeetingRow } from '../tables.ts';
import { grantedOf, isGranted } from './grants.ts';
import { mayManage, maySee, relationTo, type MeetingRelation } from './policy.ts';

type Person = Pick<UserCaller, 'userId' | 'tenantId' | 'isTenantAdmin'>;

/** The relation of an account to a meeting. */
export async function relationIn(
  tx: Pick<TenantTx, 'findOne'>,
  person: Person,
  meeting: Pick<MeetingRow, 'id' | 'hostId' | 'tenantId'>,
): Promise<MeetingRelation> {
  const known = relationTo(person, meeting, { isGranted: false, isInvited: false });
  if (known !== 'none' || person.tenantId !== meeting.tenantId) return known;
  return relationTo(person, meeting, {
    isGranted: await isGranted(tx, meeting.id, person.userId),
    isInvited: await isInvited(tx, meeting.id, person.userId),
  });
}

/** Whether an account may manage a meeting. */
export async function isManagedBy(
  tx: Pick<TenantTx, 'findOne'>,
  person: Person,
  meeting: Pick<MeetingRow, 'id' | 'hostId' | 'tenantId'>,
): Promise<boolean> {
  return mayManage(await relationIn(tx, person, meeting));
}

/** Those of the meetings that an account may see. */
export async function visibleTo(tx: TenantTx, person: Person, meetings: readonly MeetingRow[]): Promise<Set<string>> {
  const ids = meetings.map(({ id }) => id);
  const [granted, invited] = [await grantedOf(tx, ids, person.userId), await invitedOf(tx, ids, person.userId)];
  const seen = meetings.filter(
    (row) =>
      row.cancelledAt === null &&
      maySee(relationTo(person, row, { isGranted: granted.has(row.id), isInvited: invited.has(row.id) })),
  );
  return new Set(seen.map(({ id }) => id));
}

/**
 * A meeting for its host or a stand-in; `lock` locks it to the end of the transaction.
 *
 * @throws AppError FORBIDDEN for callers who may only see it, NOT_FOUND for all others
 */
export async function manageMeeting(
  tx: TenantTx,
  id: string,
  caller: UserCaller,
  { lock }: { lock: boolean },
): Promise<MeetingRow> {
  const row = await findMeeting(tx, id, lock);
  const relation = row ? await relationIn(tx, caller, row) : 'none';
  if (!row || !maySee(relation)) throw new AppError('NOT_FOUND');
  if (!mayManage(relation)) throw new AppError('FORBIDDEN');
  return row;
}

/** @throws AppError MEETING_ENDED, MEETING_RUNNING if a meeting can be neither changed nor cancelled */
export function mustBeChangeable(
  row: Pick<MeetingRow, 'type' | 'hasConference' | 'status' | 'startTime' | 'endTime'>,
  now: Date,
): void {
  if (isOver(row, now)) throw new AppError('MEETING_ENDED');
  if (!isToCome(row, now)) throw new AppError('MEETING_RUNNING');
}
