import { ACCOUNT_PATTERN, LIMITS, PHONE_PATTERN, type DirectorySettings } from '@rmeet/contract';
import type { Entry } from 'ldapts';
import { unitsAbove } from './dn.ts';

/** A person as the directory has them, with values that an account can have. */
export interface DirectoryPerson {
  uniqueId: string;
  dn: string;
  account: string;
  name: string;
  email: string;
  phone: string;
  department: string;
  isLocked: boolean;
  /** When the password was last changed, as the directory writes it; empty if it does not say. */
  passwordStamp: string;
}

export type PersonSettings = Pick<DirectorySettings, 'kind' | 'attributes' | 'departmentFrom' | 'lockedBy' | 'bases'>;

/** Bit 2 of userAccountControl: ACCOUNTDISABLE ([MS-ADTS], section 2.2.16). */
const ACCOUNT_DISABLED = 2;
const MAIL = /^[^\s@]+@[^\s@]+$/;
const MAIL_LENGTH = 200;
const DEPARTMENT_LENGTH = 300;
const ACCOUNT_LENGTH = { least: 2, most: 64 };

const stampOf = ({ kind }: Pick<PersonSettings, 'kind'>): string =>
  kind === 'activeDirectory' ? 'pwdLastSet' : 'pwdChangedTime';

/** What is read of every person. */
export function attributesOf(settings: PersonSettings): string[] {
  const { attributes, lockedBy } = settings;
  const { department, ...others } = attributes;
  const wanted = [
    ...Object.values(others),
    settings.departmentFrom === 'attribute' ? department : '',
    lockedBy === 'none' ? '' : lockedBy,
    stampOf(settings),
  ];
  return [...new Set(wanted.filter((name) => name !== ''))];
}

/** The values of an attribute; servers answer its name in their own case. */
export function valuesOf(entry: Entry, attribute: string): (string | Buffer)[] {
  const name = Object.keys(entry).find((key) => key.toLowerCase() === attribute.toLowerCase());
  const values = name === undefined ? [] : entry[name];
  return Array.isArray(values) ? values : [values ?? ''];
}

const textOf = (entry: Entry, attribute: string): string => {
  if (attribute === '') return '';
  const [value = ''] = valuesOf(entry, attribute);
  return value
    .toString()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
};

/** Binary values in hexadecimal, as the table stores them. */
function uniqueIdOf(entry: Entry, attribute: string): string {
  const [value = ''] = valuesOf(entry, attribute);
  return Buffer.isBuffer(value) ? value.toString('hex') : value;
}

function isLocked(entry: Entry, lockedBy: PersonSettings['lockedBy']): boolean {
  switch (lockedBy) {
    case 'none':
      return false;
    case 'userAccountControl':
      return (Number(textOf(entry, lockedBy)) & ACCOUNT_DISABLED) !== 0;
    case 'nsAccountLock':
      return textOf(entry, lockedBy).toLowerCase() === 'true';
    case 'pwdAccountLockedTime':
      return textOf(entry, lockedBy) !== '';
  }
}

function departmentOf(entry: Entry, { departmentFrom, attributes, bases }: PersonSettings): string {
  if (departmentFrom === 'none') return '';
  const levels =
    departmentFrom === 'attribute'
      ? textOf(entry, attributes.department).split('/')
      : unitsAbove(entry.dn, longestBase(entry.dn, bases)).map((unit) => unit.replaceAll('/', '-'));
  return levels
    .map((level) => level.trim())
    .filter((level) => level !== '')
    .join('/')
    .slice(0, DEPARTMENT_LENGTH);
}

const longestBase = (dn: string, bases: readonly string[]): string =>
  bases.filter((base) => dn.toLowerCase().endsWith(base.toLowerCase())).toSorted((a, b) => b.length - a.length)[0] ??
  bases[0] ??
  '';

/** Whether a name can be that of an account. */
export const canBeAccount = (name: string): boolean =>
  ACCOUNT_PATTERN.test(name) && name.length >= ACCOUNT_LENGTH.least && name.length <= ACCOUNT_LENGTH.most;

export function personOf(entry: Entry, settings: PersonSettings): DirectoryPerson {
  const { attributes, lockedBy } = settings;
  const account = textOf(entry, attributes.account);
  const email = textOf(entry, attributes.email);
  const phone = textOf(entry, attributes.phone);
  return {
    uniqueId: uniqueIdOf(entry, attributes.uniqueId),
    dn: entry.dn,
    account,
    name: (textOf(entry, attributes.name) || account).slice(0, LIMITS.displayName),
    email: MAIL.test(email) && email.length <= MAIL_LENGTH ? email : '',
    phone: PHONE_PATTERN.test(phone) ? phone : '',
    department: departmentOf(entry, settings),
    isLocked: isLocked(entry, lockedBy),
    passwordStamp: textOf(entry, stampOf(settings)),
  };
}
