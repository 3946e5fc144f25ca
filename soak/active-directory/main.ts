import {
  CallError,
  createApi,
  encryptPassword,
  sambaMissing,
  startSamba,
  startServer,
  type Api,
  type RunningServer,
  type Samba,
} from '@rmeet/testkit';
import type { Soak } from '../soak.ts';
import { table } from '../table.ts';

const PASSWORD = (name: string): string => `${name}-Password-1`;
const LOOK_EVERY = 200;

/** People, two groups of which one is in the other, and an organisational unit. */
function fill({ tool }: Samba): void {
  tool('domain', 'passwordsettings', 'set', '--min-pwd-age=0', '--history-length=0');
  tool('ou', 'create', 'OU=Surgery');
  for (const name of ['dora', 'emil', 'mia', 'dan']) {
    const place = name === 'dora' ? ['--userou=OU=Surgery'] : [];
    const due = name === 'mia' ? ['--must-change-at-next-login'] : [];
    tool('user', 'create', name, PASSWORD(name), '--given-name', name, ...place, ...due);
  }
  tool('user', 'disable', 'dan');
  tool('group', 'add', 'doctors');
  tool('group', 'add', 'heads');
  tool('group', 'addmembers', 'doctors', 'heads');
  tool('group', 'addmembers', 'heads', 'dora');
}

function addDirectory(admin: Api, samba: Samba, roleId: string): Promise<{ id: string }> {
  return admin.directories.create({
    body: {
      name: 'Example',
      kind: 'activeDirectory',
      enabled: true,
      address: samba.ldaps,
      startTls: false,
      certificates: samba.certificate,
      bindDn: samba.admin.dn,
      password: samba.admin.password,
      bases: [samba.suffix],
      filter: '(&(objectCategory=person)(objectClass=user)(givenName=*))',
      attributes: {
        account: 'sAMAccountName',
        name: 'cn',
        email: 'mail',
        phone: 'mobile',
        department: 'department',
        uniqueId: 'objectGUID',
      },
      departmentFrom: 'tree',
      lockedBy: 'userAccountControl',
      groups: [{ dn: `CN=doctors,CN=Users,${samba.suffix}`, roleId }],
      nested: true,
      makesAccounts: true,
      changesPasswords: true,
      everyMinutes: 0,
      disableLimit: 20,
    },
  });
}

/** The code of a sign-in, or the account that signed in. */
async function signIn(server: RunningServer, name: string, password: string, newPassword?: string): Promise<string> {
  const api = createApi(server.url);
  const { publicKey } = await api.auth.loginMode({ query: {} });
  const more = newPassword === undefined ? {} : { newPassword: encryptPassword(publicKey, newPassword) };
  try {
    const body = { account: name, tenant: 'demo', password: encryptPassword(publicKey, password), ...more };
    return (await api.auth.login({ body })).user.account;
  } catch (error) {
    if (error instanceof CallError) return error.code;
    throw error;
  }
}

async function synchronise(admin: Api, id: string): Promise<string> {
  await admin.directories.start({ params: { id }, body: { dryRun: false } });
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
    const [round] = (await admin.directories.rounds({ params: { id }, query: { size: 1 } })).records;
    if (round && round.endedAt !== null)
      return `${round.state} ${round.problem ?? ''}${round.detail} created ${round.counts.created}`;
  }
}

/** Everything that the product does with Active Directory, once, against Samba as a domain controller. */
const activeDirectory: Soak = async () => {
  const missing = await sambaMissing();
  if (missing !== null) return { passed: false, verdict: `Not run: ${missing}.` };
  const server = await startServer({ env: { RMEET_SEED: 'demo' } });
  let samba: Samba | undefined;
  const print = table(['what', 'expected', 'got']);
  let wrong = 0;
  const check = (what: string, expected: string, got: string): void => {
    print([what, expected, got]);
    if (expected !== got) wrong += 1;
  };
  try {
    samba = await startSamba();
    fill(samba);
    const root = await server.api.as('root');
    const { id: roleId } = await root.roles.create({ body: { name: 'Doctors', kind: 'user', permissionIds: [] } });
    const admin = await server.api.as('admin');
    const { id } = await addDirectory(admin, samba, roleId);
    check('first sign-in', 'emil', await signIn(server, 'emil', PASSWORD('emil')));
    check('wrong password', 'BAD_CREDENTIALS', await signIn(server, 'emil', 'wrong'));
    check('disabled', 'ACCOUNT_DISABLED', await signIn(server, 'dan', PASSWORD('dan')));
    check('password due', 'PWD_EXPIRED', await signIn(server, 'mia', PASSWORD('mia')));
    check('new password', 'mia', await signIn(server, 'mia', PASSWORD('mia'), 'mia-Password-2'));
    check('the new one again', 'mia', await signIn(server, 'mia', 'mia-Password-2'));
    check('refused password', 'DIRECTORY_PASSWORD_REFUSED', await changePassword(server, 'short'));
    check('synchronisation', 'done  created 1', await synchronise(admin, id));
    const people = await admin.users.list({ query: { roleId } });
    check('nested group', 'dora', people.records.map(({ account }) => account).join());
    check('department', 'Surgery', people.records[0]?.department ?? '');
    samba.tool('user', 'disable', 'emil');
    check('synchronisation', 'done  created 0', await synchronise(admin, id));
    check('disabled there', 'ACCOUNT_DISABLED', await signIn(server, 'emil', PASSWORD('emil')));
  } finally {
    await server.stop();
    await samba?.remove();
  }
  return { passed: wrong === 0, verdict: wrong === 0 ? 'All as expected.' : `FAILED: ${wrong} not as expected.` };
};

/** What emil's profile answers to a new password. */
async function changePassword(server: RunningServer, to: string): Promise<string> {
  const api = createApi(server.url);
  const { publicKey } = await api.auth.loginMode({ query: {} });
  const from = encryptPassword(publicKey, PASSWORD('emil'));
  const { token } = await api.auth.login({ body: { account: 'emil', tenant: 'demo', password: from } });
  try {
    const oldPassword = encryptPassword(publicKey, PASSWORD('emil'));
    await api.withToken(token).users.changePassword({
      body: { oldPassword, newPassword: encryptPassword(publicKey, to) },
    });
    return 'OK';
  } catch (error) {
    if (error instanceof CallError) return error.code;
    throw error;
  }
}

export default activeDirectory;
