import { invitation } from '../../../src/modules/accounts/users/tables.ts';
import { all, named, type Case, type Expected, type Setting } from './case-setting.ts';
import { fresh } from './fresh.ts';
import type { AccountName, CallerName } from './world.ts';

const disable = async ({ server, north }: Setting) => ({
  tenantId: north,
  of: { ids: [await fresh.account(server, north)] },
  change: { kind: 'disable' as const },
});

/** A task of the caller; for people of another tenant, of the administrator of `north`. */
const newTask = async (setting: Setting, caller: CallerName) => {
  const owner = caller === 'foreignAdmin' ? 'tenantAdmin' : (caller as AccountName);
  const { id } = await setting.cast[owner].userTasks.change({ body: await disable(setting) });
  return { params: { id } };
};
const ofNewTask = async (setting: Setting, caller: CallerName) => ({
  ...(await newTask(setting, caller)),
  query: { tenantId: setting.north },
});
const onNewTask = async (setting: Setting, caller: CallerName) => ({
  ...(await newTask(setting, caller)),
  body: { tenantId: setting.north },
});

/** Invitations, imports and changes of many users; the server of the walk has no mail server. */
export const userTaskCases = (ofNorth: Expected): Record<string, Case> => ({
  'users.invitationMail': { expected: all, args: () => ({}) },
  'users.invite': {
    expected: { ...ofNorth, others: 'INVITATIONS_UNAVAILABLE' },
    args: async ({ server, north }) => ({ body: { tenantId: north, id: await fresh.account(server, north) } }),
  },
  'users.revokeInvitation': {
    expected: ofNorth,
    args: async ({ server, north }) => {
      const id = await fresh.account(server, north);
      await server.db.tenant(north, (tx) =>
        tx.insert(invitation, { accountId: id, createdAt: server.clock.now(), tokenHash: id }),
      );
      return { body: { tenantId: north, id } };
    },
  },
  'invitations.read': { expected: { others: 'INVITATION_INVALID' }, args: () => ({ body: { secret: 'unknown' } }) },
  'invitations.accept': {
    expected: { others: 'PASSWORD_UNREADABLE' },
    args: () => ({ body: { secret: 'unknown', password: 'x' } }),
  },
  'userTasks.list': { expected: all, args: ({ north }) => ({ query: { tenantId: north } }) },
  'userTasks.template': { expected: all, args: () => ({ query: {} }) },
  'userTasks.import': {
    expected: all,
    args: ({ north }) => ({
      body: { tenantId: north, file: Buffer.from(`account,name\n${named('new')},New`).toString('base64') },
    }),
  },
  'userTasks.change': { expected: all, args: async (setting) => ({ body: await disable(setting) }) },
  'userTasks.read': { expected: ofNorth, args: ofNewTask },
  'userTasks.items': { expected: ofNorth, args: ofNewTask },
  'userTasks.report': { expected: ofNorth, args: ofNewTask },
  'userTasks.start': { expected: ofNorth, args: onNewTask },
  'userTasks.cancel': { expected: ofNorth, args: onNewTask },
  'userTasks.passwords': { expected: { ...ofNorth, others: 'PASSWORDS_TAKEN' }, args: onNewTask },
});
