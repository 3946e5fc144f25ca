import type { Db } from '../../platform/db/index.ts';
import { suspendFactorOf, type Outside } from '../accounts/auth/index.ts';
import { findTenant } from '../accounts/tenants/index.ts';
import { findAccountsByName } from '../accounts/users/index.ts';
import { recordAudit, systemOrigin } from '../audit/index.ts';

/** No account matches the input, or several do; the message says what to enter. */
export class NoSuchAccount extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NoSuchAccount';
  }
}

/** How long no factor is asked, ms: enough to sign in and set a new one up. */
const SUSPENDED_FOR = 3_600_000;

/**
 * Asks no second factor of one account for an hour. It is audited, and the administrators of its organisation are told.
 *
 * @param tenantName the id or name of its tenant; may be omitted if no other account has the name
 * @throws NoSuchAccount
 */
export function suspendFactor(
  { db, now, outside }: { db: Db; now: () => Date; outside: Pick<Outside, 'tellAdmins'> },
  name: string,
  tenantName: string | undefined,
): Promise<{ account: string; tenant: string; until: Date }> {
  return db.platform(async (tx) => {
    const [account, other] = await findAccountsByName(tx, name, tenantName, 2);
    if (!account) throw new NoSuchAccount(`There is no account ${name}.`);
    if (other) throw new NoSuchAccount(`Several organisations have an account ${name}. Name one: --tenant NAME`);
    const tenant = await findTenant(tx, account.tenantId);
    if (!tenant) throw new Error(`There is no tenant ${account.tenantId}.`);
    const own = tx.asTenant(account.tenantId);
    const until = new Date(now().getTime() + SUSPENDED_FOR);
    await suspendFactorOf(own, account.id, until);
    await recordAudit(own, systemOrigin('setup.suspendFactor'), now(), {
      target: { kind: 'account', id: account.id, name: account.name },
      before: { suspendedUntil: null },
      after: { suspendedUntil: until.toISOString() },
    });
    await outside.tellAdmins(own, 'factorSuspended', { account, tenant, address: '', userAgent: '', now: now() });
    return { account: account.account, tenant: tenant.name, until };
  });
}
