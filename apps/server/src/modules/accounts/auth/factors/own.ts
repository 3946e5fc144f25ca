import { PROOF_LIFETIME, type contract, type Data, type Input, type OwnFactors } from '@rmeet/contract';
import type { TenantTx } from '../../../../platform/db/index.ts';
import { AppError, type AccountCaller, type Context } from '../../../../platform/http/index.ts';
import { PLATFORM_TENANT_ID } from '../../../../platform/db/index.ts';
import { recordAudit } from '../../../audit/index.ts';
import { tenantOf } from '../../tenants/index.ts';
import { tenant, type TenantRow } from '../../tenants/tables.ts';
import { findAccount, mustHaveRoomToHash, verifyPassword, type PasswordGuesses } from '../../users/index.ts';
import type { AccountRow } from '../../users/tables.ts';
import { eq } from 'drizzle-orm';
import { unlessRefused } from '../open-session.ts';
import type { SecurityMessage } from '../outside.ts';
import { countPasskeys } from '../passkeys/repo.ts';
import { isAskedOf, waysOf } from './demand.ts';
import { countOwnGuess, forgetOwnGuesses } from './limits.ts';
import {
  addTotp,
  countRecoveryCodes,
  findFactor,
  forgetRemembered,
  hasOwnFactor,
  listRemembered,
  removeApp,
  renewRecoveryCodes,
  setFactor,
  useOwnCode,
} from './repo.ts';
import type { FactorDeps } from './service.ts';
import { matchingStep, newTotpSecret, otpauthUri } from './totp.ts';

type Calls = typeof contract.multiauth;
type AccountContext = Context<AccountCaller>;
interface Own {
  account: AccountRow;
  tenant: TenantRow;
}

interface OwnFactorDeps extends FactorDeps {
  guesses: PasswordGuesses;
  /** Decrypts a password from the browser; undefined if it cannot be decrypted. */
  openPassword: (ciphertext: string) => Promise<string | undefined>;
}

/** A secret waits this long for its first code, ms. */
const PENDING_FOR = 600_000;
const pendingBinding = (accountId: string): string => `pending totp ${accountId}`;
const targetOf = ({ id, name }: AccountRow) => ({ kind: 'account', id, name });

async function ownOf(tx: TenantTx, { userId, tenantId }: AccountCaller): Promise<Own> {
  const account = await findAccount(tx, userId, true);
  if (!account) throw new AppError('UNAUTHORIZED');
  return { account, tenant: await tenantOf(tx, tenantId) };
}

/** The factors of the caller's own account. */
// oxlint-disable-next-line max-lines-per-function -- short methods of one card
export function createOwnFactors(deps: OwnFactorDeps) {
  const { db, now, sessions, secrets } = deps;

  async function present(tx: TenantTx, own: Own): Promise<OwnFactors> {
    const { id } = own.account;
    const factor = await findFactor(tx, id);
    const ways = await waysOf(tx, own, sessions.outside.sentWaysOf);
    return {
      totpSince: factor?.totpSince?.toISOString() ?? null,
      passkeys: await countPasskeys(tx, id),
      recoveryLeft: await countRecoveryCodes(tx, id),
      codes: ways.all.filter((way) => way === 'MAIL' || way === 'SMS'),
      isDemanded: await isAskedOf(tx, own, false),
      signInMail: factor?.signInMail ?? true,
      devices: (await listRemembered(tx, id, now())).map((row) => ({
        id: row.id,
        userAgent: row.userAgent,
        address: row.address,
        rememberedAt: row.rememberedAt.toISOString(),
        lastUsedAt: row.lastUsedAt.toISOString(),
        expiresAt: row.expiresAt.toISOString(),
      })),
    };
  }

  /** Changes the caller's factors, with an audit row and a message to the owner. */
  const changing = <T>(
    context: AccountContext,
    { before, after, message }: { before: object; after: object; message?: SecurityMessage },
    work: (tx: TenantTx, own: Own) => Promise<T>,
  ): Promise<T> =>
    db.tenant(context.caller.tenantId, async (tx) => {
      const own = await ownOf(tx, context.caller);
      const result = await work(tx, own);
      await recordAudit(tx, context, now(), {
        target: targetOf(own.account),
        before: { ...before },
        after: { ...after },
      });
      const { address, userAgent } = context;
      if (message) await sessions.outside.tell(tx, message, { ...own, address, userAgent, now: now() });
      return result;
    });

  return {
    own: ({ caller }: AccountContext): Promise<OwnFactors> =>
      db.tenant(caller.tenantId, async (tx) => present(tx, await ownOf(tx, caller))),

    startTotp: ({ caller }: AccountContext): Promise<Data<Calls['startTotp']>> =>
      db.tenant(caller.tenantId, async (tx) => {
        const own = await ownOf(tx, caller);
        const secret = newTotpSecret();
        const pendingSealed = secrets.seal(secret, pendingBinding(own.account.id));
        await setFactor(tx, own.account.id, { pendingSealed, pendingUntil: new Date(now().getTime() + PENDING_FOR) });
        return { secret, uri: otpauthUri(secret, { issuer: own.tenant.name, account: own.account.account }) };
      }),

    addTotp: (context: AccountContext, { body: { code } }: Input<Calls['addTotp']>): Promise<Data<Calls['addTotp']>> =>
      changing(
        context,
        { before: { secondFactor: null }, after: { secondFactor: 'TOTP' }, message: 'factorAdded' },
        async (tx, { account }) => {
          const factor = await findFactor(tx, account.id);
          const { pendingSealed, pendingUntil } = factor ?? { pendingSealed: null, pendingUntil: null };
          const isWaiting = pendingUntil !== null && pendingUntil > now();
          const secret =
            isWaiting && pendingSealed !== null ? secrets.open(pendingSealed, pendingBinding(account.id)) : undefined;
          const step = secret === undefined ? undefined : matchingStep(secret, code, null, now());
          if (secret === undefined || step === undefined) throw new AppError('CODE_WRONG');
          return { recoveryCodes: await addTotp(tx, secrets, account.id, { secret, step, now: now() }) };
        },
      ),

    removeTotp: (context: AccountContext): Promise<OwnFactors> =>
      changing(
        context,
        { before: { secondFactor: 'TOTP' }, after: { secondFactor: null }, message: 'factorRemoved' },
        async (tx, own) => {
          const { codes, isDemanded, totpSince, passkeys } = await present(tx, own);
          if (totpSince === null) throw new AppError('NOT_FOUND');
          if (isDemanded && codes.length === 0 && passkeys === 0) throw new AppError('FACTOR_DEMANDED');
          await removeApp(tx, own.account.id);
          return present(tx, own);
        },
      ),

    renewRecovery: (context: AccountContext): Promise<Data<Calls['renewRecovery']>> =>
      changing(
        context,
        { before: { recoveryCodes: '***' }, after: { recoveryCodes: '***' } },
        async (tx, { account }) => {
          if (!(await hasOwnFactor(tx, account.id))) throw new AppError('NOT_FOUND');
          return { recoveryCodes: await renewRecoveryCodes(tx, secrets, account.id) };
        },
      ),

    setSignInMail: (context: AccountContext, { body }: Input<Calls['setSignInMail']>): Promise<OwnFactors> =>
      changing(
        context,
        { before: { signInMail: !body.enabled }, after: { signInMail: body.enabled } },
        async (tx, own) => {
          await setFactor(tx, own.account.id, { signInMail: body.enabled });
          return present(tx, own);
        },
      ),

    forgetDevice: (context: AccountContext, { params }: Input<Calls['forgetDevice']>): Promise<OwnFactors> =>
      changing(context, { before: { remembered: true }, after: { remembered: false } }, async (tx, own) => {
        if (!(await forgetRemembered(tx, own.account.id, params.id))) throw new AppError('NOT_FOUND');
        return present(tx, own);
      }),

    prove: createProof(deps),
    ...createPlatformSettings(deps),
  };
}

