import { accountName, LIMITS, PHONE_PATTERN } from '@rmeet/contract';
import type { AccountRow } from '../../users/tables.ts';
import { isObject, SCHEMAS, ScimError, truthOf, valueOf, type Json, type Operation } from './protocol.ts';

/** What a directory pushes about a person. Undefined: it says nothing about that. */
export interface PushedUser {
  account?: string;
  name?: string;
  email?: string;
  phone?: string;
  department?: string;
  externalId?: string;
  active?: boolean;
}

const MAIL = /^[^\s@]+@[^\s@]+$/;
const LENGTH = { mail: 200, department: 300, externalId: 200 };

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value.trim() : undefined);

/** The primary value of a list such as `emails`, or the first. */
function primaryOf(value: unknown): string | undefined {
  if (!Array.isArray(value)) return textOf(value);
  const items = value.filter((item) => isObject(item));
  const chosen = items.find((item) => truthOf(valueOf(item, 'primary')) === true) ?? items[0];
  return chosen && textOf(valueOf(chosen, 'value'));
}

/** `displayName`, else the formatted name, else its parts. */
function nameOf(body: Json): string | undefined {
  const shown = textOf(valueOf(body, 'displayName'));
  if (shown) return shown;
  const name = valueOf(body, 'name');
  if (!isObject(name)) return undefined;
  const formatted = textOf(valueOf(name, 'formatted'));
  if (formatted) return formatted;
  const parts = [textOf(valueOf(name, 'givenName')), textOf(valueOf(name, 'familyName'))];
  return parts.filter((part) => part).join(' ') || undefined;
}

/** Attributes that an account has; others are ignored (RFC 7644, section 3.3). */
export function userOf(body: unknown): PushedUser {
  if (!isObject(body)) throw new ScimError(400, 'The request is no object.', 'invalidSyntax');
  const enterprise = valueOf(body, SCHEMAS.enterprise);
  const active = valueOf(body, 'active');
  const isActive = active === undefined ? undefined : truthOf(active);
  if (active !== undefined && isActive === undefined)
    throw new ScimError(400, 'active must be true or false.', 'invalidValue');
  const user = {
    account: textOf(valueOf(body, 'userName')),
    name: nameOf(body),
    email: primaryOf(valueOf(body, 'emails')),
    phone: primaryOf(valueOf(body, 'phoneNumbers')),
    department: isObject(enterprise) ? textOf(valueOf(enterprise, 'department')) : undefined,
    externalId: textOf(valueOf(body, 'externalId')),
    active: isActive,
  };
  return checked(Object.fromEntries(Object.entries(user).filter(([, value]) => value !== undefined)));
}

/** Values that an account can have. @throws ScimError invalidValue for a user name that cannot be an account name */
function checked(user: PushedUser): PushedUser {
  const account = user.account === undefined ? undefined : accountName.safeParse(user.account);
  if (account && !account.success)
    throw new ScimError(400, 'userName must have 2 to 64 letters, digits or . _ - @.', 'invalidValue');
  const { name, email, phone, department, externalId } = user;
  const line = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return {
    ...user,
    ...(account ? { account: account.data } : {}),
    ...(name === undefined ? {} : { name: line(name).slice(0, LIMITS.displayName) }),
    ...(email === undefined ? {} : { email: MAIL.test(email) && email.length <= LENGTH.mail ? email : '' }),
    ...(phone === undefined ? {} : { phone: PHONE_PATTERN.test(phone) ? phone : '' }),
    ...(department === undefined ? {} : { department: line(department).slice(0, LENGTH.department) }),
    ...(externalId === undefined ? {} : { externalId: externalId.slice(0, LENGTH.externalId) }),
  };
}

/** A path of a change as an object: `name.formatted`, `emails[type eq "work"].value`, `urn:...:User:department`. */
function atPath(path: string, value: unknown): Json {
  const enterprise = `${SCHEMAS.enterprise}:`.toLowerCase();
  if (path.toLowerCase().startsWith(enterprise))
    return { [SCHEMAS.enterprise]: { [path.slice(enterprise.length)]: value } };
  const plain = path.toLowerCase().startsWith(`${SCHEMAS.user}:`.toLowerCase())
    ? path.slice(SCHEMAS.user.length + 1)
    : path;
  const [, name = plain, inner] = /^(\w+)(?:\[[^\]]*\])?(?:\.(\w+))?$/.exec(plain) ?? [];
  if (inner === undefined) return { [name]: value };
  return /\[|^(emails|phonenumbers)$/i.test(plain) || /^(emails|phonenumbers)$/i.test(name)
    ? { [name]: [{ value }] }
    : { [name]: { [inner]: value } };
}

const REMOVED: Record<string, PushedUser> = {
  emails: { email: '' },
  phonenumbers: { phone: '' },
  externalid: { externalId: '' },
  active: { active: false },
};

/** The changes of a PATCH; keys of its object may be paths, as some directories write them. */
export function changesOf(operations: readonly Operation[]): PushedUser {
  const changes: PushedUser = {};
  for (const { op, path, value } of operations) {
    const base = (/^[\w:.]+/.exec(path)?.[0] ?? '').toLowerCase();
    if (op === 'remove') {
      if (base === '') throw new ScimError(400, 'remove needs a path.', 'noTarget');
      const isDepartment = base.endsWith(':department');
      Object.assign(changes, isDepartment ? { department: '' } : REMOVED[base.split('.')[0] ?? '']);
    } else if (path !== '') Object.assign(changes, userOf(atPath(path, value)));
    else if (isObject(value))
      for (const [key, inner] of Object.entries(value)) {
        const isPlain = /^\w+$/.test(key) || key.toLowerCase() === SCHEMAS.enterprise.toLowerCase();
        Object.assign(changes, userOf(isPlain ? { [key]: inner } : atPath(key, inner)));
      }
    else throw new ScimError(400, 'The operation needs a path or an object.', 'invalidSyntax');
  }
  return changes;
}

/** A user resource (RFC 7643, section 4.1). */
export function presentUser(
  row: AccountRow,
  { externalId, updatedAt }: { externalId: string; updatedAt: Date },
  base: string,
): Json {
  return {
    schemas: [SCHEMAS.user, SCHEMAS.enterprise],
    id: row.id,
    ...(externalId === '' ? {} : { externalId }),
    userName: row.account,
    displayName: row.name,
    name: { formatted: row.name },
    active: row.enabled && row.deletedAt === null,
    ...(row.email === '' ? {} : { emails: [{ value: row.email, type: 'work', primary: true }] }),
    ...(row.phone === '' ? {} : { phoneNumbers: [{ value: row.phone, type: 'mobile' }] }),
    ...(row.department === '' ? {} : { [SCHEMAS.enterprise]: { department: row.department } }),
    meta: {
      resourceType: 'User',
      created: row.createdAt.toISOString(),
      lastModified: updatedAt.toISOString(),
      location: `${base}/Users/${row.id}`,
    },
  };
}
