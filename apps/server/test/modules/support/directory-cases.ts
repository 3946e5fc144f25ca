import { directory, directoryChange, directoryRound } from '../../../src/modules/accounts/directories/tables.ts';
import { scimGroup, scimToken } from '../../../src/modules/accounts/directories/scim/tables.ts';
import { newId } from '../../../src/platform/db/index.ts';
import { all, type Case, type Expected, type Setting } from './case-setting.ts';
import { fresh } from './fresh.ts';

/** Directories of `north` are visible to its administrators only. */
const ofNorth: Expected = { foreignAdmin: 'NOT_FOUND', others: 'OK' };

const settings = {
  name: 'Example',
  kind: 'ldap' as const,
  enabled: false,
  address: 'ldaps://ldap.example.org',
  startTls: false,
  certificates: '',
  bindDn: 'cn=rmeet,dc=example,dc=org',
  bases: ['dc=example,dc=org'],
  filter: '(objectClass=person)',
  attributes: { account: 'uid', name: 'cn', email: 'mail', phone: '', department: '', uniqueId: 'entryUUID' },
  departmentFrom: 'none' as const,
  lockedBy: 'none' as const,
  groups: [],
  nested: false,
  makesAccounts: false,
  changesPasswords: false,
  everyMinutes: 0,
  disableLimit: 20,
};
const password = 'b1nd-Secret-walk';

async function newDirectory({ server, north }: Setting): Promise<string> {
  const id = newId();
  const { enabled, makesAccounts } = settings;
  const row = { id, enabled, makesAccounts, settings, sealedPassword: '-', createdAt: server.clock.now() };
  await server.db.tenant(north, (tx) => tx.insert(directory, row));
  return id;
}

async function newRound(setting: Setting) {
  const [id, roundId, at] = [await newDirectory(setting), newId(), setting.server.clock.now()];
  const row = { id: roundId, directoryId: id, dryRun: true, state: 'waiting' as const, startedAt: at, beatAt: at };
  await setting.server.db.tenant(setting.north, (tx) => tx.insert(directoryRound, row));
  return { params: { id, roundId } };
}

/** A person whose account name another account has. */
async function newCollision(setting: Setting) {
  const { params } = await newRound(setting);
  const [id, otherAccountId] = [newId(), await fresh.account(setting.server, setting.north)];
  await setting.server.db.tenant(setting.north, (tx) =>
    tx.insert(directoryChange, {
      id,
      roundId: params.roundId,
      kind: 'collision',
      account: 'alice',
      name: 'Alice',
      dn: 'uid=alice,dc=example,dc=org',
      reason: 'accountTaken',
      fields: {},
      uniqueId: newId(),
      otherAccountId,
    }),
  );
  return { params: { id: params.id }, body: { changeIds: [id] } };
}

/** Calls of tenant administrators about directories. */
export const directoryCases: Record<string, Case> = {
  'directories.list': { expected: all, args: () => ({}) },
  'directories.create': { expected: all, args: () => ({ body: { ...settings, password } }) },
  'directories.update': {
    expected: ofNorth,
    args: async (setting) => ({
      params: { id: await newDirectory(setting) },
      body: { ...settings, password, version: 1 },
    }),
  },
  'directories.remove': {
    expected: ofNorth,
    args: async (setting) => ({ params: { id: await newDirectory(setting) } }),
  },
  'directories.test': {
    expected: ofNorth,
    // Answered at once: inside the network.
    args: async (setting) => ({
      body: { ...settings, id: await newDirectory(setting), address: 'ldaps://10.0.0.1', password },
    }),
  },
  'directories.start': {
    expected: ofNorth,
    args: async (setting) => ({ params: { id: await newDirectory(setting) }, body: { dryRun: true } }),
  },
  'directories.rounds': {
    expected: ofNorth,
    args: async (setting) => ({ params: { id: await newDirectory(setting) }, query: {} }),
  },
  'directories.cancel': { expected: ofNorth, args: newRound },
  'directories.changes': {
    expected: ofNorth,
    args: async (setting) => ({ ...(await newRound(setting)), query: {} }),
  },
  'directories.link': { expected: ofNorth, args: newCollision },
};

async function newToken({ server, north }: Setting) {
  const id = newId();
  const row = { id, name: 'Entra', hash: id, createdAt: server.clock.now() };
  await server.db.tenant(north, (tx) => tx.insert(scimToken, row));
  return { params: { id } };
}

async function newGroup({ server, north }: Setting) {
  const [id, at] = [newId(), server.clock.now()];
  await server.db.tenant(north, (tx) => tx.insert(scimGroup, { id, name: 'Doctors', createdAt: at, updatedAt: at }));
  return { params: { id }, body: { roleId: null } };
}

/** Calls of tenant administrators about directories that push. */
export const scimCases: Record<string, Case> = {
  'scim.overview': { expected: all, args: () => ({}) },
  'scim.createToken': { expected: all, args: () => ({ body: { name: 'Entra' } }) },
  'scim.removeToken': { expected: ofNorth, args: newToken },
  'scim.setRole': { expected: ofNorth, args: newGroup },
};
