import {
  CERT_AUTHORITIES_MAX,
  type CertAuthority,
  type CertBinding,
  type contract,
  type Data,
  type Input,
} from '@rmeet/contract';
import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import { isUniqueViolation, newId, type TenantTx } from '../../../platform/db/index.ts';
import { AppError, type Context, type UserCaller } from '../../../platform/http/index.ts';
import { changed, recordAudit } from '../../audit/index.ts';
import { findTenant } from '../tenants/index.ts';
import { account, isUserThere, type AccountRow } from '../users/tables.ts';
import { fetchList, mayFetch, storeList, type ListDeps } from './lists.ts';
import { bindTo, presentBound } from './people.ts';
import { findAuthorities, findRules, isStale, parsedOf, type Authority } from './repo.ts';
import { isOfferedBy } from './sign-in.ts';
import {
  accountCertificate,
  certificateAuthority,
  certificateList,
  certificateRevoked,
  certificateRules,
  type AccountCertificateRow,
  type CertificateAuthorityRow,
  type CertificateListRow,
} from './tables.ts';
import { refusalOfCertificate } from './trust.ts';
import { derOfText, readCertificate, type Parsed } from './x509/certificate.ts';
import { isIssuer, isValidAt, mayIssue } from './x509/path.ts';

type Calls = typeof contract.certificateAuthorities;
type Overview = Data<Calls['list']>;
type UserContext = Context<UserCaller>;

/** Bound certificates in one answer. */
const BINDINGS_SHOWN = 200;

/** Who trusts authorities can sign in as anyone of the tenant. @throws AppError FORBIDDEN */
function mustAdminister({ caller }: UserContext): void {
  if (!caller.isTenantAdmin) throw new AppError('FORBIDDEN');
}

function presentList(row: CertificateListRow | undefined, now: Date): CertAuthority['list'] {
  if (!row) return null;
  const { address, thisUpdate, nextUpdate, revoked, fetchedAt, fault } = row;
  return {
    address,
    thisUpdate: thisUpdate?.toISOString() ?? null,
    nextUpdate: nextUpdate?.toISOString() ?? null,
    revoked,
    isStale: isStale(row, now),
    fetchedAt: fetchedAt?.toISOString() ?? null,
    fault,
  };
}

function presentAuthority({ row: { id }, certificate, list }: Authority, now: Date): CertAuthority {
  const { subject, issuer, fingerprint, key, notBefore, notAfter } = certificate;
  return {
    id,
    subject,
    issuer,
    fingerprint,
    key: key?.kind ?? 'RSA',
    notBefore: notBefore.toISOString(),
    notAfter: notAfter.toISOString(),
    isExpired: !isValidAt(certificate, now),
    list: presentList(list, now),
  };
}

const targetOf = ({ id }: CertificateAuthorityRow, { subject }: Parsed) => ({
  kind: 'certificateAuthority',
  id,
  name: subject,
});

/** What may sign in as anyone. @throws AppError CERT_UNREADABLE, CERT_NOT_AUTHORITY */
function authorityIn(text: string, now: Date): Parsed {
  const parsed = readCertificate(derOfText(text));
  if (!parsed) throw new AppError('CERT_UNREADABLE');
  // Of an authority that calls itself a root, the signature shows that the file is whole.
  const isWhole = parsed.subjectId !== parsed.issuerId || isIssuer(parsed, parsed);
  if (!mayIssue(parsed) || parsed.notAfter < now || !isWhole) throw new AppError('CERT_NOT_AUTHORITY');
  return parsed;
}

/** @throws AppError NOT_FOUND */
async function found(tx: TenantTx, id: string): Promise<CertificateAuthorityRow> {
  const row = await tx.findOne(certificateAuthority, eq(certificateAuthority.id, id), { lock: 'update' });
  if (!row) throw new AppError('NOT_FOUND');
  return row;
}

const listOf = (tx: TenantTx, id: string): Promise<CertificateListRow | undefined> =>
  tx.findOne(certificateList, eq(certificateList.authorityId, id));

