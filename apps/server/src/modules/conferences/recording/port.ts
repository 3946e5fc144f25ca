import type { RecordTrouble } from '@rmeet/conference';
import type { PlatformTx, TenantTx } from '../../../platform/db/index.ts';

/** What people want of a recording that runs. */
export type RecordingWish = 'record' | 'pause' | 'stop';

/** A recording that begins, and its conference. */
export interface NewRecording {
  id: string;
  meetingId: string;
  conferenceId: string;
  at: Date;
}

/** The newest recording of a meeting whose conference is over. */
export interface LastRecording {
  id: string;
  status: 'STOPPED' | 'FAILED';
  trouble: RecordTrouble | null;
  startedAt: Date;
}

/** What running conferences need of recordings, a module that builds on this one. */
export interface RecordingPort {
  /** Stores a recording that begins; a recorder takes it. */
  start(tx: TenantTx, recording: NewRecording): Promise<void>;
  setWish(tx: TenantTx, recordingId: string, wish: RecordingWish, at: Date): Promise<void>;
  /** The conference is over: what it records is finished. */
  conferenceEnded(tx: TenantTx, conferenceId: string, at: Date): Promise<void>;
  /** Whether the organisation's space for recordings is used up. */
  isFull(tx: TenantTx): Promise<boolean>;
  findLast(tx: TenantTx, meetingId: string): Promise<LastRecording | undefined>;
  /** The media identities of the recorders that hold recordings of these conferences now. */
  recordersIn(tx: PlatformTx, conferenceIds: readonly string[]): Promise<string[]>;
}
