import {
  ACCOUNT_ROLES,
  accountRoleOf,
  ENTRY_TYPES,
  PERMISSION_CODES,
  PERMISSIONS,
  permissionDefinition,
  type AccessRule,
  type FeatureFlags,
  type Locale,
  type PermissionCode,
} from '@rmeet/contract';
import type { PermissionRow } from './tables.ts';

export type AccountKind = 'user' | 'operator';
/** The fields of an entry that decide who has it. */
export type Entry = Pick<PermissionRow, 'id' | 'pid' | 'type' | 'code' | 'isAdmin'>;

/** An account with everything that decides its permissions. */
export interface Subject {
  kind: AccountKind;
  isTenantAdmin: boolean;
  isSuperAdmin: boolean;
  /** The account and its tenant both. */
  enabled: boolean;
  deniedFeatures: readonly string[];
  /** Names of the account's roles that grant an entry, by the entry's id. */
  byRole: ReadonlyMap<string, readonly string[]>;
  /** Ids of the entries granted to the account itself. */
  direct: ReadonlySet<string>;
}

export interface Decision {
  allowed: boolean;
  rule: AccessRule;
}

const yes = (kind: AccessRule['kind'], names: readonly string[] = []): Decision => ({
  allowed: true,
  rule: { kind, names: [...names] },
});
const no = (kind: AccessRule['kind'], names: readonly string[] = []): Decision => ({
  allowed: false,
  rule: { kind, names: [...names] },
});

export function isProductCode(code: string | null): code is PermissionCode {
  return code !== null && Object.hasOwn(PERMISSIONS, code);
}

/**
 * The kinds of accounts an entry can be granted to: for the product's codes by the catalogue, else those of its system.
 */
export function grantableTo({ type, code, isAdmin }: Pick<Entry, 'type' | 'code' | 'isAdmin'>): readonly AccountKind[] {
  if (type === ENTRY_TYPES.permission && isProductCode(code)) return permissionDefinition(code).grantableTo;
  return [isAdmin ? 'operator' : 'user'];
}

/** Whether a code is among a tenant's denied features. */
export function isDenied(deniedFeatures: readonly string[], code: string | null): boolean {
  return isProductCode(code) && permissionDefinition(code).kind === 'feature' && deniedFeatures.includes(code);
}

function givenTo({ byRole, direct }: Subject, { id }: Pick<Entry, 'id'>): Decision {
  const roles = byRole.get(id);
  if (roles) return yes('role', roles);
  return direct.has(id) ? yes('direct') : no('notGranted');
}

/** Whether an account has a code. `entry` is the permission of that code; codes of account roles need none. */
function decideCode(subject: Subject, code: string, entry: Entry | undefined, locale: Locale): Decision {
  if (!subject.enabled) return no('disabled');
  if (isDenied(subject.deniedFeatures, code)) return no('tenantDenies');
  const account = ACCOUNT_ROLES[accountRoleOf(subject)];
  if ((account.codes as readonly string[]).includes(code)) return yes('accountRole', [account[locale]]);
  if (!entry) return no('notGranted');
  if (!isProductCode(code) && entry.isAdmin && subject.isSuperAdmin) return yes('accountRole', [account[locale]]);
  return grantableTo(entry).includes(subject.kind) ? givenTo(subject, entry) : no('wrongKind');
}

/** Menus and pages whose own rule lets the account see them; their parents are decided later. */
function decideMenu(subject: Subject, entry: Entry, codes: ReadonlyMap<string, Decision>, locale: Locale): Decision {
  if (!subject.enabled) return no('disabled');
  if (entry.isAdmin !== (subject.kind === 'operator')) return no('wrongKind');
  if (subject.isSuperAdmin) return yes('accountRole', [ACCOUNT_ROLES.superAdmin[locale]]);
  if (entry.code === null) return givenTo(subject, entry);
  const held = codes.get(entry.code);
  return held?.allowed ? held : no('requires', [entry.code]);
}

export interface Decisions {
  /** For every code of the product and every permission among the entries. */
  codes: ReadonlyMap<string, Decision>;
  /** For every entry, by its id. */
  entries: ReadonlyMap<string, Decision>;
}

/**
 * Decides everything about an account at once: which codes it has, which entries it sees, and by which rule. Sign-in,
 * menus, flags and "see as" all use this decision. An entry is visible by its own rule, or because an entry below it is
 * visible.
 *
 * @param entries all entries; for the codes alone, those granted to the account are enough
 */
export function decide(subject: Subject, entries: readonly Entry[], locale: Locale = 'zh'): Decisions {
  const permissions = new Map(
    entries.flatMap((entry) =>
      entry.type === ENTRY_TYPES.permission && entry.code !== null ? [[entry.code, entry] as const] : [],
    ),
  );
  const codes = new Map(
    [...new Set([...PERMISSION_CODES, ...permissions.keys()])].map((code) => [
      code,
      decideCode(subject, code, permissions.get(code), locale),
    ]),
  );
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const decisions = new Map<string, Decision>();
  const menus = entries.filter((entry) => entry.type !== ENTRY_TYPES.permission);
  for (const [code, entry] of permissions) decisions.set(entry.id, codes.get(code) ?? no('notGranted'));
  for (const entry of menus) decisions.set(entry.id, decideMenu(subject, entry, codes, locale));
  for (const entry of menus) {
    const decision = decisions.get(entry.id);
    if (!decision?.allowed) continue;
    for (
      let parent = byId.get(entry.pid ?? '');
      parent && !decisions.get(parent.id)?.allowed;
      parent = byId.get(parent.pid ?? '')
    )
      decisions.set(parent.id, decision);
  }
  return { codes, entries: decisions };
}

/** The codes a decision allows. */
export function codesOf({ codes }: Decisions): string[] {
  return [...codes].flatMap(([code, { allowed }]) => (allowed ? [code] : []));
}

const FLAGS = PERMISSION_CODES.flatMap((code) => {
  const { flag } = permissionDefinition(code);
  return flag === undefined ? [] : [[flag, code] as const];
});

/** The feature flags of the login user: 1 for each code it has (product document, section 3). */
export function flagsOf(codes: readonly string[]): FeatureFlags {
  return Object.fromEntries(FLAGS.map(([flag, code]) => [flag, codes.includes(code) ? 1 : 0])) as FeatureFlags;
}
