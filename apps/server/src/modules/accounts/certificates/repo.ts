import { certificateAuthorities, type CertRules } from '@rmeet/contract';
import { asc, inArray } from 'drizzle-orm';
import type { TenantTx } from '../../../platform/db/index.ts';
import {
  certificateAuthority,
  certificateList,
  certificateRules,
  type CertificateAuthorityRow,
  type CertificateListRow,
} from './tables.ts';
import { readCertificate, type Parsed } from './x509/certificate.ts';

/** An authority of a tenant, with what its certificate says. */
export interface Authority {
  row: CertificateAuthorityRow;
  certificate: Parsed;
  list: CertificateListRow | undefined;
}

export function parsedOf({ id, certificate }: Pick<CertificateAuthorityRow, 'id' | 'certificate'>): Parsed {
  const parsed = readCertificate(Buffer.from(certificate, 'base64'));
  if (!parsed) throw new Error(`The certificate of authority ${id} cannot be read.`);
  return parsed;
}

/** The authorities that a tenant trusts, the oldest first. */
export async function findAuthorities(tx: TenantTx): Promise<Authority[]> {
  const rows = await tx.find(certificateAuthority, undefined, { orderBy: asc(certificateAuthority.createdAt) });
  const ids = rows.map(({ id }) => id);
  const lists = ids.length === 0 ? [] : await tx.find(certificateList, inArray(certificateList.authorityId, ids));
  return rows.map((row) => ({
    row,
    certificate: parsedOf(row),
    list: lists.find(({ authorityId }) => authorityId === row.id),
  }));
}

const INITIAL: CertRules = certificateAuthorities.setRules.input.body.parse({});

export async function findRules(tx: TenantTx): Promise<CertRules> {
  const row = await tx.findOne(certificateRules);
  return row ? { match: row.match, domains: row.domains, refuseStale: row.refuseStale } : INITIAL;
}

/** Whether a revocation list is missing, or its next one is overdue. One that names no next one stays good. */
export const isStale = ({ thisUpdate, nextUpdate }: CertificateListRow, now: Date): boolean =>
  thisUpdate === null || (nextUpdate !== null && nextUpdate < now);
