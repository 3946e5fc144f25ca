/** Attributes of a person under their own names; several values of a name in their order. */
export type Attributes = ReadonlyMap<string, readonly string[]>;

/**
 * Under which names identity providers send what OpenID Connect has claims for: LDAP's (RFC 2798, RFC 4519) and their
 * object ids, AD FS's and Entra's. The first one that is there counts.
 */
const NAMES: Record<string, readonly string[]> = {
  preferred_username: [
    'preferred_username',
    'uid',
    'urn:oid:0.9.2342.19200300.100.1.1',
    'sAMAccountName',
    'http://schemas.microsoft.com/ws/2008/06/identity/claims/windowsaccountname',
    'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/upn',
  ],
  name: [
    'name',
    'displayName',
    'urn:oid:2.16.840.1.113730.3.1.241',
    'http://schemas.microsoft.com/identity/claims/displayname',
    'cn',
    'urn:oid:2.5.4.3',
    'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name',
  ],
  email: [
    'email',
    'mail',
    'urn:oid:0.9.2342.19200300.100.1.3',
    'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
  ],
  phone_number: [
    'phone_number',
    'mobile',
    'urn:oid:0.9.2342.19200300.100.1.41',
    'telephoneNumber',
    'urn:oid:2.5.4.20',
    'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/mobilephone',
  ],
  department: ['department', 'ou', 'urn:oid:2.5.4.11'],
  groups: [
    'groups',
    'memberOf',
    'urn:oid:1.3.6.1.4.1.5923.1.5.1.1',
    'http://schemas.xmlsoap.org/claims/Group',
    'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups',
    'http://schemas.microsoft.com/ws/2008/06/identity/claims/role',
  ],
};

/** One value as a text; groups stay a list. */
const valueOf = (name: string, values: readonly string[]): unknown =>
  values.length === 1 && name !== 'groups' ? values[0] : [...values];

/**
 * Attributes as claims: under their own names, and under those of OpenID Connect. `account`: the account name if no
 * attribute has it. Whether mail addresses are verified is never theirs to say.
 */
export function claimsOf(
  attributes: Attributes,
  { account, trustsMail }: { account: string; trustsMail: boolean },
): Record<string, unknown> {
  const own = [...attributes].map(([name, values]): [string, unknown] => [name, valueOf(name, values)]);
  const standard = Object.entries(NAMES).flatMap(([claim, names]): [string, unknown][] => {
    const values = names.map((name) => attributes.get(name)).find((one) => one !== undefined && one.length > 0);
    return values ? [[claim, valueOf(claim, values)]] : [];
  });
  return Object.fromEntries([['preferred_username', account], ...own, ...standard, ['email_verified', trustsMail]] as [
    string,
    unknown,
  ][]);
}
