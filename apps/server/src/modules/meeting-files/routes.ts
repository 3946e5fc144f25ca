import type { contract } from '@rmeet/contract';
import type { Handlers } from '../../platform/http/index.ts';
import type { createDocuments } from './documents.ts';
import type { createDownloads } from './download.ts';
import type { createFolders } from './folders.ts';
import type { createPreviews } from './preview.ts';
import type { createUploads } from './uploads.ts';

interface Services {
  documents: ReturnType<typeof createDocuments>;
  downloads: ReturnType<typeof createDownloads>;
  folders: ReturnType<typeof createFolders>;
  previews: ReturnType<typeof createPreviews>;
  uploads: ReturnType<typeof createUploads>;
}

export const meetingFileRoutes = ({
  documents,
  downloads,
  folders,
  previews,
  uploads,
}: Services): Handlers<typeof contract.meetingFiles> => ({
  list: (context, input) => documents.list(context, input),
  createFolder: (context, input) => folders.create(context, input),
  renameFolder: (context, input) => folders.rename(context, input),
  removeFolder: (context, { params }) => folders.remove(context, params.id),
  startUpload: (context, { body }) => uploads.start(context, body),
  change: (context, input) => documents.change(context, input),
  remove: (context, { params }) => documents.remove(context, params.id),
  versions: (context, { params }) => documents.versions(context, params.id),
  preview: (context, { params }) => previews.preview(context, params.id),
  shown: (context, { params }) => previews.shown(context, params.sign),
  download: (context, input) => downloads.file(context, input),
  downloadDic: (context, { params }) => downloads.folder(context, params.id),
});
