import { all, named, type Case, type Expected, type Setting } from './case-setting.ts';
import type { CallerName } from './world.ts';

/** Clients of `north`. */
const ofNorth: Expected = { foreignAdmin: 'NOT_FOUND', foreignUser: 'NOT_FOUND', others: 'OK' };
const body = () => ({ name: named('client'), scopes: ['meetings:read' as const], actsForUsers: true });

/** The id of a new client of `north`. */
const newClient = async ({ cast }: Setting): Promise<string> =>
  (await cast.tenantAdmin.apiRecords.create({ body: body() })).client.id;
const onClient =
  (args: object = {}) =>
  async (setting: Setting) => ({ params: { id: await newClient(setting) }, ...args });

/** Callers who cannot give a grant for this client: it is of another tenant, or they are no users. */
const WITHOUT_GRANT: ReadonlySet<CallerName> = new Set(['foreignAdmin', 'foreignUser', 'operator', 'superAdmin']);

/** A grant of the caller, or one of bob's that is none of the caller's business. */
const ownGrant = async (setting: Setting, caller: CallerName): Promise<string> => {
  const { cast } = setting;
  const clientId = await newClient(setting);
  const owner = WITHOUT_GRANT.has(caller) ? cast.member : cast[caller as keyof typeof cast];
  await owner.apiRecords.grantOwn({ body: { clientId } });
  const offered = await owner.apiRecords.offered();
  return offered.find((one) => one.clientId === clientId)?.grant?.id ?? '';
};

export const apiRecordCases: Record<string, Case> = {
  'apiRecords.query': { expected: all, args: ({ north }) => ({ query: { tenantId: north } }) },
  'apiRecords.show': { expected: ofNorth, args: onClient() },
  'apiRecords.create': { expected: all, args: ({ north }) => ({ body: { ...body(), tenantId: north } }) },
  'apiRecords.update': {
    expected: ofNorth,
    args: async (setting) => ({ body: { ...body(), id: await newClient(setting), version: 1 } }),
  },
  'apiRecords.rotate': { expected: ofNorth, args: onClient({ body: { overlapHours: 1 } }) },
  'apiRecords.end': { expected: ofNorth, args: onClient() },
  'apiRecords.trail': { expected: ofNorth, args: onClient() },
  'apiRecords.calls': { expected: ofNorth, args: onClient() },
  'apiRecords.grants': { expected: ofNorth, args: onClient() },
  'apiRecords.endGrant': {
    expected: ofNorth,
    args: async (setting) => {
      const id = await newClient(setting);
      const { id: grantId } = await setting.cast.tenantAdmin.apiRecords.grantForTenant({ params: { id } });
      return { params: { id, grantId } };
    },
  },
  'apiRecords.grantForTenant': { expected: ofNorth, args: onClient() },
  'apiRecords.offered': { expected: all, args: () => ({}) },
  'apiRecords.grantOwn': {
    expected: ofNorth,
    args: async (setting) => ({ body: { clientId: await newClient(setting) } }),
  },
  'apiRecords.endOwnGrant': {
    expected: ofNorth,
    args: async (setting, caller) => ({ params: { id: await ownGrant(setting, caller) } }),
  },
};
