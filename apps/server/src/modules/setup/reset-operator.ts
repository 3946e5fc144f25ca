import { and, eq, isNull, sql } from 'drizzle-orm';
import { PLATFORM_TENANT_ID, type Db, type TenantTx } from '../../platform/db/index.ts';
import { findTenant, passwordRulesOf } from '../accounts/tenants/index.ts';
import {
  checkNewPassword,
  hashPassword,
  makePassword,
  setPassword,
  type AccountSessions,
} from '../accounts/users/index.ts';
import { account, type AccountRow } from '../accounts/users/tables.ts';
import { recordAudit, systemOrigin } from '../audit/index.ts';

/** No operator matches the input; the message says what to enter. */
export class NoSuchOperator extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NoSuchOperator';
  }
}

interface ResetDeps {
  db: Db;
  now: () => Date;
  sessions: Pick<AccountSessions, 'endSessions'>;
}

async function findOperator(tx: TenantTx, name: string | undefined): Promise<AccountRow> {
  const operators = await tx.find(account, and(eq(account.kind, 'operator'), isNull(account.deletedAt)), {
    orderBy: sql`lower(${account.account})`,
  });
  const superAdmins = operators.filter(({ isSuperAdmin }) => isSuperAdmin);
  const meant =
    name === undefined ? superAdmins : operators.filter((row) => row.account.toLowerCase() === name.toLowerCase());
  const [found, ...others] = meant;
  if (found && others.length === 0) return found;
  if (operators.length === 0)
    throw new NoSuchOperator(
      'There is no operator yet. Open the setup link, which is in ' +
        'the file setup-link in the data folder, or run npm run setup.',
    );
  throw new NoSuchOperator(`Name one of these operators: ${operators.map((row) => row.account).join(', ')}`);
}

/**
 * Replaces the password of an operator and enables the account; its sessions end.
 *
 * @param name the account; may be omitted if there is one super administrator
 * @param password null to generate one, which must be changed at the next sign-in
 * @returns the account and its new password
 * @throws NoSuchOperator, AppError PASSWORD_TOO_WEAK
 */
export async function resetOperator(
  { db, now, sessions }: ResetDeps,
  name: string | undefined,
  password: string | null,
): Promise<{ account: string; password: string }> {
  const { found, rules } = await db.tenant(PLATFORM_TENANT_ID, async (tx) => {
    const platform = await findTenant(tx, PLATFORM_TENANT_ID);
    if (!platform) throw new Error('The platform has no tenant of its own.');
    return { found: await findOperator(tx, name), rules: passwordRulesOf(platform) };
  });
  if (password !== null) await checkNewPassword(password, found.account, rules);
  const plain = password ?? makePassword(rules);
  const passwordHash = await hashPassword(plain);
  await db.tenant(PLATFORM_TENANT_ID, async (tx) => {
    const before = await findOperator(tx, found.account);
    await setPassword(tx, before, passwordHash, { due: password === null }, now());
    await tx.update(account, { enabled: true }, eq(account.id, before.id));
    await sessions.endSessions(tx, [before.id], 'password');
    await recordAudit(tx, systemOrigin('setup.resetOperator'), now(), {
      target: { kind: 'account', id: before.id, name: before.name },
      before: { enabled: before.enabled, password: '***' },
      after: { enabled: true, password: '***' },
    });
  });
  return { account: found.account, password: plain };
}
