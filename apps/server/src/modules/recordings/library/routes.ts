import type { contract } from '@rmeet/contract';
import { AppError, type Handlers } from '../../../platform/http/index.ts';
import type { Exports } from './exports.ts';
import type { Grants } from './grants.ts';
import type { Playback } from './playback.ts';
import type { Removal } from './removal.ts';
import type { Library } from './service.ts';
import type { Shares } from './shares.ts';
import type { ShareViews } from './share-views.ts';

export interface LibraryServices {
  library: Library;
  grants: Grants;
  removal: Removal;
  playback: Playback;
  exports: Exports;
  shares: Shares;
  views: ShareViews;
}

export const libraryRoutes = ({
  library,
  grants,
  removal,
  playback,
  exports,
  shares,
  views,
}: LibraryServices): Handlers<typeof contract.recordings> => ({
  queryRecord: (context, { query }) => library.query(context, query),
  searchRecord: (context, { body }) => library.query(context, body),
  getRecordLink: (context, { query }) => grants.links(context, query.meetId),
  grantRecordIds: (context, input) => grants.grant(context, input),
  usage: (context) => library.usage(context),
  detail: (context, { params }) => library.detail(context, params.id),
  timeline: (context, { params }) => library.timeline(context, params.id),
  change: (context, input) => library.change(context, input),
  remove: (context, { body }) => removal.remove(context, body),
  restore: (context, { body }) => removal.restore(context, body.ids),
  playback: (context, { params }) => playback.playback(context, params.id),
  playlist: (context, input) => playback.playlist(context, input),
  media: (context, input) => playback.media(context, input),
  exports: (context, { params }) => exports.exports(context, params.id),
  startExport: (context, input) => exports.startExport(context, input),
  async cancelExport(context, { params }) {
    await exports.cancelExport(context, params.id);
    return null;
  },
  exportFile: (context, { params }) => exports.exportFile(context, params.id),
  shares: (context, { params }) => shares.shares(context, params.id),
  share: (context, input) => shares.share(context, input),
  async unshare(context, { params }) {
    await shares.unshare(context, params.id);
    return null;
  },
  openShare: (context, { body }) => views.open(context, body),
  sharedPlayback: (context, { body }) => playback.sharedPlayback(context, body.view),
  async sharedFile({ address }, { query }) {
    const { row, share } = await views.byView(query.view, address);
    if (!share.download) throw new AppError('RECORDING_DOWNLOAD_OFF');
    return exports.sharedFile(row, share.createdBy, query.again);
  },
});
