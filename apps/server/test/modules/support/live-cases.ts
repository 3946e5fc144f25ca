import { eq } from 'drizzle-orm';
import { broadcast } from '../../../src/modules/live/tables.ts';
import { all, meetingBody, type Case, type Expected, type Setting } from './case-setting.ts';
import { clientOf } from './client.ts';
import type { LiveSettings } from './live.ts';
import { invite } from './meetings.ts';
import { grantTo } from './world.ts';

const UNKNOWN = '0198f6a2-7e6d-7c40-9a11-000000000000';
const foreign = { foreignUser: 'NOT_FOUND', foreignAdmin: 'NOT_FOUND' };
/** A broadcast that is open to the organisation. */
const organisation: Expected = { ...foreign, others: 'OK' };
const managers: Expected = { host: 'OK', granted: 'OK', tenantAdmin: 'OK', ...foreign, others: 'FORBIDDEN' };

/** A live meeting of alice's, with bob invited. */
async function newBroadcast(setting: Setting, live: LiveSettings = {}): Promise<string> {
  const { server, cast } = setting;
  const body = { ...meetingBody(setting), participants: invite(server, 'bob'), live };
  const { meetId } = await cast.host.meetings.createLive({ body });
  await grantTo(server, meetId);
  return meetId;
}

const named = ({ server }: Setting): LiveSettings => ({ whiteList: [server.people.get('bob')?.id ?? ''] });
const outsideBody = ({ server }: Setting) => ({ subject: 'Outside', startTime: server.clock.in(60), duration: 60 });
async function newOutside(setting: Setting): Promise<string> {
  const { id } = await setting.cast.host.manualLives.create({ body: outsideBody(setting) });
  await grantTo(setting.server, id);
  return id;
}
const about = async (setting: Setting) => ({ params: { id: await newBroadcast(setting) } });
const toPublic = (setting: Setting) => newBroadcast(setting, { access: 'public' });
const viewOf = async (setting: Setting): Promise<string> => {
  const id = await toPublic(setting);
  return (await clientOf(setting.server).watch.open({ params: { id }, body: { name: 'Dora' } })).view;
};

/** On air without a conference, so that nothing else is done with it. */
async function onAir(setting: Setting): Promise<string> {
  const id = await newBroadcast(setting);
  const startedAt = setting.server.clock.now();
  await setting.server.db.tenant(setting.north, (tx) =>
    tx.update(broadcast, { state: 'onAir', startedAt }, eq(broadcast.id, id)),
  );
  return id;
}

async function messageIn(setting: Setting) {
  const id = await toPublic(setting);
  const { watch } = clientOf(setting.server);
  const { view } = await watch.open({ params: { id }, body: { name: 'Dora' } });
  return { id, messageId: (await watch.say({ body: { view, text: 'Hello' } })).id };
}

export const liveCases: Record<string, Case> = {
  'meetings.createLive': { expected: all, args: (setting) => ({ body: meetingBody(setting) }) },
  'broadcasts.list': { expected: all, args: () => ({ query: {} }) },
  'broadcasts.detail': { expected: organisation, args: about },
  'broadcasts.change': {
    expected: managers,
    args: async (setting) => ({
      ...(await about(setting)),
      body: { chat: 'held', whiteList: [setting.server.people.get('bob')?.id ?? ''] },
    }),
  },
  'broadcasts.act': {
    expected: managers,
    args: async (setting) => ({ params: { id: await onAir(setting) }, body: { action: 'PAUSE' } }),
  },
  'broadcasts.messages': { expected: managers, args: about },
  'broadcasts.moderate': {
    expected: managers,
    args: async (setting) => ({ params: await messageIn(setting), body: { state: 'deleted' } }),
  },
  'broadcasts.statistics': { expected: managers, args: about },
  'broadcasts.exportViewers': { expected: managers, args: about },
  'broadcasts.getLiveLink': {
    expected: organisation,
    args: async (setting) => ({ query: { meetId: await newBroadcast(setting) } }),
  },
  'broadcasts.liveAuthUsers': { expected: all, args: () => ({ query: {} }) },

  'liveProviders.providerConfig': { expected: managers, args: about },
  'liveProviders.setPushTargets': {
    expected: managers,
    args: async (setting) => ({ ...(await about(setting)), body: { targets: [] } }),
  },

  'manualLives.create': {
    // Of the white list.
    expected: { foreignUser: 'PARTICIPANT_UNKNOWN', foreignAdmin: 'PARTICIPANT_UNKNOWN', others: 'OK' },
    args: (setting) => ({ body: { ...outsideBody(setting), live: named(setting) } }),
  },
  'manualLives.change': {
    expected: managers,
    args: async (setting) => ({ body: { id: await newOutside(setting), newKey: true, live: named(setting) } }),
  },
  'manualLives.query': { expected: all, args: async (setting) => ({ body: { id: await newOutside(setting) } }) },

  'watch.open': {
    expected: all,
    args: async (setting) => ({ params: { id: await toPublic(setting) }, body: { name: 'Dora' } }),
  },
  'watch.openSignedIn': {
    expected: { foreignUser: 'WATCH_NOT_ALLOWED', foreignAdmin: 'WATCH_NOT_ALLOWED', others: 'OK' },
    args: async (setting) => ({ ...(await about(setting)), body: {} }),
  },
  'watch.state': { expected: all, args: async (setting) => ({ body: { view: await viewOf(setting) } }) },
  'watch.say': { expected: all, args: async (setting) => ({ body: { view: await viewOf(setting), text: 'Hello' } }) },
  'watch.leave': { expected: all, args: async (setting) => ({ body: { view: await viewOf(setting) } }) },
  'watch.renditions': {
    expected: { others: 'RECORDING_ADDRESS_EXPIRED' },
    args: async (setting) => ({ ...(await about(setting)), query: { sign: 'forged' } }),
  },
  'watch.playlist': {
    expected: { others: 'RECORDING_ADDRESS_EXPIRED' },
    args: async (setting) => ({ ...(await about(setting)), query: { sign: 'forged' } }),
  },
  'watch.media': {
    expected: { others: 'RECORDING_ADDRESS_EXPIRED' },
    args: async (setting) => ({
      params: { id: await newBroadcast(setting), file: 'segment-1-1.m4s' },
      query: { sign: 'forged' },
    }),
  },
  'watch.openPlaylist': {
    expected: { others: 'NOT_FOUND' },
    args: async (setting) => ({ ...(await about(setting)), query: { recording: UNKNOWN } }),
  },
  'watch.openMedia': {
    expected: { others: 'NOT_FOUND' },
    args: async (setting) => ({
      params: { id: await newBroadcast(setting), file: 'segment-1-1.m4s' },
      query: { recording: UNKNOWN },
    }),
  },
};
