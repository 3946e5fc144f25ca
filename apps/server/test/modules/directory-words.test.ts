import { InvalidCredentialsError, UnwillingToPerformError } from 'ldapts';
import { describe, expect, test } from 'vitest';
import { dnKey, parentOf, partsOf, unitsAbove } from '../../src/modules/accounts/directories/ldap/dn.ts';
import { modifyRequest, verdictOf } from '../../src/modules/accounts/directories/ldap/passwords.ts';
import { personOf, type PersonSettings } from '../../src/modules/accounts/directories/ldap/person.ts';

describe('a distinguished name', () => {
  test('is read with its escapes, as in RFC 4514, section 4', () => {
    expect(partsOf('OU=Sales+CN=J.  Smith,DC=example,DC=net')[0]).toEqual([
      { type: 'ou', value: 'Sales' },
      { type: 'cn', value: 'J.  Smith' },
    ]);
    expect(partsOf(String.raw`CN=James \"Jim\" Smith\, III,DC=example`)[0]).toEqual([
      { type: 'cn', value: 'James "Jim" Smith, III' },
    ]);
    expect(partsOf(String.raw`CN=Before\0dAfter,DC=example`)[0]?.[0]?.value).toBe('Before\rAfter');
    expect(partsOf(String.raw`CN=Lu\C4\8Di\C4\87`)[0]?.[0]?.value).toBe('Lučić');
    expect(parentOf(String.raw`cn=a\,b,ou=c,dc=d`)).toBe('ou=c,dc=d');
  });

  test('is the same in other notations', () => {
    expect(dnKey('CN=Alice, OU=People,DC=Example')).toBe(dnKey('cn=alice,ou=people,dc=example'));
    expect(dnKey(String.raw`cn=a\2Cb,dc=x`)).toBe(dnKey(String.raw`CN=A\,B,DC=X`));
    expect(dnKey('cn=a,dc=x')).not.toBe(dnKey(String.raw`cn=a\,dc=x`));
  });

  test('leads to the units above a person, the outermost first', () => {
    const dn = String.raw`cn=Alice,ou=General\, 2nd,ou=Surgery,ou=people,dc=example,dc=org`;
    expect(unitsAbove(dn, 'ou=people,dc=example,dc=org')).toEqual(['Surgery', 'General, 2nd']);
    expect(unitsAbove('cn=x,dc=example', 'dc=example')).toEqual([]);
  });
});

describe('Active Directory', () => {
  const refused = (code: string): InvalidCredentialsError =>
    new InvalidCredentialsError(
      `80090308: LdapErr: DSID-0C090439, comment: AcceptSecurityContext error, data ${code}, v4563`,
    );

  test.each([
    ['52e', 'wrong'],
    ['525', 'wrong'],
    ['530', 'refused'],
    ['532', 'due'],
    ['533', 'disabled'],
    ['701', 'disabled'],
    ['773', 'due'],
    ['775', 'locked'],
  ])('says %s: the password is %s', (code, verdict) => {
    expect(verdictOf(refused(code))).toBe(verdict);
  });

  test('is read with its binary id and its flags', () => {
    const settings: PersonSettings = {
      kind: 'activeDirectory',
      attributes: {
        account: 'samaccountname',
        name: 'displayName',
        email: 'mail',
        phone: 'mobile',
        department: 'department',
        uniqueId: 'objectguid',
      },
      departmentFrom: 'attribute',
      lockedBy: 'userAccountControl',
      bases: ['DC=example,DC=org'],
    };
    const entry = {
      dn: 'CN=Alice,OU=Staff,DC=example,DC=org',
      sAMAccountName: 'alice',
      displayName: 'Alice\u0007\nA.',
      mail: ['alice@example.org', 'a@example.org'],
      mobile: 'ask the desk',
      department: 'Surgery / General',
      objectGUID: Buffer.from('00ff10', 'hex'),
      userAccountControl: '514',
      pwdLastSet: '133000000000000000',
    };
    expect(personOf(entry, settings)).toEqual({
      uniqueId: '00ff10',
      dn: entry.dn,
      account: 'alice',
      name: 'Alice A.',
      email: 'alice@example.org',
      phone: '',
      department: 'Surgery/General',
      isLocked: true,
      passwordStamp: '133000000000000000',
    });
  });
});

test('other directories that refuse say no more than they do', () => {
  expect(verdictOf(new InvalidCredentialsError())).toBe('wrong');
  expect(verdictOf(new UnwillingToPerformError('Account inactivated.'))).toBe('refused');
  expect(verdictOf(new Error('Socket error'))).toBeUndefined();
});

test('a password change is encoded as in RFC 3062, section 2', () => {
  expect(modifyRequest('cn=a', 'old', 'new').toString('hex')).toBe(
    ['3010', '8004636e3d61', '81036f6c64', '82036e6577'].join(''),
  );
  const long = modifyRequest('cn=a', 'x'.repeat(200), 'y');
  expect(long.subarray(0, 4).toString('hex')).toBe('308200d5');
});
