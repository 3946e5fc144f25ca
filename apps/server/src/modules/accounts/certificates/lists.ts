import { CERT_LIST_BYTES, type CertListFault } from '@rmeet/contract';
import { eq } from 'drizzle-orm';
import { inBatches } from '../../../platform/db/batches.ts';
import type { Db, TenantTx } from '../../../platform/db/index.ts';
import type { Log } from '../../../platform/log/log.ts';
import { AddressForbidden, callOutside, hostOf, isInside, isNamedIn } from '../../../platform/outbound/index.ts';
import { parsedOf } from './repo.ts';
import { certificateAuthority, certificateList, certificateRevoked, type CertificateListRow } from './tables.ts';
import { readList } from './x509/revocation.ts';

export interface ListDeps {
  db: Db;
  log: Log;
  now: () => Date;
  /** Hosts inside the network that lists may be fetched from (RMEET_CERTIFICATE_HOSTS). */
  hosts: readonly string[];
}

/** Lists that are fetched at the same time. */
const AT_ONCE = 8;

/** Whether a list may be fetched from an address, as far as it shows. Lists are signed, so http will do. */
export const mayFetch = (hosts: readonly string[], address: string): boolean =>
  URL.canParse(address) &&
  /^https?:$/.test(new URL(address).protocol) &&
  (isNamedIn(hosts, address) || !isInside(hostOf(address)));

/** Why a list was not stored. */
type ListRefusal = 'INVALID' | 'OLDER';

/** Replaces the list of an authority by a file. Returns why it does not. An older one never replaces a newer one. */
export async function storeList(
  tx: TenantTx,
  authorityId: string,
  file: Buffer,
  now: Date,
): Promise<ListRefusal | undefined> {
  const row = await tx.findOne(certificateList, eq(certificateList.authorityId, authorityId), { lock: 'update' });
  const authority = await tx.findOne(certificateAuthority, eq(certificateAuthority.id, authorityId));
  const list = authority && readList(file, parsedOf(authority));
  if (!row || !list || list.thisUpdate > now) return 'INVALID';
  if (row.thisUpdate !== null && list.thisUpdate < row.thisUpdate) return 'OLDER';
  await tx.delete(certificateRevoked, eq(certificateRevoked.authorityId, authorityId));
  const revoked = [...list.serials].map((serial) => ({ authorityId, serial }));
  for (const batch of inBatches(revoked)) await tx.insert(certificateRevoked, batch);
  const { thisUpdate, nextUpdate } = list;
  await tx.update(
    certificateList,
    { thisUpdate, nextUpdate, revoked: revoked.length },
    eq(certificateList.authorityId, authorityId),
  );
  return undefined;
}

/** The file at an address. @throws AddressForbidden, AnswerTooLong, or the error of the connection */
async function download(hosts: readonly string[], address: string): Promise<Buffer> {
  if (!mayFetch(hosts, address)) throw new AddressForbidden();
  const { status, body } = await callOutside({
    url: address,
    method: 'GET',
    headers: { Accept: 'application/pkix-crl, */*' },
    body: undefined,
    isTrusted: isNamedIn(hosts, address),
    answerBytes: CERT_LIST_BYTES,
  });
  if (status !== 200) throw new Error(`The server of a revocation list answered ${status}.`);
  return body;
}

/** Fetches the list of an authority and notes how that went; what is known of an earlier one stays. */
export async function fetchList(
  { db, log, now, hosts }: ListDeps,
  { tenantId, authorityId, address }: Pick<CertificateListRow, 'tenantId' | 'authorityId' | 'address'>,
): Promise<void> {
  let file: Buffer | CertListFault;
  try {
    file = await download(hosts, address);
  } catch (error) {
    log.warn({ authorityId, reason: (error as Error).message }, 'A revocation list could not be fetched');
    file = error instanceof AddressForbidden ? 'ADDRESS_REFUSED' : 'UNREACHABLE';
  }
  await db.tenant(tenantId, async (tx) => {
    const fault = typeof file === 'string' ? file : ((await storeList(tx, authorityId, file, now())) ?? null);
    await tx.update(certificateList, { fetchedAt: now(), fault }, eq(certificateList.authorityId, authorityId));
  });
}

/** Fetches lists. */
export async function fetchEach(deps: ListDeps, rows: readonly CertificateListRow[]): Promise<void> {
  for (let at = 0; at < rows.length; at += AT_ONCE)
    await Promise.all(rows.slice(at, at + AT_ONCE).map((row) => fetchList(deps, row)));
}
