import { eq } from 'drizzle-orm';
import { recordingExport, recordingGrant, recording } from '../../../src/modules/recordings/tables.ts';
import { newId } from '../../../src/platform/db/index.ts';
import { storeRecording, type StoredRecording } from '../../../../../packages/recorder/test/stored-recording.ts';
import { all, type Case, type Expected, type Setting } from './case-setting.ts';
import { accountOf, grantTo, type AccountName, type CallerName } from './world.ts';

/** The host, a stand-in and the administrator; the member was granted the recording. */
const watchers: Expected = { host: 'OK', granted: 'OK', tenantAdmin: 'OK', member: 'OK', others: 'NOT_FOUND' };
const managers: Expected = { ...watchers, member: 'FORBIDDEN' };

/** A recording of alice's that the member may watch. */
async function newRecording({ server, north }: Setting): Promise<StoredRecording> {
  const stored = await storeRecording(server, { withTracks: false, startedAt: server.clock.now() });
  await grantTo(server, stored.meetId);
  const accountId = server.people.get(accountOf('member'))?.id ?? '';
  await server.db.tenant(north, (tx) =>
    tx.insert(recordingGrant, { meetingId: stored.meetId, accountId, grantedAt: server.clock.now() }),
  );
  return stored;
}

const shared = new WeakMap<object, Promise<StoredRecording>>();
/** One recording for all calls that change nothing. */
function anyRecording(setting: Setting): Promise<StoredRecording> {
  const known = shared.get(setting.server) ?? newRecording(setting);
  shared.set(setting.server, known);
  return known;
}

const about = async (setting: Setting) => ({ params: { id: (await anyRecording(setting)).id } });
const fresh = async (setting: Setting) => ({ params: { id: (await newRecording(setting)).id } });

async function inBin(setting: Setting): Promise<string> {
  const { id } = await newRecording(setting);
  await setting.server.db.tenant(setting.north, (tx) =>
    tx.update(recording, { deletedAt: setting.server.clock.now() }, eq(recording.id, id)),
  );
  return id;
}

/** A finished export of the caller's, or of the host's for callers who may not watch the recording. */
async function exportOf(setting: Setting, caller: CallerName): Promise<string> {
  const { server, north } = setting;
  const owner = caller in watchers ? (caller as AccountName) : 'host';
  const { id: recordingId } = await newRecording(setting);
  const id = newId();
  const storageKey = `recordings/${recordingId}/exports/${id}.mp4`;
  await server.storage.put(storageKey, Buffer.from('film'));
  await server.db.tenant(north, (tx) =>
    tx.insert(recordingExport, {
      id,
      recordingId,
      ownerId: server.people.get(accountOf(owner))?.id ?? '',
      track: 'programme',
      whole: false,
      state: 'ready',
      progress: 1,
      bytes: 4,
      storageKey,
      createdAt: server.clock.now(),
      updatedAt: server.clock.now(),
    }),
  );
  return id;
}

async function signed(setting: Setting) {
  const { id } = await anyRecording(setting);
  const { sign } = await setting.cast.host.recordings.playback({ params: { id } });
  return { params: { id, track: 'programme' }, query: { sign } };
}

/** The token of a link to a recording that has an MP4. */
async function linkTo(setting: Setting): Promise<string> {
  const exportId = await exportOf(setting, 'host');
  const row = await setting.server.db.tenant(setting.north, (tx) =>
    tx.findOne(recordingExport, eq(recordingExport.id, exportId)),
  );
  const { link } = await setting.cast.host.recordings.share({
    params: { id: row?.recordingId ?? '' },
    body: { download: true, watermark: false },
  });
  return link.split('/').at(-1) ?? '';
}

async function viewOf(setting: Setting): Promise<string> {
  const token = await linkTo(setting);
  return (await setting.cast.host.recordings.openShare({ body: { token } })).view;
}

export const recordingCases: Record<string, Case> = {
  'recordings.queryRecord': {
    expected: all,
    args: async (setting) => ({ query: { meetId: (await anyRecording(setting)).meetId } }),
  },
  'recordings.searchRecord': {
    expected: all,
    args: async (setting) => ({ body: { meetId: (await anyRecording(setting)).meetId } }),
  },
  'recordings.getRecordLink': {
    expected: watchers,
    args: async (setting) => ({ query: { meetId: (await anyRecording(setting)).meetId } }),
  },
  // The member is not invited to the meeting.
  'recordings.grantRecordIds': {
    expected: { ...watchers, member: 'NOT_FOUND' },
    args: async (setting) => ({
      query: { meetId: (await newRecording(setting)).meetId },
      body: { userIds: [setting.server.people.get(accountOf('stranger'))?.id] },
    }),
  },
  'recordings.usage': { expected: all, args: () => ({}) },
  'recordings.detail': { expected: watchers, args: about },
  'recordings.timeline': { expected: watchers, args: about },
  'recordings.change': {
    expected: managers,
    args: async (setting) => ({ ...(await fresh(setting)), body: { subject: 'Renamed' } }),
  },
  'recordings.remove': {
    expected: managers,
    args: async (setting) => ({ body: { ids: [(await newRecording(setting)).id] } }),
  },
  // In the bin it is known to those only who manage it.
  'recordings.restore': {
    expected: { ...watchers, member: 'NOT_FOUND' },
    args: async (setting) => ({ body: { ids: [await inBin(setting)] } }),
  },
  'recordings.playback': { expected: watchers, args: about },
  'recordings.playlist': { expected: all, args: signed },
  'recordings.media': {
    expected: all,
    args: async (setting) => {
      const { params, query } = await signed(setting);
      return { params: { ...params, file: 'segment-1-1.m4s' }, query };
    },
  },
  'recordings.exports': { expected: watchers, args: about },
  'recordings.startExport': { expected: watchers, args: async (setting) => ({ ...(await fresh(setting)), body: {} }) },
  'recordings.cancelExport': {
    expected: watchers,
    args: async (setting, caller) => ({ params: { id: await exportOf(setting, caller) } }),
  },
  'recordings.exportFile': {
    expected: watchers,
    args: async (setting, caller) => ({ params: { id: await exportOf(setting, caller) } }),
  },
  'recordings.shares': { expected: managers, args: about },
  'recordings.share': { expected: managers, args: async (setting) => ({ ...(await fresh(setting)), body: {} }) },
  'recordings.unshare': {
    expected: managers,
    args: async (setting) => {
      const { id } = await setting.cast.host.recordings.share({ ...(await fresh(setting)), body: {} });
      return { params: { id } };
    },
  },
  'recordings.openShare': { expected: all, args: async (setting) => ({ body: { token: await linkTo(setting) } }) },
  'recordings.sharedPlayback': { expected: all, args: async (setting) => ({ body: { view: await viewOf(setting) } }) },
  'recordings.sharedFile': { expected: all, args: async (setting) => ({ query: { view: await viewOf(setting) } }) },
};
