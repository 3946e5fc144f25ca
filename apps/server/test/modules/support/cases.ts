import { and, eq, isNull } from 'drizzle-orm';
import { FEATURE_CODES } from '@rmeet/contract';
import { account } from '../../../src/modules/accounts/users/tables.ts';
import { tenant } from '../../../src/modules/accounts/tenants/tables.ts';
import { approvalRule } from '../../../src/modules/approvals/tables.ts';
import { conference } from '../../../src/modules/conferences/tables.ts';
import { noticeSetting } from '../../../src/modules/notices/tables.ts';
import { room } from '../../../src/modules/rooms/tables.ts';
import { newId } from '../../../src/platform/db/index.ts';
import { DEMO_PASSWORD } from '../../../src/seed/index.ts';
import { announcementCases } from './announcement-cases.ts';
import { apiRecordCases } from './api-record-cases.ts';
import { assistantCases } from './assistant-cases.ts';
import { bookingCases } from './booking-cases.ts';
import {
  all,
  byRight,
  meetingBody,
  named,
  upcoming,
  type CallArgs,
  type Case,
  type Expected,
  type Setting,
} from './case-setting.ts';
import { clientOf, encrypt, signIn } from './client.ts';
import { directoryCases, scimCases } from './directory-cases.ts';
import { documentCases } from './document-cases.ts';
import { conferenceCases, fileOfHost } from './conference-cases.ts';
import { factorCases } from './factor-cases.ts';
import { fresh } from './fresh.ts';
import { liveCases } from './live-cases.ts';
import { meetingFileCases } from './meeting-file-cases.ts';
import { book, invite } from './meetings.ts';
import { packageCases } from './package-cases.ts';
import { recordingCases } from './recording-cases.ts';
import { certificateCases } from './certificate-cases.ts';
import { ssoCases } from './sso-cases.ts';
import { statisticsCases } from './statistics-cases.ts';
import { setupCases } from './setup-cases.ts';
import type { TestServer } from './server.ts';
import { userTaskCases } from './user-task-cases.ts';
import { webhookCases } from './webhook-cases.ts';
import { workbookOf } from './workbooks.ts';
import { accountOf, grantTo, type AccountName } from './world.ts';

/** Rows of `north` are visible to its own people and the platform's. */
const ofNorth: Expected = { foreignAdmin: 'NOT_FOUND', others: 'OK' };
const none = () => ({});
const withTenant = ({ north }: Setting) => ({ query: { tenantId: north } });
const staffOfTenant = ({ north, staffRole }: Setting) => ({ query: { tenantId: north, roleId: staffRole } });
const ofMeeting = ({ world }: Setting) => ({ query: { meetingId: world.meeting.meetId } });
const byResource = ({ resource }: Setting) => ({ query: { resource } });
const idOf = ({ server }: Setting, name: AccountName): string => server.people.get(accountOf(name))?.id ?? '';

/** About an account of `north` created for the call; `body` adds to its id and tenant. */
const onAccount =
  (body: object = {}, values: Partial<typeof account.$inferInsert> = {}) =>
  async ({ server, north }: Setting): Promise<CallArgs> => ({
    body: { tenantId: north, id: await fresh.account(server, north, values), ...body },
  });
const onOperator =
  (body: object = {}) =>
  async ({ server }: Setting): Promise<CallArgs> => ({ body: { id: await fresh.operator(server), ...body } });
const onOperators =
  (body: object = {}) =>
  async ({ server }: Setting): Promise<CallArgs> => ({ body: { ids: [await fresh.operator(server)], ...body } });

/** The code that a sign-in page shows now. */
const newQr = async ({ server }: Setting) => {
  const { content } = await clientOf(server).scanLogon.getAuthQr();
  return { body: { code: content.split('code=')[1] ?? '' } };
};

let phones = 0;
/** Another number for each caller: messages to one are limited. */
const newPhone = (): string => `139${String((phones += 1)).padStart(8, '0')}`;

const unknownCode = { phoneNumber: '13800138000', code: '123456', ticket: 'unknown' };

const signInAgain = async ({ server, cast }: Setting, caller: AccountName): Promise<void> => {
  cast[caller] = await signIn(server, accountOf(caller));
};

