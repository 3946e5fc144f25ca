export { createRecorderCallers } from './callers.ts';
export { identityOf } from './leases.ts';
export { createRecordingPort } from './port.ts';
export { Watchdog } from './watchdog.ts';
