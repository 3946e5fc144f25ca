import type { ErrorCode, Meeting } from '@rmeet/contract';
import { hasConference, isApproved, isHeld, isOver, isToCome, refusalWithoutConference, type Kind } from '../status.ts';
import type { MeetingRow } from '../tables.ts';

/**
 * The relation of an account to a meeting. A tenant administrator stands in for the host of every meeting of the
 * tenant, an account that was granted a meeting for its host only.
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

/** Why a meeting cannot be opened by any caller; null if its conference can be opened. */
export function refusalToOpen(meeting: Kind & Pick<MeetingRow, 'approval' | 'status'>): ErrorCode | null {
  const refusal = refusalWithoutConference(meeting);
  if (refusal) return refusal;
  return isHeld(meeting) || isApproved(meeting) ? null : 'MEETING_NOT_APPROVED';
}

/** What a caller may do with a meeting now. */
export function meetingCan(
  relation: MeetingRelation,
  meeting: Kind & Pick<MeetingRow, 'approval' | 'status' | 'startTime' | 'endTime'>,
  now: Date,
): Meeting['can'] {
  const over = isOver(meeting, now);
  const opens = refusalToOpen(meeting) === null;
  const isUpcoming = !over && isToCome(meeting, now);
  const manages = mayManage(relation);
  return {
    edit: manages && isUpcoming,
    cancel: manages && isUpcoming,
    start: manages && !over && meeting.status === 'SCHEDULE' && opens,
    join: maySee(relation) && !over && opens,
    end: manages && hasConference(meeting) && isHeld(meeting),
    guests: manages && hasConference(meeting),
    grant: manages && !over,
  };
}