/** Leaves nothing running on the caller's fixed number. */
const endOnFixedNumber = async ({ cast }: Setting, caller: AccountName): Promise<void> => {
  const { meeting } = await cast[caller].fixedNumber.read();
  if (meeting) await cast[caller].conferences.end({ params: { meetId: meeting.meetId } });
};

/** A room of `north`, in its own building. */
const newRoom = async ({ server, north }: Setting) => {
  const id = await fresh.room(server, north);
  const row = await server.db.tenant(north, (tx) => tx.findOne(room, eq(room.id, id)));
  return { id, buildingId: row?.buildingId ?? '' };
};
const newBuilding = async (setting: Setting): Promise<string> => {
  const { id, buildingId } = await newRoom(setting);
  await setting.server.db.tenant(setting.north, (tx) =>
    tx.update(room, { deletedAt: setting.server.clock.now() }, eq(room.id, id)),
  );
  return buildingId;
};
const resourceBody = (setting: Setting) => ({
  name: named('resource'),
  ports: 50,
  assignedTo: { everybody: true, userIds: [idOf(setting, 'member')] },
});
/** Callers cannot see resources that are not assigned to them. */
const ofNorthResource: Expected = { foreignAdmin: 'RESOURCE_UNKNOWN', foreignUser: 'RESOURCE_UNKNOWN', others: 'OK' };
const inAnHour = ({ server }: Setting) => ({ startTime: server.clock.in(60), duration: 60 });
const roomBody = (buildingId: string) => ({ name: named('room'), buildingId, floor: '3', capacity: 12 });
/** A meeting that is about to begin in a room. */
const bookedRoom = async (setting: Setting) => {
  const { server, cast } = setting;
  const { id: roomId } = await newRoom(setting);
  const meeting = await book(server, cast.host, {
    startTime: server.clock.in(5),
    participants: invite(server, 'bob'),
    roomIds: [roomId],
  });
  await grantTo(server, meeting.meetId);
  return { body: { meetId: meeting.meetId, roomId } };
};

/** Id of the conference of a running meeting. */
const runningOf = async (server: TestServer, meetingId: string): Promise<string> =>
  (
    await server.db.platform((tx) =>
      tx.findOne(conference, and(eq(conference.meetingId, meetingId), isNull(conference.endedAt))),
    )
  )?.id ?? '';

/** Bob's newest notice in the notice centre. */
const noticeOfMember = async (setting: Setting) => {
  const meeting = await book(setting.server, setting.cast.host, { participants: invite(setting.server, 'bob') });
  const found = (await setting.cast.member.notices.list({ query: {} })).records.find(
    (one) => one.meetId === meeting.meetId,
  );
  return { params: { id: found?.id ?? '' } };
};
const noticeText = { kind: 'reminder' as const, channel: 'mail' as const, locale: 'en' as const };

const quotas = { users: 5, terminals: null, recordingBytes: null, meetingFileBytes: null, meetingMinutes: null };
const own = {
  colour: '#123456',
  meetingAdmin: { name: 'Admin', phoneNumber: '--' },
  serviceDesk: { name: 'IT', phoneNumber: 'MTIzNDU=' },
  passwordRules: { minLength: 8, minClasses: 2, history: 3, maxAgeDays: null },
  auditMonths: 12,
};
/** The new password used in a walk. */
export const NEW_PASSWORD = 'Rmeet-walk-2-longer';

