import type { TenantTx } from '../../../platform/db/index.ts';

/** What running conferences need of broadcasts, a module that builds on this one. */
export interface BroadcastPort {
  /** People paused or stopped the recording of a conference that is on air: its broadcast pauses. */
  recordingHeld(tx: TenantTx, meetingId: string, at: Date): Promise<void>;
  /** The conference is over: its broadcast, if it went on air, is over, too. */
  conferenceEnded(tx: TenantTx, meetingId: string, at: Date): Promise<void>;
}
