export { mediaRoomOf } from './media-room.ts';
export type { RecordingPort } from './port.ts';
export { createRecord, type Recordings } from './record.ts';
export { createRecordReports, type RecordReport, type ReportRecording } from './reports.ts';