/** Stores where a list comes from, or the list itself. @throws AppError CERT_LIST_INVALID, CERT_LIST_OLDER */
async function changeList(
  tx: TenantTx,
  id: string,
  { address, list }: Input<Calls['setList']>['body'],
  now: Date,
): Promise<void> {
  if (address === '' && list === undefined) {
    await tx.delete(certificateList, eq(certificateList.authorityId, id));
    await tx.delete(certificateRevoked, eq(certificateRevoked.authorityId, id));
    return;
  }
  const set = { address, fault: null };
  await tx.insert(certificateList, { authorityId: id, ...set }, { target: certificateList.authorityId, set });
  if (list === undefined) return;
  const refusal = await storeList(tx, id, Buffer.from(list, 'base64'), now);
  if (refusal) throw new AppError(refusal === 'OLDER' ? 'CERT_LIST_OLDER' : 'CERT_LIST_INVALID');
}

/** The authorities that the caller's tenant trusts. */
// oxlint-disable-next-line max-lines-per-function -- one short method for each call
export function createAuthorities(deps: ListDeps) {
  const { db, now, hosts } = deps;

  async function present(tx: TenantTx, { caller }: UserContext): Promise<Overview> {
    return {
      records: (await findAuthorities(tx)).map((one) => presentAuthority(one, now())),
      rules: await findRules(tx),
      isOffered: isOfferedBy(await findTenant(tx, tx.tenantId)),
      can: { update: caller.isTenantAdmin },
    };
  }

  return {
    list: (context: UserContext): Promise<Overview> => db.tenant(context.caller.tenantId, (tx) => present(tx, context)),

    async add(context: UserContext, { body }: Input<Calls['add']>): Promise<Overview> {
      mustAdminister(context);
      const certificate = authorityIn(body.certificate, now());
      const { fingerprint, der } = certificate;
      try {
        return await db.tenant(context.caller.tenantId, async (tx) => {
          if ((await tx.count(certificateAuthority)) >= CERT_AUTHORITIES_MAX)
            throw new AppError('CERT_AUTHORITIES_MAX', { limit: CERT_AUTHORITIES_MAX });
          const values = { id: newId(), certificate: der.toString('base64'), fingerprint, createdAt: now() };
          const [row] = await tx.insert(certificateAuthority, values);
          if (!row) throw new Error('A certificate authority was not stored.');
          const { subject } = certificate;
          await recordAudit(tx, context, now(), {
            target: targetOf(row, certificate),
            after: { subject, fingerprint },
          });
          return present(tx, context);
        });
      } catch (error) {
        if (isUniqueViolation(error, 'certificate_authority_fingerprint_key'))
          throw new AppError('CERT_AUTHORITY_KNOWN');
        throw error;
      }
    },

    async remove(context: UserContext, { params: { id } }: Input<Calls['remove']>): Promise<Overview> {
      mustAdminister(context);
      return db.tenant(context.caller.tenantId, async (tx) => {
        const row = await found(tx, id);
        await tx.delete(certificateAuthority, eq(certificateAuthority.id, id));
        const certificate = parsedOf(row);
        const { subject, fingerprint } = certificate;
        await recordAudit(tx, context, now(), { target: targetOf(row, certificate), before: { subject, fingerprint } });
        return present(tx, context);
      });
    },

    async setRules(context: UserContext, { body }: Input<Calls['setRules']>): Promise<Overview> {
      mustAdminister(context);
      return db.tenant(context.caller.tenantId, async (tx) => {
        const before = await findRules(tx);
        await tx.insert(certificateRules, body, { target: certificateRules.tenantId, set: body });
        const tenant = await findTenant(tx, tx.tenantId);
        await recordAudit(tx, context, now(), {
          target: { kind: 'tenant', id: tx.tenantId, name: tenant?.name ?? '' },
          ...changed(before, body, ['match', 'domains', 'refuseStale']),
        });
        return present(tx, context);
      });
    },

    async setList(context: UserContext, { params: { id }, body }: Input<Calls['setList']>): Promise<Overview> {
      mustAdminister(context);
      const { tenantId } = context.caller;
      const { address } = body;
      if (address !== '' && !mayFetch(hosts, address))
        throw new AppError('CERT_ADDRESS_REFUSED', { host: URL.canParse(address) ? new URL(address).host : address });
      await db.tenant(tenantId, async (tx) => {
        const row = await found(tx, id);
        const before = await listOf(tx, id);
        await changeList(tx, id, body, now());
        const after = await listOf(tx, id);
        const facts = (list: CertificateListRow | undefined) =>
          list ? { address: list.address, thisUpdate: list.thisUpdate?.toISOString() ?? null } : { list: null };
        await recordAudit(tx, context, now(), {
          target: targetOf(row, parsedOf(row)),
          before: facts(before),
          after: facts(after),
        });
      });
      // After the transaction: the other server may take long.
      if (address !== '') await fetchList(deps, { tenantId, authorityId: id, address });
      return db.tenant(tenantId, (tx) => present(tx, context));
    },
  };
}

