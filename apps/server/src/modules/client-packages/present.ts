import { API_BASE, PACKAGE_URL_KEYS, packageNameOf, type ClientPackage, type OfferedPackage } from '@rmeet/contract';
import type { StoredFileRow } from '../files/tables.ts';
import { rolloutOf } from './rollout.ts';
import type { ClientPackageRow } from './tables.ts';

const FILE_PATH = `${API_BASE}/client-packages/file/`;

/** The package of a file address of this server, whatever its host; undefined for other addresses. */
export function idInUrl(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { pathname } = new URL(url);
  const id = pathname.startsWith(FILE_PATH) ? pathname.slice(FILE_PATH.length) : '';
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id) ? id : undefined;
}

/** @param origin of the caller, for addresses of files */
export function presentOffer(
  row: ClientPackageRow,
  files: ReadonlyMap<string, StoredFileRow>,
  origin: string,
): OfferedPackage {
  const file = files.get(row.fileId ?? '');
  const name = packageNameOf(row.type);
  return {
    id: row.id,
    type: row.type,
    key: name === undefined ? '' : PACKAGE_URL_KEYS[name],
    version: row.version,
    minimalVersion: row.minimalVersion,
    url: row.link ?? `${origin}${FILE_PATH}${row.id}`,
    file: file ? { name: file.name, size: file.size, sha256: file.sha256 } : null,
    notes: row.notes,
    publishedAt: row.publishedAt.toISOString(),
  };
}

interface Around {
  files: ReadonlyMap<string, StoredFileRow>;
  origin: string;
  /** Names of tenants by id. */
  names: ReadonlyMap<string, string>;
  /** The id of the current package by type. */
  current: ReadonlyMap<number, string>;
}

export const presentPackage = (row: ClientPackageRow, { files, origin, names, current }: Around): ClientPackage => ({
  ...presentOffer(row, files, origin),
  rollout: rolloutOf(row),
  tenants: row.rolloutTenants.map((id) => ({ id, name: names.get(id) ?? '' })),
  isCurrent: current.get(row.type) === row.id,
  withdrawnAt: row.withdrawnAt?.toISOString() ?? null,
  publishedBy: row.publishedBy,
  edition: row.edition,
});
