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
  /** What `read` is expected to say: if the conference knows it, the conference is not locked. */
  expected: RecordReport,
  /** Read once the conference is locked, so that it includes every command before; null: nothing to report. */
  read: () => Promise<RecordReport | null>,
) => Promise<void>;

const isKnown = (known: RecordReport, { status, trouble, isSpaceLow }: RecordReport): boolean =>
  known.status === status && known.trouble === trouble && known.isSpaceLow === isSpaceLow;

/** Usable in any process with a connection to the database: nothing of it concerns the media engine. */
export function createRecordReports(deps: Pick<ExecutionDeps, 'push' | 'now'>): ReportRecording {
  const execution: ExecutionDeps = { ...deps, engine: { changed: () => undefined }, moved: async () => undefined };
  return async (tx, { id, meetingId }, expected, read) => {
    const known = await findRunning(tx, meetingId);
    if (known?.control.recording?.id !== id || isKnown(known.control.recording, expected)) return;
    const conference = await findRunning(tx, meetingId, true);
    const recording = conference?.control.recording;
    if (!conference || recording?.id !== id || recording.status === 'STOPPED') return;
    const report = await read();
    if (!report) return;
    if (isKnown(recording, report)) return;
    const { status, trouble, isSpaceLow } = report;
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
