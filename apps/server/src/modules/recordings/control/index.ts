export { createRecorderCallers } from './callers.ts';
export { identityOf, smallIdentityOf } from './leases.ts';
export { createRecordingPort } from './port.ts';
export { showOnly } from './show-only.ts';
export { Watchdog } from './watchdog.ts';
