export { createRecorderCallers, createRecordingPort, identityOf, Watchdog } from './control/index.ts';
