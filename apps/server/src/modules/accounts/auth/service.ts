import type { contract, Data, DeskAccess, FactorDemand, Input, PasswordRules, TenantChoice } from '@rmeet/contract';
import type { Db, PlatformTx } from '../../../platform/db/index.ts';
import { AppError, networkOf, Queues, type AccountCaller, type Context } from '../../../platform/http/index.ts';
import { findTenant, passwordRulesOf } from '../tenants/index.ts';
import {
  checkNewPassword,
  findAccount,
  findAccountsByName,
  hashPassword,
  markSignedIn,
  mustChangePassword,
  mustHaveRoomToHash,
  setOwnPassword,
  spentPasswords,
  verifyEach,
} from '../users/index.ts';
import type { AccountRow } from '../users/tables.ts';
import { makeCaptcha } from './captcha.ts';
import { admitAttempt, needsCaptcha, refundAttempt, type SignInAttempt } from './guessing.ts';
import type { FactorSignIn } from './factors/service.ts';
import { makeTicket, useTicket } from './handover.ts';
import {
  asCaller,
  openSession,
  presentUser,
  refusalOf,
  unlessRefused,
  type Membership,
  type SignedIn,
} from './open-session.ts';
import type { Sessions } from './sessions.ts';
import { useOnce, type TransitKeys } from './transit.ts';

type Login = Input<typeof contract.auth.login>;

/**
 * How many accounts of one name are tried if no tenant is named. Each sign-in computes this many hashes. If more
 * tenants have the name, the newer accounts must name their tenant.
 */
const CANDIDATES = 2;

function ambiguous(memberships: readonly Membership[]): AppError {
  const choice: TenantChoice = { tenants: memberships.map(({ tenant: { tenantId, name } }) => ({ tenantId, name })) };
  return new AppError('TENANT_AMBIGUOUS', {}, undefined, undefined, { ...choice });
}

/** Opens desks by the secrets of their links, which use the same call as tickets. */
export interface DeskLinks {
  /** @throws AppError `unknown` for an unknown secret, DESK_LINK_INVALID for an ended link, TOO_MANY_REQUESTS */
  open(
    context: Pick<Context, 'address'>,
    secret: string,
    unknown: 'SIGN_INVALID',
  ): Promise<DeskAccess & { token: string }>;
}

/**
 * Concurrent sign-ins from one address: enough to keep all hashing threads busy, and few compared with its allowed
 * failures, since an attempt counts as failed until its password was verified.
 */
const SIGN_INS = { atOnce: 6, longest: 1_000, patience: 20_000 };

/** A password that a directory found right. */
export interface DirectoryProof {
  account: AccountRow;
  /** The directory lets the person set a new password only. */
  isDue: boolean;
}

/** Passwords that directories check (module directories, which builds on this one). */
export interface DirectorySignIn {
  /**
   * Checks a password that fits none of these accounts; the account of a person who signs in for the first time is
   * created. Undefined if the password is wrong, or there is no such person.
   *
   * @throws AppError TENANT_NEEDED, DIRECTORY_UNREACHABLE, DIRECTORY_LOCKED, DIRECTORY_REFUSED, ACCOUNT_DISABLED,
   *   QUOTA_USERS
   */
  prove(
    named: Pick<Login['body'], 'account' | 'tenant'>,
    accounts: readonly AccountRow[],
    password: string,
  ): Promise<DirectoryProof | undefined>;
  /** @throws AppError as DirectoryPasswords.changePassword */
  changePassword(account: Pick<AccountRow, 'id' | 'tenantId'>, from: string, to: string): Promise<void>;
}
/** A code of the authenticator app; others are for emergencies. */
const OF_APP = /^\d{6}$/;

export interface AuthDeps {
  db: Db;
  directories: DirectorySignIn;
  desks: DeskLinks;
  now: () => Date;
  sessions: Sessions;
  transit: TransitKeys;
  /** Where the identity provider that opened the caller's session ends it, too (module sso builds on this one). */
  endAddress: (context: Context<AccountCaller>) => Promise<string | null>;
  /** Ends a waiting sign-in by a code of its second factor. */
  checkFactor: FactorSignIn['check'];
}

/**
 * The accounts with their tenants whose passwords have not changed since they were checked; at least one. Locked to the
 * end of the transaction: a concurrent change of password either ends the session opened here, or is seen here.
 */
async function unchangedOf(tx: PlatformTx, found: readonly AccountRow[]): Promise<[Membership, ...Membership[]]> {
  const memberships: Membership[] = [];
  for (const { id, passwordHash } of found) {
    const account = await findAccount(tx, id, true);
    const tenant = account && (await findTenant(tx, account.tenantId));
    if (account && tenant && !account.deletedAt && account.passwordHash === passwordHash)
      memberships.push({ account, tenant });
  }
  const [first, ...others] = memberships;
  if (!first) throw new AppError('BAD_CREDENTIALS');
  return [first, ...others];
}

