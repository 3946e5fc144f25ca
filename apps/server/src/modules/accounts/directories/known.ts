import type { SecretBox } from '../../../platform/secrets/index.ts';
import type { KnownDirectory } from './ldap/directory.ts';
import type { DirectoryRow } from './tables.ts';

/** What a stored password is bound to, so that it cannot be moved to another directory. */
export const bindingOf = ({ id, tenantId }: Pick<DirectoryRow, 'id' | 'tenantId'>): string =>
  `directory:${tenantId}:${id}`;

/** A stored directory with its password. */
export function knownDirectory(secrets: SecretBox, row: DirectoryRow): KnownDirectory {
  return { ...row.settings, password: secrets.open(row.sealedPassword, bindingOf(row)) };
}
