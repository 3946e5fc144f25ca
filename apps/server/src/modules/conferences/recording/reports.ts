import type { ConferenceCommand } from '@rmeet/conference';
import type { TenantTx } from '../../../platform/db/index.ts';
import { SERVER } from '../control/authorization.ts';
import { executeCommand, type ExecutionDeps } from '../control/execution.ts';
import { findRunning } from '../repo.ts';

/** What a recorder reports about its recording. */
export type RecordReport = Pick<
  Extract<ConferenceCommand, { verb: 'recordStatus' }>,
  'status' | 'trouble' | 'isSpaceLow'
>;

/** Reports the status of a recording to its conference; does nothing if the conference knows it. */
export type ReportRecording = (
  tx: TenantTx,
  recording: { id: string; meetingId: string },
  /** Read once the conference is locked, so that it includes every command before; null: nothing to report. */
  read: () => Promise<RecordReport | null>,
) => Promise<void>;

/** Usable in any process with a connection to the database: nothing of it concerns the media engine. */
export function createRecordReports(deps: Pick<ExecutionDeps, 'push' | 'now'>): ReportRecording {
  const execution: ExecutionDeps = { ...deps, engine: { changed: () => undefined }, moved: async () => undefined };
  return async (tx, { id, meetingId }, read) => {
    const known = await findRunning(tx, meetingId);
    if (known?.control.recording?.id !== id) return;
    const conference = await findRunning(tx, meetingId, true);
    const recording = conference?.control.recording;
    if (!conference || recording?.id !== id || recording.status === 'STOPPED') return;
    const report = await read();
    if (!report) return;
    const { status, trouble, isSpaceLow } = report;
    if (recording.status === status && recording.trouble === trouble && recording.isSpaceLow === isSpaceLow) return;
    await executeCommand(
      execution,
      tx,
      conference,
      { verb: 'recordStatus', recordingId: id, status, trouble, isSpaceLow },
      SERVER,
      null,
    );
  };
}
