import { CERT_BINDINGS_MAX, type BoundCertificate, type CertRules } from '@rmeet/contract';
import { and, desc, eq, sql } from 'drizzle-orm';
import { newId, type TenantTx } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/http/index.ts';
import { findAccount } from '../users/index.ts';
import { account, isUserThere, type AccountRow } from '../users/tables.ts';
import { accountCertificate, type AccountCertificateRow } from './tables.ts';
import type { Parsed } from './x509/certificate.ts';
import { COMMON_NAME, SERIAL_NUMBER, USER_ID } from './x509/names.ts';

/** The only value; several say nothing about which one is meant. */
const onlyOf = (values: readonly string[]): string | undefined => (values.length === 1 ? values[0] : undefined);

const attribute = ({ attributes }: Parsed, type: string): string | undefined =>
  onlyOf(attributes.filter((one) => one.type === type).map(({ value }) => value));

/** The account names that a user principal name may be: all of it, or its first part in a domain of the rules. */
function namesOfUpn(upn: string, domains: readonly string[]): string[] {
  const at = upn.lastIndexOf('@');
  const isListed = at > 0 && domains.includes(upn.slice(at + 1).toLowerCase());
  return isListed ? [upn, upn.slice(0, at)] : [upn];
}

/** What a certificate says about its account: names, or a mail address. */
function saidBy(certificate: Parsed, { match, domains }: CertRules): { names: string[]; mail: string | undefined } {
  if (match === 'mail') return { names: [], mail: onlyOf(certificate.mails) };
  const upn = match === 'upn' ? onlyOf(certificate.upns) : undefined;
  if (upn !== undefined) return { names: namesOfUpn(upn, domains), mail: undefined };
  const type = { commonName: COMMON_NAME, serialNumber: SERIAL_NUMBER, userId: USER_ID, bound: '', upn: '' }[match];
  const name = attribute(certificate, type);
  return { names: name === undefined ? [] : [name], mail: undefined };
}

/** The one user whose column has one of these values, ignoring case. */
async function userWith(tx: TenantTx, column: 'account' | 'email', values: readonly string[]) {
  const found: AccountRow[] = [];
  for (const value of values.filter((one) => one !== ''))
    found.push(
      ...(await tx.find(account, and(isUserThere, eq(sql`lower(${account[column]})`, value.toLowerCase())), {
        limit: 2,
      })),
    );
  return found.length === 1 ? found[0] : undefined;
}

/**
 * The account of a certificate that is accepted: the one that it is bound to, or the only one that the rules find.
 * A bound certificate never signs in to another account, even if its own one is gone.
 */
export async function accountOf(tx: TenantTx, certificate: Parsed, rules: CertRules, now: Date) {
  const { fingerprint } = certificate;
  const bound = await tx.findOne(accountCertificate, eq(accountCertificate.fingerprint, fingerprint));
  if (bound) {
    const owner = await findAccount(tx, bound.accountId);
    if (!owner || owner.deletedAt) return undefined;
    await tx.update(accountCertificate, { lastUsedAt: now }, eq(accountCertificate.id, bound.id));
    return owner;
  }
  const { names, mail } = saidBy(certificate, rules);
  return mail === undefined ? userWith(tx, 'account', names) : userWith(tx, 'email', [mail]);
}

/** The bound certificates of an account, the newest first. */
export const boundTo = (tx: TenantTx, accountId: string): Promise<AccountCertificateRow[]> =>
  tx.find(accountCertificate, eq(accountCertificate.accountId, accountId), { orderBy: desc(accountCertificate.since) });

/** Binds a certificate to an account; again is no error. @throws AppError CERT_BOUND_ELSEWHERE, CERT_BINDINGS_MAX */
export async function bindTo(
  tx: TenantTx,
  accountId: string,
  { fingerprint, subject, issuer, notAfter }: Parsed,
  now: Date,
): Promise<AccountCertificateRow> {
  // One after the other, so that the limit holds.
  await findAccount(tx, accountId, true);
  const known = await tx.findOne(accountCertificate, eq(accountCertificate.fingerprint, fingerprint));
  if (known?.accountId === accountId) return known;
  if (known) throw new AppError('CERT_BOUND_ELSEWHERE');
  if ((await boundTo(tx, accountId)).length >= CERT_BINDINGS_MAX)
    throw new AppError('CERT_BINDINGS_MAX', { limit: CERT_BINDINGS_MAX });
  const values = { id: newId(), accountId, fingerprint, subject, issuer, expiresAt: notAfter, since: now };
  const [row] = await tx.insert(accountCertificate, values, 'nothing');
  if (!row) throw new AppError('CERT_BOUND_ELSEWHERE');
  return row;
}

export function presentBound(row: AccountCertificateRow): BoundCertificate {
  const { id, subject, issuer, fingerprint, expiresAt, since, lastUsedAt } = row;
  return {
    id,
    subject,
    issuer,
    fingerprint,
    expiresAt: expiresAt.toISOString(),
    since: since.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}
