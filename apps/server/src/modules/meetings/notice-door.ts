import type { ApprovalState } from '@rmeet/contract';
import type { TenantTx } from '../../platform/db/index.ts';

/** Who acts. */
export interface NoticeActor {
  caller: { userId: string };
}

/** What became of what somebody had to approve; by whom, and what they said, where somebody decided. */
export interface ApprovalOutcome {
  state: Exclude<ApprovalState, 'waiting'>;
  approver: string;
  note: string;
}

/** What meetings need of notices, which stand on meetings and therefore hand it in. */
export interface NoticeDoor {
  /**
   * Tells people what has become of a meeting: whoever is new is invited, whoever is out is told so, and the others
   * hear of what they would see changed, and approvers of what waits for them. To be called in the transaction that
   * changed it, after everything else, since it publishes on topic `user`. Looks at the meeting as it is stored, so it
   * may be called once too often.
   */
  meetingChanged(tx: TenantTx, actor: NoticeActor, meetingId: string): Promise<void>;
  /**
   * Tells people, the host among them, that the server has taken back a room of the meeting that nobody checked in to.
   * To be called as `meetingChanged` is.
   */
  roomReleased(tx: TenantTx, meetingId: string): Promise<void>;
  /**
   * Tells the host that meetings which waited for approval are decided at once, or that it is too late for them, and
   * people what has become of them. To be called as `meetingChanged` is, and in place of it.
   */
  approvalSettled(tx: TenantTx, meetingIds: readonly string[], outcome: ApprovalOutcome): Promise<void>;
}
