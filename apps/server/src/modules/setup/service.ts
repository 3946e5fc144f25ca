import type { contract, Data, Input, Locale, PasswordRules } from '@rmeet/contract';
import { holdKey, newId, PLATFORM_TENANT_ID, type Db, type PlatformTx } from '../../platform/db/index.ts';
import { AppError, type Context } from '../../platform/http/index.ts';
import type { Log } from '../../platform/log/log.ts';
import { hashToken } from '../../platform/secrets/index.ts';
import { grantRoles } from '../accounts/roles/index.ts';
import { findTenant, insertTenant, passwordRulesOf } from '../accounts/tenants/index.ts';
import { addAccount, checkNewPassword, hashPassword } from '../accounts/users/index.ts';
import type { AccountRow } from '../accounts/users/tables.ts';
import { recordAudit } from '../audit/index.ts';
import { removeSetupLink } from './link.ts';
import type { PublicUrls } from './public-urls.ts';
import { findInstallation, hasAccounts, saveInstallation } from './repo.ts';

type Complete = Input<typeof contract.setup.complete>['body'];

/** A person who gets an account, with the password in plain text. */
interface FirstPerson {
  account: string;
  name: string;
  password: string;
}

/** The initial data of an installation. */
export interface FirstAnswers {
  operator: FirstPerson;
  organisation: { name: string };
  administrator: FirstPerson;
  publicUrl: string | null;
  locale: Locale;
}

interface SetupDeps {
  db: Db;
  now: () => Date;
  publicUrls: PublicUrls;
  /** RMEET_PUBLIC_URL. */
  configuredUrls: readonly string[];
}

interface ServiceDeps extends SetupDeps {
  log: Log;
  dataFolder: string;
  publicKey: () => Promise<string>;
  /** Decrypts a password from the browser; undefined if it cannot be decrypted. */
  openPassword: (ciphertext: string) => Promise<string | undefined>;
}

type Hashed = Omit<FirstPerson, 'password'> & { passwordHash: string };

async function hashed({ password, ...person }: FirstPerson, rules: PasswordRules): Promise<Hashed> {
  await checkNewPassword(password, person.account, rules);
  return { ...person, passwordHash: await hashPassword(password) };
}

async function platformRules(tx: PlatformTx): Promise<PasswordRules> {
  const row = await findTenant(tx, PLATFORM_TENANT_ID);
  if (!row) throw new Error('The platform has no tenant of its own.');
  return passwordRulesOf(row);
}

/**
 * Creates the first operator and the organisation with its administrator, and stores the address, all in one
 * transaction; of several concurrent attempts, one succeeds.
 *
 * @param mustMay throws if the caller may not; called while others wait
 * @throws AppError SETUP_DONE, ACCOUNT_TAKEN, TENANT_NAME_TAKEN, PASSWORD_TOO_WEAK, and what `mustMay` throws
 */
export async function setUp(
  deps: SetupDeps,
  origin: Parameters<typeof recordAudit>[1],
  answers: FirstAnswers,
  mustMay: (tx: PlatformTx) => Promise<void>,
): Promise<void> {
  const { db, now, publicUrls } = deps;
  const { organisation, locale } = answers;
  // They belong to two tenants and could have the same name; but then each would have to name the tenant at sign-in.
  if (answers.operator.account.toLowerCase() === answers.administrator.account.toLowerCase())
    throw new AppError('ACCOUNT_TAKEN', { account: answers.administrator.account });
  const rules = await db.platform(platformRules);
  const [operator, administrator] = [await hashed(answers.operator, rules), await hashed(answers.administrator, rules)];
  const common = { phone: '', email: '', department: '', locale, passwordDue: false };
  await db.platform(async (tx) => {
    await holdKey(tx, 'setup');
    if (await hasAccounts(tx)) throw new AppError('SETUP_DONE');
    await mustMay(tx);
    const at = now();
    const platform = tx.asTenant(PLATFORM_TENANT_ID);
    const first: AccountRow = await addAccount(
      platform,
      { kind: 'operator', isTenantAdmin: false, isSuperAdmin: true, ...common, ...operator },
      at,
    );
    await grantRoles(platform, first.id, 'operator', 'default');
    const tenantId = newId();
    if (!(await insertTenant(tx, { tenantId, name: organisation.name, createdAt: at })))
      throw new AppError('TENANT_NAME_TAKEN', { name: organisation.name });
    const own = tx.asTenant(tenantId);
    const admin = await addAccount(
      own,
      { kind: 'user', isTenantAdmin: true, isSuperAdmin: false, ...common, ...administrator },
      at,
    );
    await grantRoles(own, admin.id, 'user', 'default');
    await saveInstallation(tx, { setupHash: null }, at);
    if (deps.configuredUrls.length === 0) await publicUrls.store(tx, answers.publicUrl, at);
    await recordAudit(platform, origin, at, {
      target: { kind: 'account', id: first.id, name: first.name },
      after: {
        account: first.account,
        organisation: organisation.name,
        admin: admin.account,
        publicUrl: answers.publicUrl,
        password: '***',
      },
    });
  });
}

/** The setup of an installation without accounts, for the holder of its link. */
export function createSetupService(deps: ServiceDeps) {
  const { db, log, dataFolder, configuredUrls, publicKey, openPassword } = deps;
  let isDone = false;

  async function isOpen(): Promise<boolean> {
    if (!isDone) isDone = await db.platform(hasAccounts);
    return !isDone;
  }

  async function mustHold(tx: PlatformTx, secret: string): Promise<void> {
    const row = await findInstallation(tx);
    if (row?.setupHash && row.setupHash === hashToken(secret)) return;
    // Checked after the row: if the link was removed meanwhile, the accounts have been created.
    throw new AppError((await hasAccounts(tx)) ? 'SETUP_DONE' : 'SETUP_LINK_INVALID');
  }

  /** Before any hashing, so that guesses cost the server nothing. */
  async function mustBeOpenTo(secret: string): Promise<void> {
    if (!(await isOpen())) throw new AppError('SETUP_DONE');
    await db.platform((tx) => mustHold(tx, secret));
  }

  async function read<T extends { password: string }>(person: T): Promise<T> {
    const password = await openPassword(person.password);
    if (password === undefined) throw new AppError('PASSWORD_UNREADABLE');
    return { ...person, password };
  }

  return {
    /** Whether the first account does not exist yet. */
    isOpen,

    /** @throws AppError SETUP_DONE, SETUP_LINK_INVALID */
    async begin({ origin }: Pick<Context, 'origin'>, secret: string): Promise<Data<typeof contract.setup.begin>> {
      await mustBeOpenTo(secret);
      const { minLength, minClasses } = await db.platform(platformRules);
      return {
        publicKey: await publicKey(),
        publicUrls: [...configuredUrls],
        seenAs: origin,
        passwordRules: { minLength, minClasses },
      };
    },

    /**
     * @throws AppError SETUP_DONE, SETUP_LINK_INVALID, ACCOUNT_TAKEN, TENANT_NAME_TAKEN, PASSWORD_UNREADABLE,
     * PASSWORD_TOO_WEAK
     */
    async complete(context: Context, { secret, ...body }: Complete): Promise<null> {
      await mustBeOpenTo(secret);
      const answers = { ...body, operator: await read(body.operator), administrator: await read(body.administrator) };
      await setUp(deps, context, answers, (tx) => mustHold(tx, secret));
      isDone = true;
      await removeSetupLink(dataFolder);
      log.info('The installation is set up');
      return null;
    },
  };
}

export type SetupService = ReturnType<typeof createSetupService>;