export const cases: Record<string, Case> = {
  'auth.login': {
    expected: { others: 'PASSWORD_UNREADABLE' },
    args: () => ({ body: { account: 'alice', password: 'x' } }),
  },
  'auth.logout': { expected: all, args: none, after: signInAgain },
  'auth.loginMode': { expected: all, args: () => ({ query: {} }) },
  'hrsms.sendCode': { expected: all, args: () => ({ query: { phoneNumber: newPhone() } }) },
  'hrsms.login': { expected: { others: 'CODE_WRONG' }, args: () => ({ body: unknownCode }) },
  'hrsms.setPassword': {
    expected: { others: 'PASSWORD_UNREADABLE' },
    args: () => ({ body: { ...unknownCode, password: 'x' } }),
  },
  ...factorCases,
  'multiauth.reset': { expected: ofNorth, args: onAccount() },
  ...assistantCases,
  ...setupCases,
  ...ssoCases,
  ...certificateCases,
  'scanLogon.getAuthQr': { expected: all, args: none },
  'scanLogon.authExecute': { expected: all, args: () => ({ body: { id: 'unknown' } }) },
  'scanLogon.login': { expected: { others: 'QR_INVALID' }, args: () => ({ body: { id: 'unknown' } }) },
  'scanLogon.scan': { expected: all, args: newQr },
  'scanLogon.answer': {
    expected: { others: 'QR_INVALID' },
    args: async (setting) => ({ body: { ...(await newQr(setting)).body, accept: true } }),
  },
  'auth.captcha': { expected: all, args: none },
  'auth.captchaRequired': { expected: all, args: () => ({ params: { account: 'alice' } }) },
  'auth.handover': { expected: all, args: none },
  'auth.ticketToToken': {
    expected: { others: 'SIGN_INVALID' },
    args: () => ({ query: { sign: 'n3ZcQx1YzP0cQx1YzP0c' }, body: {} }),
  },

  'users.list': { expected: all, args: staffOfTenant },
  'users.departments': { expected: all, args: withTenant },
  'users.export': { expected: all, args: staffOfTenant },
  // Naming roles means granting them.
  'users.create': {
    expected: { ...all, delegate: 'FORBIDDEN' },
    args: ({ north, staffRole }) => ({
      body: { tenantId: north, account: named('new'), name: 'New', roleIds: [staffRole] },
    }),
  },
  'users.update': { expected: ofNorth, args: onAccount({ name: 'Changed', isTenantAdmin: false, version: 1 }) },
  'users.remove': {
    expected: ofNorth,
    args: async ({ server, north }) => ({ query: { tenantId: north, id: await fresh.account(server, north) } }),
  },
  'users.restore': {
    expected: ofNorth,
    args: (setting) => onAccount({}, { enabled: false, deletedAt: setting.server.clock.now() })(setting),
  },
  'users.purge': {
    expected: ofNorth,
    args: (setting) => onAccount({}, { enabled: false, deletedAt: setting.server.clock.now() })(setting),
  },
  ...userTaskCases(ofNorth),
  'users.status': { expected: ofNorth, args: onAccount({ enabled: false }) },
  'users.resetPassword': { expected: ofNorth, args: onAccount() },
  'users.endSessions': {
    expected: ofNorth,
    args: async ({ server, north }) => ({ body: { tenantId: north, ids: [await fresh.account(server, north)] } }),
  },
  'users.grants': {
    expected: ofNorth,
    args: (setting) => ({ params: { id: idOf(setting, 'member') }, ...withTenant(setting) }),
  },
  'users.setGrants': {
    expected: ofNorth,
    args: async ({ server, north }) => ({
      params: { id: await fresh.account(server, north) },
      body: { tenantId: north, roleIds: [await fresh.role(server)], permissionIds: [] },
    }),
  },
  'users.access': {
    expected: ofNorth,
    args: (setting) => ({ params: { id: idOf(setting, 'member') }, ...withTenant(setting) }),
  },
  'users.lookup': {
    expected: all,
    args: (setting) => ({ body: { query: { IN: { id: [idOf(setting, 'member')] } } } }),
  },
  'users.search': { expected: all, args: () => ({ query: { keyword: 'bob' } }) },
  'users.current': { expected: all, args: none },
  'users.forClient': { expected: all, args: none },
  'users.tenantInfo': {
    expected: {
      foreignAdmin: 'NOT_FOUND',
      foreignUser: 'NOT_FOUND',
      operator: 'NOT_FOUND',
      superAdmin: 'NOT_FOUND',
      others: 'OK',
    },
    args: (setting) => ({ params: { id: idOf(setting, 'member') } }),
  },
  'users.updateSelf': {
    expected: all,
    args: ({ server }, caller) => ({
      body: {
        name: `${server.people.get(accountOf(caller as AccountName))?.name} again`,
        phoneNumber: '--',
        email: '--',
        locale: 'zh',
      },
    }),
  },
  'users.changePassword': {
    expected: all,
    args: async ({ server }) => ({
      body: { oldPassword: await encrypt(server, DEMO_PASSWORD), newPassword: await encrypt(server, NEW_PASSWORD) },
    }),
    after: async ({ server }, caller) => {
      const row = server.people.get(accountOf(caller));
      if (row)
        await server.db.tenant(row.tenantId, (tx) =>
          tx.update(account, { passwordHash: row.passwordHash }, eq(account.id, row.id)),
        );
    },
  },
  'users.sessions': { expected: all, args: none },
  'users.endSession': {
    expected: all,
    args: async ({ server }, caller) => ({
      params: { id: await fresh.session(server, accountOf(caller as AccountName)) },
    }),
  },

  'tenants.list': { expected: all, args: none },
  'tenants.options': { expected: { operator: 'FORBIDDEN', others: 'OK' }, args: none },
  'tenants.isTenantAdmin': { expected: all, args: none },
  'tenants.setEnabled': {
    expected: all,
    args: async ({ server }) => ({ body: { id: await fresh.tenant(server), enabled: false } }),
  },
  'tenants.create': {
    expected: all,
    args: () => ({
      body: { name: named('new'), quotas, deniedFeatures: [], admin: { account: named('admin'), name: 'Admin' } },
    }),
  },
  'tenants.update': {
    expected: all,
    args: async ({ server }) => ({
      body: {
        ...own,
        id: await fresh.tenant(server),
        version: 1,
        name: named('changed'),
        quotas,
        deniedFeatures: FEATURE_CODES.slice(0, 1),
      },
    }),
  },
  'tenants.own': { expected: all, args: none },
  'tenants.updateOwn': {
    expected: all,
    args: async ({ server }, caller) => {
      const tenantId = server.people.get(accountOf(caller as AccountName))?.tenantId ?? '';
      const row = await server.db.tenant(tenantId, (tx) => tx.findOne(tenant));
      return { body: { ...own, colour: `#${newId().slice(-6)}`, version: row?.version ?? 0 } };
    },
  },
  'tenants.logo': {
    expected: all,
    args: async ({ server, north }) => {
      await fresh.logo(server, north);
      return { params: { id: north } };
    },
  },

  'operators.current': { expected: all, args: none },
  'operators.setup': { expected: all, args: none },
  'operators.list': { expected: all, args: none },
  'operators.export': { expected: all, args: none },
  'operators.create': { expected: all, args: () => ({ body: { account: named('op'), name: 'Op' } }) },
  'operators.update': { expected: all, args: onOperator({ name: 'Changed', version: 1 }) },
  'operators.status': { expected: all, args: onOperators({ enabled: false }) },
  'operators.resetPassword': { expected: all, args: onOperator() },
  'operators.endSessions': { expected: all, args: onOperators() },

  'roles.list': { expected: all, args: none },
  'roles.options': { expected: all, args: none },
  'roles.create': {
    expected: all,
    args: async ({ server }) => ({
      body: { name: named('role'), kind: 'user', permissionIds: [await fresh.entry(server)] },
    }),
  },
  'roles.update': {
    expected: all,
    args: async ({ server }) => ({
      body: { id: await fresh.role(server), name: named('role'), permissionIds: [], version: 1 },
    }),
  },
  'roles.remove': { expected: all, args: async ({ server }) => ({ query: { id: await fresh.role(server) } }) },

  'permissions.codes': { expected: all, args: none },
  'permissions.mine': { expected: all, args: none },
  'permissions.flags': { expected: all, args: none },
  'permissions.list': { expected: all, args: none },
  'permissions.tree': { expected: all, args: none },
  'permissions.options': { expected: all, args: withTenant },
  'permissions.create': {
    expected: all,
    args: () => ({ body: { type: 2, code: `walk:n${newId().slice(-12)}`, name: 'New' } }),
  },
  'permissions.update': {
    expected: all,
    args: async ({ server }) => ({
      body: { id: await fresh.entry(server), code: `walk:n${newId().slice(-12)}`, name: 'Changed', version: 1 },
    }),
  },
  'permissions.move': {
    expected: all,
    args: async ({ server }) => ({ body: { id: await fresh.entry(server), pid: null, index: 0 } }),
  },
  'permissions.remove': { expected: all, args: async ({ server }) => ({ query: { id: await fresh.entry(server) } }) },

  'guests.query': { expected: byRight('control'), args: ofMeeting },
  'guests.create': { expected: byRight('control'), args: ofMeeting, ownWorld: true },
  'guests.update': {
    expected: byRight('control'),
    ownWorld: true,
    args: async (setting) => {
      await setting.cast.host.guests.create(ofMeeting(setting));
      return ofMeeting(setting);
    },
  },
  'guests.remove': {
    expected: byRight('control'),
    ownWorld: true,
    args: async (setting) => {
      await setting.cast.host.guests.create(ofMeeting(setting));
      return ofMeeting(setting);
    },
  },
  'guests.queryUsers': { expected: byRight('control'), args: ofMeeting },
  'guests.count': { expected: all, args: byResource },
  'guests.queryMeetDetail': { expected: all, args: byResource },

  'audit.list': { expected: all, args: withTenant },
  'audit.actions': { expected: all, args: none },
  'audit.export': { expected: all, args: withTenant },

  'meetings.list': { expected: all, args: () => ({ query: { tenantWide: 'true' } }) },
  'history.list': { expected: all, args: () => ({ query: { tenantWide: 'true' } }) },
  'history.all': {
    expected: all,
    args: ({ server }) => ({ query: { startDate: server.clock.in(-60), endDate: server.clock.in(60) } }),
  },
  'history.record': {
    expected: byRight('see'),
    args: async ({ server, world }) => ({ query: { id: await runningOf(server, world.meeting.meetId) } }),
  },
  'history.export': {
    expected: byRight('see'),
    args: async ({ server, world }) => ({ params: { id: await runningOf(server, world.meeting.meetId) } }),
  },
  'history.chat': {
    expected: byRight('see'),
    args: async ({ server, world }) => ({ query: { id: await runningOf(server, world.meeting.meetId) } }),
  },
  'history.file': {
    expected: byRight('see'),
    args: async (setting) => ({ params: { id: await fileOfHost(setting) } }),
  },
  'meetings.invitees': { expected: all, args: none },
  'meetings.activity': { expected: all, args: ({ server }) => ({ query: { startDate: server.clock.in(-2_880) } }) },
  'meetings.detail': { expected: byRight('see'), args: ({ world }) => ({ params: { id: world.meeting.meetId } }) },
  'meetings.numeric': { expected: byRight('see'), args: ({ world }) => ({ params: { id: world.meeting.numericId } }) },
  'meetings.createNetwork': { expected: all, args: (setting) => ({ body: meetingBody(setting) }) },
  'meetings.update': {
    expected: byRight('cancel'),
    args: async (setting) => ({ ...(await upcoming(setting)), body: { ...meetingBody(setting), version: 1 } }),
  },
  'meetings.cancel': { expected: byRight('cancel'), args: upcoming },
  'series.preview': {
    expected: byRight('cancel'),
    args: async (setting) => ({
      body: {
        startTime: setting.server.clock.in(60),
        duration: 30,
        recurrence: { rule: 'FREQ=DAILY;COUNT=2' },
        meetingId: (await upcoming(setting)).params.id,
        roomIds: [(await newRoom(setting)).id],
        userIds: [idOf(setting, 'host')],
      },
    }),
  },
  'meetings.start': {
    expected: byRight('cancel'),
    args: async (setting) => ({ ...(await upcoming(setting)), body: { early: true } }),
  },
  ...bookingCases(),
  ...meetingFileCases(),

  'whiteList.read': { expected: byRight('cancel'), args: upcoming },
  'whiteList.write': {
    expected: byRight('cancel'),
    args: async (setting) => ({
      ...(await upcoming(setting)),
      body: { userIds: [], departments: ['外科'], numbers: ['+86 10 1234 5678'] },
    }),
  },

  'fixedNumber.read': { expected: all, args: none },
  'fixedNumber.update': {
    expected: all,
    args: () => ({ body: { password: '4821', waitingRoom: false, joinBeforeHost: false, muteOnEntry: true } }),
  },
  'fixedNumber.renew': { expected: all, args: none },
  'fixedNumber.start': { expected: all, args: none, after: endOnFixedNumber },

  'rooms.floors': { expected: all, args: none },
  'rooms.occupancy': {
    expected: all,
    args: async (setting) => ({
      body: {
        roomIds: [(await newRoom(setting)).id],
        from: setting.server.clock.in(0),
        until: setting.server.clock.in(60),
        except: setting.world.meeting.meetId,
      },
    }),
  },
  'rooms.checkIn': { expected: byRight('see'), args: bookedRoom },
  'rooms.release': { expected: byRight('cancel'), args: bookedRoom },
  'rooms.list': { expected: all, args: async (setting) => ({ query: { buildingId: await newBuilding(setting) } }) },
  'rooms.create': {
    expected: { foreignAdmin: 'BUILDING_UNKNOWN', others: 'OK' },
    args: async (setting) => ({ body: roomBody((await newRoom(setting)).buildingId) }),
  },
  'rooms.update': {
    expected: ofNorth,
    args: async (setting) => {
      const { id, buildingId } = await newRoom(setting);
      return { params: { id }, body: { ...roomBody(buildingId), version: 1 } };
    },
  },
  'rooms.remove': { expected: ofNorth, args: async (setting) => ({ params: { id: (await newRoom(setting)).id } }) },
  'rooms.buildings': { expected: all, args: none },
  'rooms.createBuilding': {
    expected: all,
    args: () => ({ body: { name: named('building'), timeZone: 'Asia/Shanghai' } }),
  },
  'rooms.updateBuilding': {
    expected: ofNorth,
    args: async (setting) => ({
      params: { id: await newBuilding(setting) },
      body: { name: named('building'), timeZone: 'Asia/Shanghai', version: 1 },
    }),
  },
  'rooms.removeBuilding': {
    expected: ofNorth,
    args: async (setting) => ({ params: { id: await newBuilding(setting) } }),
  },

  'resources.list': { expected: all, args: () => ({ query: { tenantWide: 'true' } }) },
  'resources.create': {
    expected: { foreignAdmin: 'RESOURCE_ASSIGNEE_UNKNOWN', others: 'OK' },
    args: (setting) => ({ body: resourceBody(setting) }),
  },
  'resources.update': {
    expected: ofNorth,
    args: async (setting) => ({
      body: { ...resourceBody(setting), id: await fresh.resource(setting.server, setting.north), version: 1 },
    }),
  },
  'resources.remove': {
    expected: ofNorth,
    args: async ({ server, north }) => ({ params: { id: await fresh.resource(server, north) } }),
  },
  'resources.choose': {
    expected: all,
    args: (setting) => ({ query: { ...inAnHour(setting), except: setting.world.meeting.meetId } }),
  },
  'resources.assign': {
    expected: byRight('cancel'),
    args: async (setting) => ({
      ...(await upcoming(setting)),
      body: { resource: await fresh.resource(setting.server, setting.north) },
    }),
  },
  'resources.inviteLimit': {
    expected: ofNorthResource,
    args: async ({ server, north }) => ({ query: { resourceId: await fresh.resource(server, north) } }),
  },
  'resources.bookLimit': {
    expected: ofNorthResource,
    args: async (setting) => {
      const resourceId = await fresh.resource(setting.server, setting.north);
      return {
        query: {
          ...inAnHour(setting),
          type: 'NETWORK_MEETING',
          terminals: 3,
          resourceId,
          except: setting.world.meeting.meetId,
        },
      };
    },
  },

  'approvals.list': { expected: all, args: none },
  'approvals.decide': {
    expected: ofNorth,
    args: async (setting) => {
      const { params } = await upcoming(setting);
      await fresh.approval(setting.server, setting.north, params.id);
      return { params, body: { approve: false, note: 'Not now' } };
    },
  },
  'approvals.rules': { expected: all, args: none },
  'approvals.updateRules': {
    expected: all,
    args: async ({ server }, caller) => {
      const tenantId = server.people.get(accountOf(caller as AccountName))?.tenantId ?? '';
      const row = await server.db.tenant(tenantId, (tx) => tx.findOne(approvalRule));
      return {
        body: {
          all: false,
          types: [],
          vip: true,
          longerThan: (row?.longerThan ?? 600) + 1,
          morePeopleThan: null,
          version: row?.version ?? 0,
        },
      };
    },
  },

  'terminals.list': {
    expected: all,
    args: async ({ server, north }) => ({ query: { roomId: await fresh.room(server, north) } }),
  },
  'terminals.create': { expected: all, args: () => ({ body: { name: 'New', address: named('new'), kind: 'sip' } }) },
  'terminals.update': {
    expected: ofNorth,
    args: async ({ server, north }) => ({
      body: {
        id: await fresh.terminal(server, north),
        name: 'Changed',
        address: named('changed'),
        kind: 'sip',
        version: 1,
      },
    }),
  },
  'terminals.remove': {
    expected: ofNorth,
    args: async ({ server, north }) => ({ body: { ids: [await fresh.terminal(server, north)] } }),
  },
  'terminals.export': {
    expected: all,
    args: async ({ server, north }) => ({ query: { roomId: await fresh.room(server, north) } }),
  },
  'terminals.import': {
    expected: all,
    args: async () => ({
      body: {
        file: await workbookOf([
          ['name', 'address', 'kind'],
          ['New', named('new'), 'sip'],
        ]),
        dryRun: false,
      },
    }),
  },

  ...conferenceCases(),

  'notices.resend': { expected: byRight('cancel'), args: upcoming },
  'notices.ofMeeting': { expected: byRight('see'), args: ({ world }) => ({ params: { id: world.meeting.meetId } }) },
  'notices.list': { expected: all, args: none },
  'notices.markAllRead': { expected: all, args: none },
  'notices.markRead': { expected: { member: 'OK', others: 'NOT_FOUND' }, args: noticeOfMember },
  'notices.clear': { expected: { member: 'OK', others: 'NOT_FOUND' }, args: noticeOfMember },
  'notices.clearRead': { expected: all, args: none },
  'notices.texts': { expected: all, args: none },
  'notices.saveText': {
    expected: all,
    args: () => ({ body: { ...noticeText, subject: named('Soon'), text: '{subject}' } }),
  },
  'notices.resetText': { expected: all, args: () => ({ query: noticeText }) },
  'notices.previewText': {
    expected: all,
    args: () => ({ body: { ...noticeText, subject: 'Soon', text: '{subject}' } }),
  },
  'notices.settings': { expected: all, args: none },
  'notices.saveSettings': {
    expected: all,
    args: async ({ server }, caller) => {
      const tenantId = server.people.get(accountOf(caller as AccountName))?.tenantId ?? '';
      const row = await server.db.tenant(tenantId, (tx) => tx.findOne(noticeSetting));
      return {
        body: { reminderMinutes: row?.reminderMinutes === 30 ? 5 : 30, gateway: null, version: row?.version ?? 0 },
      };
    },
  },
  'notices.testSms': {
    expected: { others: 'SMS_NOT_CONFIGURED' },
    args: () => ({ body: { phone: '+4915112345678' } }),
  },

  ...announcementCases,
  ...apiRecordCases,
  ...webhookCases,
  ...packageCases,
  ...documentCases,
  ...recordingCases,
  ...directoryCases,
  ...scimCases,
  ...liveCases,
  ...statisticsCases,

  'webPush.key': { expected: all, args: none },
  'webPush.subscribe': {
    expected: { others: 'PUSH_SERVICE_FORBIDDEN' },
    args: () => ({ body: { endpoint: 'https://127.0.0.1/send', p256dh: 'B'.repeat(87), auth: 'a'.repeat(22) } }),
  },
  'webPush.unsubscribe': { expected: all, args: () => ({ body: { endpoint: 'https://push.example.org/send' } }) },

  'downloads.ticket': { expected: all, args: () => ({ body: { path: '/api/api/v1/audit/export' } }) },
};
