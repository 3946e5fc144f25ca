export { createRecorderCallers, createRecordingPort, Watchdog } from './control/index.ts';
