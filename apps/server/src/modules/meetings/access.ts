import type { TenantTx } from '../../platform/db/index.ts';
import { AppError, type UserCaller } from '../../platform/http/index.ts';
import { isGranted } from './grants.ts';
import { mayManage, maySee, relationTo, type MeetingRelation } from './policy.ts';
import { findMeeting, isInvited } from './repo.ts';
import type { MeetingRow } from './tables.ts';

type Person = Pick<UserCaller, 'userId' | 'tenantId' | 'isTenantAdmin'>;

/** What an account is to a meeting. */
export async function relationIn(tx: Pick<TenantTx, 'findOne'>, person: Person, meeting: Pick<MeetingRow, 'id' | 'hostId' | 'tenantId'>): Promise<MeetingRelation> {
  const known = relationTo(person, meeting, { isGranted: false, isInvited: false });
  if (known !== 'none' || person.tenantId !== meeting.tenantId) return known;
  return relationTo(person, meeting, {
    isGranted: await isGranted(tx, meeting.id, person.userId), isInvited: await isInvited(tx, meeting.id, person.userId),
  });
}

/**
 * A meeting for its host or a stand-in; `lock` holds it to the end of the transaction.
 *
 * @throws AppError FORBIDDEN for those who may only see it, NOT_FOUND for everybody else
 */
export async function manageMeeting(tx: TenantTx, id: string, caller: UserCaller, { lock }: { lock: boolean }): Promise<MeetingRow> {
  const row = await findMeeting(tx, id, lock);
  const relation = row ? await relationIn(tx, caller, row) : 'none';
  if (!row || !maySee(relation)) throw new AppError('NOT_FOUND');
  if (!mayManage(relation)) throw new AppError('FORBIDDEN');
  return row;
}
