export { mediaRoomOf } from './media-room.ts';
export type { LastRecording, NewRecording, RecordingPort, RecordingWish } from './port.ts';
export { createRecord, type Recordings } from './record.ts';
export { createRecordReports, type RecordReport, type ReportRecording } from './reports.ts';
