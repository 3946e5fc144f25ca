import type { TenantTx } from '../../platform/db/index.ts';
import type { UserCaller } from '../../platform/http/index.ts';
import type { Push } from '../../platform/push/index.ts';
import type { MeetingRow } from '../meetings/tables.ts';

/** What resources need of meetings, a module that builds on this one. */
export interface ResourceMeetings {
  /** A meeting that was not cancelled. */
  findMeeting(tx: TenantTx, id: string): Promise<MeetingRow | undefined>;
  /** A meeting for those who may manage it. @throws AppError FORBIDDEN, NOT_FOUND */
  manageMeeting(tx: TenantTx, id: string, caller: UserCaller, options: { lock: boolean }): Promise<MeetingRow>;
  /** Whether the caller may manage a meeting. */
  isManagedBy(tx: TenantTx, caller: UserCaller, meeting: MeetingRow): Promise<boolean>;
  /** Whether a meeting is over, or can no longer be opened. */
  isOver(meeting: MeetingRow, now: Date): boolean;
  announceMeeting(push: Push, tx: TenantTx, meetId: string): Promise<void>;
}
