import type { Args, contract, Directory, DirectorySettings } from '@rmeet/contract';
import type { useTexts } from '../../lib/i18n/index.ts';
import type { FieldErrors } from '../../ui/admin/useForm.ts';

/** A directory in the form: lists as lines. */
export interface DirectoryDraft extends Omit<
  DirectorySettings,
  'attributes' | 'bases' | 'everyMinutes' | 'disableLimit'
> {
  bases: string;
  account: string;
  fullName: string;
  email: string;
  phone: string;
  department: string;
  uniqueId: string;
  /** Empty: the stored one. */
  password: string;
  everyMinutes: number | null;
  disableLimit: number | null;
}

type Body = Args<typeof contract.directories.create>['body'];
type Kind = DirectorySettings['kind'];

/** What each kind of directory usually has. */
const USUAL = {
  activeDirectory: {
    filter: '(&(objectCategory=person)(objectClass=user))',
    account: 'sAMAccountName',
    fullName: 'displayName',
    email: 'mail',
    phone: 'mobile',
    department: 'department',
    uniqueId: 'objectGUID',
    lockedBy: 'userAccountControl',
  },
  ldap: {
    filter: '(objectClass=inetOrgPerson)',
    account: 'uid',
    fullName: 'cn',
    email: 'mail',
    phone: 'mobile',
    department: 'departmentNumber',
    uniqueId: 'entryUUID',
    lockedBy: 'none',
  },
} as const satisfies Record<Kind, Partial<DirectoryDraft>>;

export const usualOf = (kind: Kind): Partial<DirectoryDraft> => USUAL[kind];

export function newDirectory(): DirectoryDraft {
  return {
    name: '',
    kind: 'activeDirectory',
    enabled: true,
    address: 'ldaps://',
    startTls: true,
    certificates: '',
    bindDn: '',
    password: '',
    bases: '',
    ...USUAL.activeDirectory,
    departmentFrom: 'attribute',
    groups: [],
    nested: true,
    makesAccounts: true,
    changesPasswords: true,
    everyMinutes: 60,
    disableLimit: 20,
  };
}

export function draftOf({ attributes, bases, ...directory }: Directory): DirectoryDraft {
  const { id: _id, version: _version, accounts: _accounts, lastRound: _round, ...settings } = directory;
  const { name: fullName, ...others } = attributes;
  return { ...settings, ...others, fullName, bases: bases.join('\n'), password: '' };
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** The request body of a draft. */
export function bodyOf(draft: DirectoryDraft): Body {
  const { account, fullName, email, phone, department, uniqueId, password, bases, ...settings } = draft;
  return {
    ...settings,
    bases: linesOf(bases),
    attributes: { account, name: fullName, email, phone, department, uniqueId },
    everyMinutes: settings.everyMinutes ?? 0,
    disableLimit: settings.disableLimit ?? 0,
    ...(password === '' ? {} : { password }),
  };
}

/** Fields of the form for the paths of the contract. */
export const FIELDS: Record<string, keyof DirectoryDraft> = {
  DIRECTORY_ADDRESS: 'address',
  ROLE_UNKNOWN: 'groups',
  'attributes.account': 'account',
  'attributes.name': 'fullName',
  'attributes.email': 'email',
  'attributes.phone': 'phone',
  'attributes.department': 'department',
  'attributes.uniqueId': 'uniqueId',
};

const REQUIRED = ['name', 'bindDn', 'bases', 'filter', 'account', 'fullName', 'uniqueId'] as const;
/** Minutes between rounds; 0 is allowed, too. */
const MINUTES = { min: 15, max: 10_080 };

const isBetween = (value: number | null, min: number, max: number): boolean =>
  value !== null && value >= min && value <= max;

/** The errors found before anything is sent; a new directory needs a password. */
export function faultsOf(
  draft: DirectoryDraft,
  isNew: boolean,
  t: ReturnType<typeof useTexts<'directories'>>,
  admin: ReturnType<typeof useTexts<'admin'>>,
): FieldErrors<DirectoryDraft> {
  const faults: FieldErrors<DirectoryDraft> = {};
  for (const field of REQUIRED) if (draft[field].trim() === '') faults[field] = admin('invalid.required');
  if (!/^ldaps?:\/\/[^\s/@?#]+\/?$/i.test(draft.address)) faults.address = t('fault.address');
  if (isNew && draft.password === '') faults.password = t('fault.password');
  if (draft.groups.some(({ dn, roleId }) => dn.trim() === '' || roleId === '')) faults.groups = t('fault.groups');
  const { everyMinutes, disableLimit } = draft;
  if (everyMinutes !== null && everyMinutes !== 0 && !isBetween(everyMinutes, MINUTES.min, MINUTES.max))
    faults.everyMinutes = t('fault.everyMinutes');
  if (!isBetween(disableLimit, 1, 100)) faults.disableLimit = t('fault.disableLimit');
  return faults;
}