/**
 * The account that the right password belongs to and, if the password has expired, the rules for a new one. An account
 * that may not sign in gives way to one that may.
 *
 * The right password of an account that may not sign in, an expired one and one of several accounts are no failures. A
 * rejected new password stays counted, because it costs as much as a guess.
 */
async function matchOf(
  tx: PlatformTx,
  right: readonly AccountRow[],
  attempt: SignInAttempt,
  hasNew: boolean,
  now: Date,
): Promise<{ found: AccountRow; expired?: { rules: PasswordRules; spent: string[] } } | AppError> {
  const memberships = await unchangedOf(tx, right);
  const able = memberships.filter((membership) => !refusalOf(membership, 'PASSWORD'));
  const { account, tenant } = able[0] ?? memberships[0];
  if (able.length > 1) {
    await refundAttempt(tx, attempt, right, now);
    return ambiguous(able);
  }
  const refusal = refusalOf({ account, tenant }, 'PASSWORD');
  if (refusal) {
    await refundAttempt(tx, attempt, right, now);
    return refusal;
  }
  const rules = passwordRulesOf(tenant);
  if (!mustChangePassword(account, rules, now)) return { found: account };
  if (hasNew)
    return {
      found: account,
      expired: { rules, spent: await spentPasswords(tx.asTenant(account.tenantId), account, rules) },
    };
  await refundAttempt(tx, attempt, right, now);
  return new AppError('PWD_EXPIRED');
}

/** Opens sessions for accounts whose password was right. */
function createSignInEnd({ db, now, sessions, checkFactor }: AuthDeps) {
  /** Opens the session, after replacing the password if a new one was given. */
  async function open(
    context: Context,
    body: Login['body'],
    found: AccountRow,
    attempt: SignInAttempt,
    newHash: string | undefined,
  ): Promise<SignedIn> {
    const answer = await db.platform(async (tx) => {
      const [{ account, tenant }] = await unchangedOf(tx, [found]);
      const refusal = refusalOf({ account, tenant }, 'PASSWORD');
      if (refusal) throw refusal;
      // A recorded sign-in request cannot be replayed.
      if (!(await useOnce(tx, body.password, now()))) throw new AppError('PASSWORD_UNREADABLE');
      const own = tx.asTenant(account.tenantId);
      await refundAttempt(tx, attempt, [found], now());
      if (newHash !== undefined) {
        const change = { of: account, passwordHash: newHash, now: now() };
        await setOwnPassword(own, sessions, { ...context, caller: asCaller(account) }, change);
      }
      const { deviceId, mfaCode } = body;
      const way = { method: 'PASSWORD' as const, deviceId, now: now() };
      const opened = await openSession(tx, sessions, context, { account, tenant }, way);
      const { ticket } = (opened instanceof AppError && opened.data ? opened.data : {}) as Partial<FactorDemand>;
      if (mfaCode === undefined || ticket === undefined) return opened;
      const given = { way: OF_APP.test(mfaCode.trim()) ? ('TOTP' as const) : ('RECOVERY' as const), code: mfaCode };
      return checkFactor(tx, context, { ticket, ...given, deviceId, remember: false });
    });
    return unlessRefused(answer);
  }

  return open;
}

/** Ends sign-ins whose passwords fit no account of this server: a directory may know them. */
function createDirectorySignInEnd({ db, now, directories }: AuthDeps, open: ReturnType<typeof createSignInEnd>) {
  /** What the directory says. An attempt that it did not answer is no failure. */
  async function proven({ account, tenant }: Login['body'], attempt: SignInAttempt, password: string) {
    try {
      return await directories.prove({ account, tenant }, attempt.accounts, password);
    } catch (error) {
      if (error instanceof AppError && error.code === 'DIRECTORY_UNREACHABLE')
        await db.platform((tx) => refundAttempt(tx, attempt, [], now()));
      throw error;
    }
  }

  return async (
    context: Context,
    body: Login['body'],
    attempt: SignInAttempt,
    { password, newPassword }: { password: string; newPassword: string | undefined },
  ): Promise<SignedIn> => {
    const proof = await proven(body, attempt, password);
    if (!proof) throw new AppError('BAD_CREDENTIALS');
    const { account, isDue } = proof;
    if (isDue && newPassword === undefined) {
      await db.platform((tx) => refundAttempt(tx, attempt, [account], now()));
      throw new AppError('PWD_EXPIRED');
    }
    if (isDue && newPassword !== undefined) await directories.changePassword(account, password, newPassword);
    return open(context, body, account, attempt, undefined);
  };
}

