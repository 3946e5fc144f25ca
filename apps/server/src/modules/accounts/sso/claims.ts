import { accountName, type ProviderRules, type SsoField } from '@rmeet/contract';
import type { Person } from './kinds.ts';

const LONGEST: Record<SsoField, number> = { account: 64, name: 60, email: 200, phone: 40, department: 300 };

/** What an identity provider says about a person, as far as its rules read it; missing details are undefined. */
export interface Said extends Record<SsoField, string | undefined> {
  /** The mail address, if the provider has verified it. */
  verifiedMail: string | undefined;
  /** The values by which roles are granted; undefined if it says nothing about them. */
  groups: string[] | undefined;
}

/** A claim by its name, or by a path with dots: `realm_access.roles`. */
function claimOf(claims: Person['claims'], name: string): unknown {
  if (name === '') return undefined;
  if (Object.hasOwn(claims, name)) return claims[name];
  return name
    .split('.')
    .reduce<unknown>(
      (at, part) =>
        typeof at === 'object' && at !== null && Object.hasOwn(at, part)
          ? (at as Record<string, unknown>)[part]
          : undefined,
      claims,
    );
}

/** Characters that end lines or cannot be stored. */
const UNFIT = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

function textOf(value: unknown, longest: number): string | undefined {
  const text = Array.isArray(value) ? value.filter((part) => typeof part === 'string').join('/') : value;
  if (typeof text !== 'string' && typeof text !== 'number') return undefined;
  const plain = String(text).toWellFormed().replaceAll(UNFIT, ' ').trim();
  return plain === '' || plain.length > longest ? undefined : plain;
}

/** A path in the organisation, levels separated by `/`. */
const departmentOf = (text: string | undefined): string | undefined =>
  text
    ?.split('/')
    .map((level) => level.trim())
    .filter((level) => level !== '')
    .join('/');

function groupsOf(value: unknown): string[] | undefined {
  if (value === undefined || value === null) return undefined;
  return (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === 'string');
}

/** Reads the claims that the rules name. Account names that this product does not allow count as missing. */
export function readClaims({ claims }: Person, { claims: names }: ProviderRules): Said {
  const read = (field: SsoField): string | undefined => textOf(claimOf(claims, names[field]), LONGEST[field]);
  const email = read('email');
  // The standard says which claim `email_verified` is about (OpenID Connect Core 1.0, section 5.1).
  const isVerified = names.email === 'email' && [true, 'true'].includes(claims['email_verified'] as boolean | string);
  return {
    account: accountName.safeParse(read('account')).data,
    name: read('name'),
    email,
    phone: read('phone'),
    department: departmentOf(read('department')),
    verifiedMail: isVerified ? email : undefined,
    groups: groupsOf(claimOf(claims, names.roles)),
  };
}

/** What people recognise an identity by. */
export const labelOf = ({ subject }: Person, { account, email, name }: Said): string =>
  (account ?? email ?? name ?? subject).slice(0, 200);

/** Whether the rules admit the person's mail address: a verified one in one of the domains, if there are any. */
export function isMailAdmitted({ verifiedMail }: Said, { domains }: ProviderRules): boolean {
  if (domains.length === 0) return true;
  const domain = verifiedMail?.toLowerCase().split('@').at(-1);
  return domain !== undefined && domains.includes(domain);
}
