import { meetingFiles, pathOf } from '@rmeet/contract';

/** The download of a file; without a version, of the newest one. */
export const pathOfFile = (id: string, version?: number): string =>
  pathOf(meetingFiles.download, { params: { id }, query: { version } });