/** Sign-in by account and password. */
async function createSignIn(deps: AuthDeps) {
  const { db, now, transit } = deps;
  const open = createSignInEnd(deps);
  const signInByDirectory = createDirectorySignInEnd(deps, open);
  /** Hashed against in place of accounts that do not exist, so that all cases take the same time. */
  const dummyHash = await hashPassword('nobody');

  async function read(ciphertext: string): Promise<string> {
    const password = await transit.open(ciphertext);
    if (password === undefined) throw new AppError('PASSWORD_UNREADABLE');
    return password;
  }

  /** The accounts with this password. Always computes the same number of hashes. */
  async function matching(accounts: readonly AccountRow[], password: string, hashes: number): Promise<AccountRow[]> {
    const fits = await verifyEach(
      password,
      Array.from({ length: hashes }, (_, i) => {
        const account = accounts[i];
        return account?.managedBy === 'local' ? account.passwordHash : dummyHash;
      }),
    );
    return accounts.filter(({ managedBy }, i) => managedBy === 'local' && fits[i]);
  }

  /**
   * Signs in. Neither the response nor its time reveals how many tenants have an account of the name. That a password
   * has expired, or an account is disabled, is reported only after the right password.
   */
  async function signIn(context: Context, { body }: Login): Promise<SignedIn> {
    const password = await read(body.password);
    const newPassword = body.newPassword === undefined ? undefined : await read(body.newPassword);
    const hashes = body.tenant === undefined ? CANDIDATES : 1;
    // Before the attempt is counted: a busy server is no failed attempt.
    mustHaveRoomToHash(hashes);
    const attempt = unlessRefused(
      await db.platform(async (tx) =>
        admitAttempt(tx, body, await findAccountsByName(tx, body.account, body.tenant, hashes), context.address, now()),
      ),
    );
    const right = await matching(attempt.accounts, password, hashes);
    if (right.length === 0) return signInByDirectory(context, body, attempt, { password, newPassword });

    const { found, expired } = unlessRefused(
      await db.platform((tx) => matchOf(tx, right, attempt, newPassword !== undefined, now())),
    );
    if (!expired || newPassword === undefined) return open(context, body, found, attempt, undefined);
    await checkNewPassword(newPassword, found.account, expired.rules, expired.spent);
    return open(context, body, found, attempt, await hashPassword(newPassword));
  }

  return signIn;
}

/** Sign-in by a handover ticket, and desks by their links. */
function createTicketSignIn({ db, desks, now, sessions }: AuthDeps) {
  return {
    /**
     * Signs in by a ticket, or opens a desk. The session counts as one of the device that requested the ticket, so it
     * ends no session there.
     */
    async ticketToToken(context: Context, sign: string | undefined): Promise<Data<typeof contract.auth.ticketToToken>> {
      if (!sign) throw new AppError('SIGN_INVALID');
      const answer = unlessRefused(
        await db.platform(async (tx) => {
          const ticket = await useTicket(tx, sign, now());
          if (!ticket) return undefined;
          const account = await findAccount(tx, ticket.accountId);
          const tenant = account && (await findTenant(tx, account.tenantId));
          if (!account || !tenant || account.deletedAt) return new AppError('SIGN_INVALID');
          const refusal = refusalOf({ account, tenant }, 'TICKET');
          if (refusal) return refusal;
          const own = tx.asTenant(account.tenantId);
          await markSignedIn(own, account.id, now());
          const token = await sessions.open(own, account, {
            address: context.address,
            userAgent: context.userAgent,
            method: 'TICKET',
            secondFactor: null,
            provenAt: null,
            ...ticket.from,
          });
          return { success: true as const, token, user: presentUser({ account, tenant }), desk: null };
        }),
      );
      if (answer) return answer;
      const { token, ...desk } = await desks.open(context, sign, 'SIGN_INVALID');
      return { success: true, token, user: null, desk };
    },
  };
}

export async function createAuthService(deps: AuthDeps) {
  const { db, now, sessions, transit, endAddress } = deps;
  const signIns = new Queues(SIGN_INS);
  const signIn = await createSignIn(deps);

  return {
    ...createTicketSignIn(deps),

    needsCaptcha: (account: string, address: string): Promise<boolean> =>
      db.platform((tx) => needsCaptcha(tx, account, address, now())),

    publicKey: () => transit.publicKey(),
    /** Decrypts a password from the browser; undefined if it cannot be decrypted. */
    openPassword: (ciphertext: string) => transit.open(ciphertext),

    captcha: () => db.platform((tx) => makeCaptcha(tx, now())),

    /** Signs in, queued with other sign-ins of its address. Throws the errors of the contract's login. */
    login: (context: Context, input: Login): Promise<SignedIn> =>
      signIns.run(networkOf(context.address), context.signal, () => signIn(context, input)),

    /** Ends the caller's session, and says where its identity provider ends its own. */
    async logout(context: Context<AccountCaller>): Promise<Data<typeof contract.auth.logout>> {
      const next = await endAddress(context);
      await sessions.logout(context.caller);
      return { next };
    },

    handover: ({ caller }: Context<AccountCaller>): Promise<Data<typeof contract.auth.handover>> =>
      db.tenant(caller.tenantId, async (tx) =>
        makeTicket(tx, caller.userId, await sessions.handedOver(tx, caller.sessionId), now()),
      ),
  };
}

export type AuthService = Awaited<ReturnType<typeof createAuthService>>;
