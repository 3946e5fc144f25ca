import { MEETING_FILE_LIMITS, UPLOAD_PATH, contract } from '@rmeet/contract';
import type { FastifyInstance } from 'fastify';
import { mount, mountUploads } from '../../platform/http/index.ts';
import type { Jobs } from '../../platform/jobs/types.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import { createDocuments } from './documents.ts';
import { createDownloads } from './download.ts';
import { createFolders } from './folders.ts';
import { convertSoonBy, scanSoonBy, sweepDocuments } from './jobs.ts';
import { createPreviews } from './preview.ts';
import { meetingFileRoutes } from './routes.ts';
import { createFileReader } from './search.ts';
import { createSignatures } from './signature.ts';
import { createUploads } from './uploads.ts';
import { convertWaiting, scanWaiting, type WorkDeps } from './work.ts';

export { usableConverter } from './converter.ts';
export { defineMeetingFileJobs } from './jobs.ts';
export type { FileReader, ReadFile } from './search.ts';

export interface MeetingFileDeps extends WorkDeps {
  jobs: Jobs;
  secrets: SecretBox;
}

/** The files of meetings, assembled. */
export function createMeetingFiles(deps: MeetingFileDeps) {
  const { jobs, secrets, clamd, soffice, ...base } = deps;
  const shown = { office: soffice !== undefined };
  const uploads = createUploads({ ...base, scans: clamd !== undefined, scanSoon: scanSoonBy(jobs, base.log) });
  const routes = meetingFileRoutes({
    documents: createDocuments({ ...base, shown }),
    downloads: createDownloads(base),
    folders: createFolders(base),
    previews: createPreviews({
      ...base,
      shown,
      signatures: createSignatures(secrets, base.now),
      convertSoon: convertSoonBy(jobs, base.log),
    }),
    uploads,
  });
  return {
    readFor: createFileReader(base),
    mount(app: FastifyInstance): void {
      mount(app, contract.meetingFiles, routes);
      mountUploads(
        app,
        { path: UPLOAD_PATH, permission: 'sys:uploadMeetingFile', most: MEETING_FILE_LIMITS.bytes },
        uploads.tus,
      );
    },
    rounds: {
      scanFiles: () => scanWaiting(deps),
      convertFiles: () => convertWaiting(deps),
      sweepDocuments: () => sweepDocuments(deps),
    },
  };
}
