import type { CertRules } from '@rmeet/contract';
import { eq } from 'drizzle-orm';
import { allOf } from '../../../platform/db/conditions.ts';
import type { TenantTx } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/http/index.ts';
import { findAuthorities, isStale, type Authority } from './repo.ts';
import { certificateRevoked } from './tables.ts';
import type { Parsed } from './x509/certificate.ts';
import { findPath } from './x509/path.ts';

/** Whether a list names a certificate of its authority. */
async function isOnList(tx: TenantTx, { row: { id } }: Authority, { serial }: Parsed): Promise<boolean> {
  const found = await tx.findOne(
    certificateRevoked,
    allOf(eq(certificateRevoked.authorityId, id), eq(certificateRevoked.serial, serial)),
  );
  return found !== undefined;
}

/**
 * Looks for each certificate of a path on the lists of the authority above it; those of an older certificate of the
 * same authority and key count, too. Where one authority of the path has a list, all of them need one: else a
 * certificate below an authority that the person sent along could not be revoked.
 */
async function revocationOf(
  tx: TenantTx,
  path: readonly Parsed[],
  authorities: readonly Authority[],
  { refuseStale }: CertRules,
  now: Date,
): Promise<'CERT_REVOKED' | 'CERT_LIST_STALE' | undefined> {
  const listsOf = ({ subjectId, keyInfo }: Parsed): Authority[] =>
    authorities.filter(
      ({ certificate, list }) => list && certificate.subjectId === subjectId && certificate.keyInfo === keyInfo,
    );
  if (!path.some((one) => listsOf(one).length > 0)) return undefined;
  let isUnsure = false;
  for (const [at, one] of path.entries()) {
    const issuer = path[at + 1];
    if (!issuer) break;
    const lists = listsOf(issuer);
    for (const each of lists) if (await isOnList(tx, each, one)) return 'CERT_REVOKED';
    isUnsure ||= !lists.some(({ list }) => list && !isStale(list, now));
  }
  return isUnsure && refuseStale ? 'CERT_LIST_STALE' : undefined;
}

/**
 * Why a tenant does not accept a certificate now: no path to one of its authorities, times, usage, revocation. `sent`:
 * certificates that the person sent along. Undefined: it does.
 */
export async function refusalOfCertificate(
  tx: TenantTx,
  leaf: Parsed,
  sent: readonly Parsed[],
  rules: CertRules,
  now: Date,
): Promise<AppError | undefined> {
  const authorities = await findAuthorities(tx);
  const path = findPath(leaf, { sent, trusted: authorities.map(({ certificate }) => certificate) }, now);
  if (typeof path === 'string') return new AppError(path);
  const fault = await revocationOf(tx, path, authorities, rules, now);
  return fault && new AppError(fault);
}
