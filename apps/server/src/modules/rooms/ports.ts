import type { TenantTx } from '../../platform/db/index.ts';
import type { UserCaller } from '../../platform/http/index.ts';
import type { Push } from '../../platform/push/index.ts';
import type { MeetingRow } from '../meetings/tables.ts';

/** What rooms need of meetings, a module that builds on this one. */
export interface RoomMeetings {
  /** A meeting that was not cancelled; `lock` locks it to the end of the transaction. */
  findMeeting(tx: TenantTx, id: string, lock: boolean): Promise<MeetingRow | undefined>;
  /** A meeting for those who may manage it. @throws AppError FORBIDDEN, NOT_FOUND */
  manageMeeting(tx: TenantTx, id: string, caller: UserCaller, options: { lock: boolean }): Promise<MeetingRow>;
  /** The ids of the meetings that the caller may see. */
  visibleTo(tx: TenantTx, caller: UserCaller, meetings: readonly MeetingRow[]): Promise<Set<string>>;
  /** Whether the meeting's running conference shows that its rooms are in use. */
  usesRooms(meeting: MeetingRow, now: Date): boolean;
  /** Rooms of meetings that start by this time are open for check-in at `now`. */
  openBy(now: Date): Date;
  announceMeeting(push: Push, tx: TenantTx, meetId: string): Promise<void>;
}

/** What rooms need of notices. Both are called last in the transaction that changed the meeting. */
export interface RoomNotices {
  /** Notifies people of a meeting that its manager has changed. */
  meetingChanged(tx: TenantTx, actor: { caller: { userId: string } }, meetingId: string): Promise<void>;
  /** Notifies people that the server has released a room without check-in. */
  roomReleased(tx: TenantTx, meetingId: string): Promise<void>;
}
