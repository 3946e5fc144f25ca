export { createRecorderCallers } from './callers.ts';
export { createRecordingPort } from './port.ts';
export { Watchdog } from './watchdog.ts';
