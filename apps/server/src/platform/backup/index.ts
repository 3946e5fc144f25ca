export { backUp } from './backup.ts';
export { ownVersion, pathGiven, placeGiven, runProgram, WrongUse } from './cli.ts';
export { moveFormerDatabase } from './former.ts';
export { restore } from './restore.ts';
export { scheduleBackups } from './schedule.ts';
export { bringBack, copyRecordings, progressLine, recordingsOf, refuseFailed } from './recordings.ts';
