import { encodeContact, localName, type Locale, type Operator } from '@rmeet/contract';
import type { RoleName } from '../users/index.ts';
import type { AccountRow } from '../users/tables.ts';

/** The data about an operator besides its row. */
export interface Around {
  roles: readonly RoleName[];
  sessions: number;
}

export function presentOperator(row: AccountRow, { roles, sessions }: Around, locale: Locale): Operator {
  return {
    id: row.id,
    account: row.account,
    name: row.name,
    phoneNumber: encodeContact(row.phone),
    email: encodeContact(row.email),
    locale: row.locale,
    isSuperAdmin: row.isSuperAdmin,
    enabled: row.enabled,
    lastLoginAt: row.lastLoginAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    roles: roles.map((role) => ({ id: role.id, name: localName(role, locale) })),
    sessions,
    version: row.version,
  };
}
