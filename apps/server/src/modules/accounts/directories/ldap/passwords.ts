import { Attribute, Change, ResultCodeError, type Client } from 'ldapts';
import { bindAs } from './connection.ts';
import { DirectoryFailure } from './problem.ts';

/** What a directory says about a password. */
export type PasswordVerdict = 'right' | 'wrong' | 'due' | 'disabled' | 'locked' | 'refused';

/**
 * Win32 codes in the message of a refused bind, `data 52e`: Active Directory says them about right passwords, except
 * 775, which it says whatever the password.
 */
const OF_ACTIVE_DIRECTORY: Record<string, PasswordVerdict> = {
  '530': 'refused', // not at this time
  '531': 'refused', // not from this computer
  '532': 'due', // the password has expired
  '533': 'disabled',
  '701': 'disabled', // the account has expired
  '773': 'due', // must be changed at the first sign-in
  '775': 'locked',
};
/** Result codes of RFC 4511, appendix A. */
const RESULT = { constraint: 19, noObject: 32, inappropriate: 48, invalid: 49, noAccess: 50, unwilling: 53 };

export function verdictOf(error: unknown): PasswordVerdict | undefined {
  if (!(error instanceof ResultCodeError)) return undefined;
  switch (error.code) {
    case RESULT.invalid: {
      const [, code = ''] = /\bdata ([0-9a-f]+)/i.exec(error.message) ?? [];
      return OF_ACTIVE_DIRECTORY[code.toLowerCase()] ?? 'wrong';
    }
    case RESULT.noObject:
    case RESULT.inappropriate:
      return 'wrong';
    // 389 Directory Server: too many attempts; the account is inactive.
    case RESULT.constraint:
      return 'locked';
    case RESULT.unwilling:
      return 'refused';
    default:
      return undefined;
  }
}

/**
 * Checks a password by a bind; the connection is the person's afterwards. Throws the errors of ldapts for what is no
 * verdict.
 */
export async function checkPassword(client: Client, dn: string, password: string): Promise<PasswordVerdict> {
  if (password === '') return 'wrong';
  try {
    await bindAs(client, dn, password);
  } catch (error) {
    const verdict = verdictOf(error);
    if (verdict === undefined) throw error;
    return verdict;
  }
  return (await mayOnlyChangePassword(client, dn)) ? 'due' : 'right';
}

/**
 * OpenLDAP's password policy accepts the bind of a person whose password was reset, and refuses everything but a new
 * password (draft-behera-ldap-password-policy-10, section 8.1.2.2).
 */
async function mayOnlyChangePassword(client: Client, dn: string): Promise<boolean> {
  try {
    await client.search(dn, { scope: 'base', attributes: ['1.1'] });
    return false;
  } catch (error) {
    return error instanceof ResultCodeError && error.code === RESULT.noAccess && /restricted/i.test(error.message);
  }
}

/** BER of a context-specific primitive, or a sequence; up to 65,535 bytes. */
function tagged(tag: number, value: Buffer): Buffer {
  const { length } = value;
  const size = length < 128 ? [length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), value]);
}

/** PasswdModifyRequestValue (RFC 3062, section 2). */
export const modifyRequest = (dn: string, from: string, to: string): Buffer =>
  tagged(0x30, Buffer.concat([dn, from, to].map((text, n) => tagged(0x80 + n, Buffer.from(text, 'utf8')))));

/** The value of unicodePwd: in quotation marks, UTF-16 ([MS-ADTS], section 3.1.1.3.1.5). */
const quoted = (password: string): Buffer => Buffer.from(`"${password}"`, 'utf16le');

function unicodeChange(operation: 'delete' | 'add', password: string): Change {
  return new Change({ operation, modification: new Attribute({ type: 'unicodePwd', values: [quoted(password)] }) });
}

/**
 * Changes a password in OpenLDAP and others by the modify operation, as the person; in Active Directory by its own
 * attribute, which takes an encrypted connection and the old password.
 *
 * @returns `refused` if the directory does not accept the new password
 */
export async function changePassword(
  client: Client,
  kind: 'activeDirectory' | 'ldap',
  { dn, from, to }: { dn: string; from: string; to: string },
): Promise<'changed' | 'refused' | 'wrong'> {
  try {
    if (kind === 'activeDirectory') await client.modify(dn, [unicodeChange('delete', from), unicodeChange('add', to)]);
    else await client.exop('1.3.6.1.4.1.4203.1.11.1', modifyRequest(dn, from, to));
    return 'changed';
  } catch (error) {
    if (!(error instanceof ResultCodeError)) throw error;
    // ERROR_INVALID_PASSWORD: the old one is wrong.
    if (/\b00000056\b/.test(error.message)) return 'wrong';
    if ([RESULT.constraint, RESULT.noAccess, RESULT.unwilling].includes(error.code)) return 'refused';
    throw new DirectoryFailure('OTHER', error.message, { cause: error });
  }
}
