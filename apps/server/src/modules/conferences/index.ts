export type { ConferenceEvents } from './events.ts';
export { createConferences, type Conferences } from './create.ts';
export type { BroadcastPort, Stage } from './broadcast/index.ts';
export { clearDesks, defineDeskJobs } from './desk/index.ts';
export { isVisibleTo } from './chat/parties.ts';
export {
  createRecordReports,
  mediaRoomOf,
  type RecordingPort,
  type RecordReport,
  type ReportRecording,
} from './recording/index.ts';
export { findMessageOfFile, findMessages } from './repo.ts';
export { presentMessages } from './state.ts';