/** The certificates that are bound to accounts of the caller's tenant. */
// oxlint-disable-next-line max-lines-per-function -- one short method for each call
export function createBindings({ db, now }: Pick<ListDeps, 'db' | 'now'>) {
  const presentBinding = (row: AccountCertificateRow, { account: name, name: person }: AccountRow): CertBinding => ({
    ...presentBound(row),
    account: name,
    name: person,
  });
  const named = (name: string) => and(isUserThere, eq(sql`lower(${account.account})`, name.toLowerCase()));
  const targetOfBinding = (owner: AccountRow) => ({ kind: 'account', id: owner.id, name: owner.name });

  return {
    list: ({ caller }: UserContext, { query }: Input<Calls['bindings']>): Promise<Data<Calls['bindings']>> =>
      db.tenant(caller.tenantId, async (tx) => {
        const wanted = query.account === undefined ? undefined : await tx.findOne(account, named(query.account));
        const isNone = query.account !== undefined && !wanted;
        const rows = isNone
          ? []
          : await tx.find(accountCertificate, wanted && eq(accountCertificate.accountId, wanted.id), {
              orderBy: desc(accountCertificate.since),
              limit: BINDINGS_SHOWN,
            });
        const ids = [...new Set(rows.map(({ accountId }) => accountId))];
        const owners = ids.length === 0 ? [] : await tx.find(account, inArray(account.id, ids));
        const byId = new Map(owners.map((one) => [one.id, one]));
        return {
          records: rows.flatMap((row) => {
            const owner = byId.get(row.accountId);
            return owner ? [presentBinding(row, owner)] : [];
          }),
          can: { update: caller.isTenantAdmin },
        };
      }),

    /** Throws the errors of the contract's bind. */
    async bind(context: UserContext, { body }: Input<Calls['bind']>): Promise<CertBinding> {
      mustAdminister(context);
      const certificate = readCertificate(derOfText(body.certificate));
      if (!certificate) throw new AppError('CERT_UNREADABLE');
      return db.tenant(context.caller.tenantId, async (tx) => {
        const owner = await tx.findOne(account, named(body.account));
        if (!owner) throw new AppError('NOT_FOUND');
        const refusal = await refusalOfCertificate(tx, certificate, [], await findRules(tx), now());
        if (refusal) throw refusal;
        const row = await bindTo(tx, owner.id, certificate, now());
        await recordAudit(tx, context, now(), {
          target: targetOfBinding(owner),
          before: { certificate: null },
          after: { certificate: row.subject, fingerprint: row.fingerprint },
        });
        return presentBinding(row, owner);
      });
    },

    /** @throws AppError NOT_FOUND */
    async unbind(context: UserContext, { params: { id } }: Input<Calls['unbind']>): Promise<null> {
      mustAdminister(context);
      await db.tenant(context.caller.tenantId, async (tx) => {
        const [row] = await tx.delete(accountCertificate, eq(accountCertificate.id, id));
        const owner = row && (await tx.findOne(account, eq(account.id, row.accountId)));
        if (!row || !owner) throw new AppError('NOT_FOUND');
        await recordAudit(tx, context, now(), {
          target: targetOfBinding(owner),
          before: { certificate: row.subject, fingerprint: row.fingerprint },
          after: { certificate: null },
        });
      });
      return null;
    },
  };
}
