import { RecordPage as HeldRecordPage } from '../features/history/index.ts';
import { MeetingRecordings } from '../features/recordings/meeting/MeetingRecordings.tsx';

/** The record of a past meeting, with its recordings. */
export function RecordPage() {
  return <HeldRecordPage recordings={(held) => <MeetingRecordings {...held} />} />;
}