/** Proves again who holds a session. */
function createProof({ db, now, sessions, secrets, guesses, openPassword }: OwnFactorDeps) {
  /** @throws AppError PASSWORD_UNREADABLE, PASSWORD_WRONG, TOO_MANY_REQUESTS */
  async function byPassword({ tenantId, userId }: AccountCaller, ciphertext: string): Promise<void> {
    const password = await openPassword(ciphertext);
    if (password === undefined) throw new AppError('PASSWORD_UNREADABLE');
    const account = await db.tenant(tenantId, (tx) => findAccount(tx, userId));
    if (!account) throw new AppError('UNAUTHORIZED');
    mustHaveRoomToHash();
    await guesses.admit(userId);
    if (!(await verifyPassword(password, account.passwordHash))) throw new AppError('PASSWORD_WRONG');
    await guesses.forget(userId);
  }

  async function byCode({ tenantId, userId }: AccountCaller, given: { way: 'TOTP' | 'RECOVERY'; code: string }) {
    unlessRefused(
      await db.platform(async (tx) => {
        const refusal = await countOwnGuess(tx, userId, now());
        if (refusal) return refusal;
        if (!(await useOwnCode(tx.asTenant(tenantId), secrets, { id: userId }, given, now())))
          return new AppError('CODE_WRONG');
        await forgetOwnGuesses(tx, userId);
        return null;
      }),
    );
  }

  return async ({ caller }: AccountContext, { body }: Input<Calls['prove']>): Promise<Data<Calls['prove']>> => {
    await ('password' in body ? byPassword(caller, body.password) : byCode(caller, body));
    await db.tenant(caller.tenantId, (tx) => sessions.prove(tx, caller.sessionId));
    return { until: new Date(now().getTime() + PROOF_LIFETIME).toISOString() };
  };
}

/** When the platform's staff are asked. */
function createPlatformSettings({ db, now }: OwnFactorDeps) {
  return {
    platformSettings: (): Promise<Data<Calls['platformSettings']>> =>
      db.tenant(PLATFORM_TENANT_ID, async (tx) => (await tenantOf(tx, PLATFORM_TENANT_ID)).secondFactor),

    /** @throws AppError FORBIDDEN unless the caller is a super administrator */
    setPlatformSettings: (
      context: AccountContext,
      { body }: Input<Calls['setPlatformSettings']>,
    ): Promise<Data<Calls['setPlatformSettings']>> => {
      const { caller } = context;
      if (caller.kind !== 'operator' || !caller.isSuperAdmin) throw new AppError('FORBIDDEN');
      return db.tenant(PLATFORM_TENANT_ID, async (tx) => {
        const before = await tenantOf(tx, PLATFORM_TENANT_ID);
        await tx.update(tenant, { secondFactor: body }, eq(tenant.tenantId, PLATFORM_TENANT_ID));
        await recordAudit(tx, context, now(), {
          target: { kind: 'tenant', id: PLATFORM_TENANT_ID, name: before.name },
          before: { secondFactor: before.secondFactor },
          after: { secondFactor: body },
        });
        return body;
      });
    },
  };
}
