import {
  ENTRY_TYPES,
  localName,
  permissionDefinition,
  type Locale,
  type ManagedEntry,
  type PermissionEntry,
} from '@rmeet/contract';
import { grantableTo, isProductCode } from './decide.ts';
import type { PermissionRow } from './tables.ts';

export function presentEntry(row: PermissionRow): PermissionEntry {
  const {
    id,
    pid,
    type,
    code,
    name,
    nameEn,
    url,
    redirect,
    icon,
    isAdmin,
    component,
    componentName,
    hidden,
    userManageType,
    sort,
  } = row;
  return {
    id,
    pid,
    type,
    code,
    name,
    nameEn,
    url,
    redirect,
    icon,
    isAdmin: isAdmin ? 1 : 0,
    component,
    componentName,
    hidden,
    userManageType,
    sort,
  };
}

/** Whether the entry is used: the product's codes by the product, manually created ones by a menu. */
export function isInUse(row: PermissionRow, all: readonly PermissionRow[]): boolean {
  if (row.type !== ENTRY_TYPES.permission) return true;
  if (isProductCode(row.code)) return permissionDefinition(row.code).inUse;
  return all.some((other) => other.type !== ENTRY_TYPES.permission && other.code === row.code);
}

/** An entry as the platform's staff see it. `all` are all entries. */
export function presentManaged(row: PermissionRow, all: readonly PermissionRow[]): ManagedEntry {
  return {
    ...presentEntry(row),
    builtIn: row.builtIn !== null,
    inUse: isInUse(row, all),
    grantableTo: [...grantableTo(row)],
    version: row.version,
  };
}

/** The name of an entry for administrators: a permission's code, a menu entry's name. */
export function labelOf(
  entry: Pick<PermissionRow, 'type' | 'code' | 'name' | 'nameEn'>,
  locale: Locale = 'zh',
): string {
  return entry.type === ENTRY_TYPES.permission && entry.code !== null ? entry.code : localName(entry, locale);
}
