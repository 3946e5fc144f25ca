import type { ApprovalState, contract, Input } from '@rmeet/contract';
import type { TenantTx } from '../../platform/db/index.ts';
import type { MeetingRow } from './tables.ts';

/** What meetings need of conferences, a module that builds on this one. */
export interface ConferencePort {
  /** Opens the meeting's conference, unless it is already running; `record` is part of the opening. */
  open(meeting: MeetingRow, record?: (tx: TenantTx) => Promise<void>): Promise<void>;
  terminalCounts(tx: TenantTx, meetIds: readonly string[]): Promise<Map<string, number>>;
  /** Whether a meeting is being recorded, or will be as soon as it begins. */
  isRecorded(tx: TenantTx, meeting: Pick<MeetingRow, 'id' | 'autoRecord'>): Promise<boolean>;
  /**
   * Locks the meeting's conference, if one is running. Conferences are always locked before their meetings. The
   * returned function admits terminals in the waiting room that are now on the white list.
   */
  holdForWhiteList(tx: TenantTx, meetId: string): Promise<() => Promise<void>>;
  /**
   * Ends a conference that was opened before its time, because the meeting is to be cancelled, and notifies its
   * terminals. Does nothing if none runs.
   */
  endCancelled(tenantId: string, meetId: string): Promise<void>;
}

/** The author of the change. */
export interface NoticeActor {
  caller: { userId: string };
}

/** The decision about a request for approval; with approver and note if a person decided. */
export interface ApprovalOutcome {
  state: Exclude<ApprovalState, 'waiting'>;
  approver: string;
  note: string;
}

/** Why a channel cannot be used for a host's meetings; null if it can. */
export type BlockedChannels = Record<'mail' | 'sms', 'notConfigured' | 'notPermitted' | null>;

/** What meetings need of notices, a module that builds on this one. */
export interface NoticePort {
  /**
   * Notifies people of a change of a meeting: new participants are invited, removed ones are notified, the others
   * receive what has changed for them, and approvers what waits for them. Call it last in the transaction of the
   * change, since it publishes on topic `user`. It compares with the stored meeting, so calling it too often does no
   * harm.
   */
  meetingChanged(tx: TenantTx, actor: NoticeActor, meetingId: string): Promise<void>;
  /**
   * Notifies people, including the host, that the server has released a room of the meeting without check-in. Call it
   * like `meetingChanged`.
   */
  roomReleased(tx: TenantTx, meetingId: string): Promise<void>;
  /**
   * Notifies the host of the decision about meetings that waited for approval, or that it came too late, and people of
   * the result. Call it instead of `meetingChanged`.
   */
  approvalSettled(tx: TenantTx, meetingIds: readonly string[], outcome: ApprovalOutcome): Promise<void>;
  /** Why invitations to a host's meetings cannot be sent by mail or text message; null if they can. */
  blockedChannels(tx: TenantTx, hostId: string): Promise<BlockedChannels>;
}

/** What meetings need of live broadcasts, a module that builds on this one. */
export interface LivePort {
  /**
   * Checks the settings of a broadcast before its meeting is booked. The returned function stores them for the meeting,
   * and for all others of its series.
   *
   * @throws AppError BROADCAST_PASSWORD_REQUIRED; when they are stored PARTICIPANT_UNKNOWN
   */
  prepare(
    settings: Input<typeof contract.meetings.createLive>['body']['live'],
  ): Promise<(tx: TenantTx, meeting: MeetingRow) => Promise<void>>;
  /** A meeting was changed: those added to its series get broadcasts with the settings of the edited one. */
  meetingChanged(tx: TenantTx, meeting: MeetingRow, editedId: string): Promise<void>;
}
