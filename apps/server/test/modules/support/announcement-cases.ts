import { announcement } from '../../../src/modules/announcements/tables.ts';
import { startApp } from '../../../src/modules/start-apps/tables.ts';
import { newId } from '../../../src/platform/db/index.ts';
import { all, named, type Case, type Expected, type Setting } from './case-setting.ts';

/** Announcements of `north`; those of operators are the platform's own. */
const ofNorth: Expected = { foreignAdmin: 'NOT_FOUND', superAdmin: 'NOT_FOUND', others: 'OK' };
const ofNorthPeople: Expected = {
  foreignAdmin: 'ANNOUNCEMENT_AUDIENCE_UNKNOWN',
  superAdmin: 'ANNOUNCEMENT_AUDIENCE_UNKNOWN',
  others: 'OK',
};
const ofNorthApps: Expected = { foreignAdmin: 'NOT_FOUND', others: 'OK' };
const none = () => ({});

const bodyOf = ({ server, staffRole }: Setting) => ({
  title: named('Water'),
  body: 'No water on **Saturday**.',
  aimedAt: { roleIds: [staffRole], userIds: [server.people.get('bob')?.id ?? ''] },
});

/** A new announcement of `north`, aimed at the whole tenant. */
async function newAnnouncement(
  { server, north }: Setting,
  values: Partial<typeof announcement.$inferInsert> = {},
): Promise<{ params: { id: string } }> {
  const id = newId();
  await server.db.tenant(north, (tx) =>
    tx.insert(announcement, {
      id,
      title: named('Water'),
      body: 'No water on Saturday.',
      wholeTenant: true,
      authorName: 'Admin',
      createdAt: server.clock.now(),
      ...values,
    }),
  );
  return { params: { id } };
}
const published = ({ server }: Setting) => ({ state: 'published' as const, publishedAt: server.clock.now() });

async function newApp({ server, north }: Setting): Promise<string> {
  const id = newId();
  await server.db.tenant(north, async (tx) => {
    const sort = await tx.count(startApp);
    await tx.insert(startApp, {
      id,
      name: named('App'),
      icon: 'globe',
      url: '/#/myMeeting',
      sort,
      createdAt: server.clock.now(),
    });
  });
  return id;
}
const appBody = ({ staffRole }: Setting) => ({ name: 'Portal', icon: 'globe', url: '/help/', roleIds: [staffRole] });

/** Announcements, release notes and apps of the start page. */
export const announcementCases: Record<string, Case> = {
  'announcements.current': { expected: all, args: none },
  'announcements.markAllRead': { expected: all, args: none },
  'announcements.markRead': {
    expected: { foreignAdmin: 'NOT_FOUND', foreignUser: 'NOT_FOUND', others: 'OK' },
    args: (setting) => newAnnouncement(setting, published(setting)),
  },
  'announcements.list': { expected: all, args: () => ({ query: {} }) },
  'announcements.roles': { expected: all, args: none },
  'announcements.create': { expected: ofNorthPeople, args: (setting) => ({ body: bodyOf(setting) }) },
  'announcements.update': {
    expected: ofNorth,
    args: async (setting) => ({ ...(await newAnnouncement(setting)), body: { ...bodyOf(setting), version: 1 } }),
  },
  'announcements.publish': {
    expected: ofNorth,
    args: async (setting) => ({ ...(await newAnnouncement(setting)), body: { version: 1 } }),
  },
  'announcements.withdraw': {
    expected: ofNorth,
    args: async (setting) => ({ ...(await newAnnouncement(setting, published(setting))), body: { version: 1 } }),
  },
  'announcements.remove': { expected: ofNorth, args: (setting) => newAnnouncement(setting) },
  'announcements.readers': {
    expected: ofNorth,
    args: async (setting) => ({ ...(await newAnnouncement(setting, published(setting))), query: {} }),
  },

  'memo.read': { expected: all, args: () => ({ query: {} }) },
  'memo.saveRemindMemo': { expected: all, args: () => ({ query: { upgradeFrequency: 'WEEKLY' } }) },

  'startApps.apps': { expected: all, args: none },
  'startApps.list': { expected: all, args: none },
  'startApps.create': {
    expected: all,
    args: (setting) => ({ body: appBody(setting) }),
  },
  'startApps.sort': {
    expected: ofNorthApps,
    args: async (setting) => {
      await newApp(setting);
      const rows = await setting.server.db.tenant(setting.north, (tx) => tx.find(startApp));
      return { body: { ids: rows.map(({ id }) => id) } };
    },
  },
  'startApps.update': {
    expected: ofNorthApps,
    args: async (setting) => ({
      params: { id: await newApp(setting) },
      body: { ...appBody(setting), version: 1 },
    }),
  },
  'startApps.remove': { expected: ofNorthApps, args: async (setting) => ({ params: { id: await newApp(setting) } }) },
};
