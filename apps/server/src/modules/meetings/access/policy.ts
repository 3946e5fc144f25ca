import type { ErrorCode, Meeting } from '@rmeet/contract';
import { hasConference, isApproved, isHeld, isOver, isToCome } from '../status.ts';
import type { MeetingRow } from '../tables.ts';

/**
 * What an account is to a meeting. A tenant admin stands in for the host of every meeting of the tenant; whoever was
 * granted a meeting does for its host alone, though another booked it.
 */
export type MeetingRelation = 'host' | 'admin' | 'granted' | 'invited' | 'none';

export function relationTo(
  caller: { userId: string; tenantId: string; isTenantAdmin: boolean },
  meeting: Pick<MeetingRow, 'hostId' | 'tenantId'>,
  { isGranted, isInvited }: { isGranted: boolean; isInvited: boolean },
): MeetingRelation {
  if (caller.tenantId !== meeting.tenantId) return 'none';
  if (caller.userId === meeting.hostId) return 'host';
  if (caller.isTenantAdmin) return 'admin';
  if (isGranted) return 'granted';
  return isInvited ? 'invited' : 'none';
}

export function maySee(relation: MeetingRelation): boolean {
  return relation !== 'none';
}

export function mayManage(relation: MeetingRelation): boolean {
  return relation === 'host' || relation === 'admin' || relation === 'granted';
}

/** Why nobody may open a meeting, whoever they are; null where its conference may be opened. */
export function refusalToOpen(meeting: Pick<MeetingRow, 'type' | 'approval' | 'status'>): ErrorCode | null {
  if (!hasConference(meeting)) return 'MEETING_IS_LOCAL';
  return isHeld(meeting) || isApproved(meeting) ? null : 'MEETING_NOT_APPROVED';
}

/** What somebody may do with a meeting now. */
export function meetingCan(
  relation: MeetingRelation,
  meeting: Pick<MeetingRow, 'type' | 'approval' | 'status' | 'startTime' | 'endTime'>,
  now: Date,
): Meeting['can'] {
  const over = isOver(meeting, now);
  const opens = refusalToOpen(meeting) === null;
  const waits = !over && isToCome(meeting, now);
  const manages = mayManage(relation);
  return {
    edit: manages && waits,
    cancel: manages && waits,
    start: manages && !over && meeting.status === 'SCHEDULE' && opens,
    join: maySee(relation) && !over && opens,
    end: manages && hasConference(meeting) && isHeld(meeting),
    guests: manages && hasConference(meeting),
    grant: manages && !over,
  };
}
