import type { DirectorySettings } from '@rmeet/contract';
import { SLAPD_ADMIN, SLAPD_SUFFIX, type Slapd } from '@rmeet/testkit';
import { clientOf, codeOf, encrypt } from './client.ts';
import type { TestServer } from './server.ts';

export const PEOPLE_BASE = `ou=people,${SLAPD_SUFFIX}`;
export const GROUPS_BASE = `ou=groups,${SLAPD_SUFFIX}`;

/** Settings for slapd, over TLS, and the password of its account. */
export function settingsFor(
  slapd: Slapd,
  values: Partial<DirectorySettings> = {},
): DirectorySettings & { password: string } {
  return {
    name: 'Example',
    kind: 'ldap',
    enabled: true,
    address: slapd.ldaps,
    startTls: false,
    certificates: slapd.certificate,
    bindDn: SLAPD_ADMIN.dn,
    password: SLAPD_ADMIN.password,
    bases: [PEOPLE_BASE],
    filter: '(objectClass=inetOrgPerson)',
    attributes: {
      account: 'uid',
      name: 'cn',
      email: 'mail',
      phone: 'mobile',
      department: 'departmentNumber',
      uniqueId: 'entryUUID',
    },
    departmentFrom: 'attribute',
    lockedBy: 'pwdAccountLockedTime',
    groups: [],
    nested: true,
    makesAccounts: true,
    changesPasswords: true,
    everyMinutes: 60,
    disableLimit: 20,
    ...values,
  };
}

interface Attempt {
  tenant?: string | undefined;
  newPassword?: string;
  address?: string;
}

/** Signs in by account and password, in `north` unless another tenant, or none, is named. */
export async function enter(server: TestServer, account: string, password: string, options: Attempt = {}) {
  const { newPassword, address } = options;
  const tenant = 'tenant' in options ? options.tenant : 'north';
  return clientOf(server, undefined, address).auth.login({
    body: {
      account,
      password: await encrypt(server, password),
      ...(tenant === undefined ? {} : { tenant }),
      ...(newPassword === undefined ? {} : { newPassword: await encrypt(server, newPassword) }),
    },
  });
}

/** The code of a sign-in. */
export const entering = (...args: Parameters<typeof enter>): Promise<string> => codeOf(enter(...args));
