import type { contract } from '@rmeet/contract';
import { AppError, type Handlers } from '../../../platform/http/index.ts';
import type { Playback } from './playback.ts';
import type { Library } from './service.ts';

export interface LibraryServices {
  library: Library;
  playback: Playback;
}

const missing = (): never => {
  throw new AppError('NOT_FOUND');
};

export const libraryRoutes = ({ library, playback }: LibraryServices): Handlers<typeof contract.recordings> => ({
  queryRecord: (context, { query }) => library.query(context, query),
  searchRecord: (context, { body }) => library.query(context, body),
  getRecordLink: missing,
  grantRecordIds: missing,
  usage: missing,
  detail: (context, { params }) => library.detail(context, params.id),
  timeline: (context, { params }) => library.timeline(context, params.id),
  change: missing,
  remove: missing,
  restore: missing,
  playback: (context, { params }) => playback.playback(context, params.id),
  playlist: (context, input) => playback.playlist(context, input),
  media: (context, input) => playback.media(context, input),
  exports: missing,
  startExport: missing,
  cancelExport: missing,
  exportFile: missing,
  shares: missing,
  share: missing,
  unshare: missing,
  openShare: missing,
  sharedPlayback: missing,
  sharedFile: missing,
});
