import type { Meeting } from '@rmeet/contract';
import { isOver } from './status.ts';
import type { MeetingRow } from './tables.ts';

/** What an account is to a meeting. A tenant admin stands in for the host of every meeting of the tenant. */
export type MeetingRelation = 'host' | 'admin' | 'invited' | 'none';

export function relationTo(
  caller: { userId: string; tenantId: string; isTenantAdmin: boolean },
  meeting: Pick<MeetingRow, 'hostId' | 'tenantId'>,
  isInvited: boolean,
): MeetingRelation {
  if (caller.tenantId !== meeting.tenantId) return 'none';
  if (caller.userId === meeting.hostId) return 'host';
  if (caller.isTenantAdmin) return 'admin';
  return isInvited ? 'invited' : 'none';
}

export function maySee(relation: MeetingRelation): boolean {
  return relation !== 'none';
}

export function mayManage(relation: MeetingRelation): boolean {
  return relation === 'host' || relation === 'admin';
}

/** What somebody may do with a meeting now. */
export function meetingCan(relation: MeetingRelation, meeting: Pick<MeetingRow, 'status' | 'endTime'>, now: Date): Meeting['can'] {
  const over = isOver(meeting, now);
  const waits = !over && meeting.status === 'SCHEDULE';
  const manages = mayManage(relation);
  return {
    edit: manages && waits,
    cancel: manages && waits,
    start: manages && waits,
    join: maySee(relation) && !over,
    end: manages && meeting.status === 'ONLINE',
  };
}
