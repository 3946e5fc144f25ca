import { all, type Case, type Expected, type Setting } from './case-setting.ts';

let versions = 0;
/** A version that no other package has. */
const nextVersion = (): string => `9.${(versions += 1)}`;
const body = () => ({ type: 3, version: nextVersion(), link: 'https://downloads.example.org/rmeet.exe' });

/** The id of a new package. */
async function newPackage({ cast }: Setting, withdrawn = false): Promise<string> {
  const { id } = await cast.superAdmin.clientPackages.create({ body: body() });
  if (withdrawn) await cast.superAdmin.clientPackages.withdraw({ params: { id }, body: { withdrawn } });
  return id;
}

const ofFile = async ({ cast }: Setting) => {
  const file = new File(['MZ installer'], 'rmeet.exe');
  const { id } = await cast.superAdmin.clientPackages.create({ body: { ...body(), link: null }, files: [file] });
  return { params: { id } };
};

/** Those who manage the meeting get a key; those who may only see it do not. */
const ofHosts: Expected = {
  host: 'OK',
  granted: 'OK',
  tenantAdmin: 'OK',
  member: 'FORBIDDEN',
  others: 'NOT_FOUND',
};

export const packageCases: Record<string, Case> = {
  'clientPackages.list': { expected: all, args: () => ({ query: { url: 'https://downloads.example.org/rmeet.exe' } }) },
  'clientPackages.file': { expected: all, args: ofFile },
  'clientPackages.query': { expected: all, args: () => ({ query: { type: 3 } }) },
  'clientPackages.check': { expected: all, args: () => ({ body: { type: 3, version: nextVersion() } }) },
  'clientPackages.create': { expected: all, args: () => ({ body: body() }) },
  'clientPackages.update': {
    expected: all,
    args: async (setting) => ({
      params: { id: await newPackage(setting) },
      body: { rollout: { kind: 'tenants', tenantIds: [setting.north] }, edition: 1 },
    }),
  },
  'clientPackages.withdraw': {
    expected: all,
    args: async (setting) => ({ params: { id: await newPackage(setting) }, body: { withdrawn: true } }),
  },
  'clientPackages.remove': {
    expected: all,
    args: async (setting) => ({ params: { id: await newPackage(setting, true) } }),
  },
  'hostKeys.getHostZak': {
    expected: ofHosts,
    args: ({ world }) => ({ query: { numericId: world.meeting.numericId } }),
  },
  'hostKeys.startByZak': {
    expected: all,
    args: async ({ cast, world }) => {
      const { numericId } = world.meeting;
      const { zak } = await cast.host.hostKeys.getHostZak({ query: { numericId } });
      return { body: { numericId, zak } };
    },
  },
};
