import type { contract, Data, Input } from '@rmeet/contract';
import { eq } from 'drizzle-orm';
import { allOf } from '../../../platform/db/conditions.ts';
import type { TenantTx } from '../../../platform/db/index.ts';
import { AppError, type Context, type UserCaller } from '../../../platform/http/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { unlessRefused } from '../auth/index.ts';
import { findTenant } from '../tenants/index.ts';
import { bindTo, boundTo, presentBound } from './people.ts';
import { findRules } from './repo.ts';
import { isOfferedBy, provenBy, takeChallenge, type CertDeps } from './sign-in.ts';
import { accountCertificate } from './tables.ts';
import { refusalOfCertificate } from './trust.ts';

type Calls = typeof contract.certs;
type Own = Data<Calls['own']>;
type UserContext = Context<UserCaller>;

/** The certificates that are bound to the caller's own account. */
export function createOwnCertificates({ db, now }: Pick<CertDeps, 'db' | 'now'>) {
  const present = async (tx: TenantTx, accountId: string): Promise<Own> => ({
    bound: (await boundTo(tx, accountId)).map((row) => presentBound(row)),
    isOffered: isOfferedBy(await findTenant(tx, tx.tenantId)),
  });

  return {
    list: ({ caller }: UserContext): Promise<Own> => db.tenant(caller.tenantId, (tx) => present(tx, caller.userId)),

    /** Throws the errors of the contract's bind. */
    async bind(context: UserContext, { body }: Input<Calls['bind']>): Promise<Own> {
      const { tenantId, userId, name } = context.caller;
      const answer = await db.tenant(tenantId, async (tx) => {
        const row = await takeChallenge(tx, body, userId, now());
        if (!row) return new AppError('CERT_CHALLENGE_INVALID');
        const proven = provenBy(context, body, row, 'bind');
        if (!proven) return new AppError('CERT_SIGNATURE_INVALID');
        const refusal = await refusalOfCertificate(tx, proven.certificate, proven.sent, await findRules(tx), now());
        if (refusal) return refusal;
        const { subject, fingerprint } = await bindTo(tx, userId, proven.certificate, now());
        await recordAudit(tx, context, now(), {
          target: { kind: 'account', id: userId, name },
          before: { certificate: null },
          after: { certificate: subject, fingerprint },
        });
        return present(tx, userId);
      });
      return unlessRefused(answer);
    },

    /** @throws AppError NOT_FOUND */
    unbind: (context: UserContext, { params: { id } }: Input<Calls['unbind']>): Promise<Own> =>
      db.tenant(context.caller.tenantId, async (tx) => {
        const { userId, name } = context.caller;
        const [row] = await tx.delete(
          accountCertificate,
          allOf(eq(accountCertificate.id, id), eq(accountCertificate.accountId, userId)),
        );
        if (!row) throw new AppError('NOT_FOUND');
        await recordAudit(tx, context, now(), {
          target: { kind: 'account', id: userId, name },
          before: { certificate: row.subject, fingerprint: row.fingerprint },
          after: { certificate: null },
        });
        return present(tx, userId);
      }),
  };
}
