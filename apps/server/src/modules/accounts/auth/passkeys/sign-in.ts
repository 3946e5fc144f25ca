import type { contract, Data, Input } from '@rmeet/contract';
import { PLATFORM_TENANT_ID, type PlatformTx } from '../../../../platform/db/index.ts';
import { AppError, type Context } from '../../../../platform/http/index.ts';
import { findTenant } from '../../tenants/index.ts';
import { findAccount } from '../../users/index.ts';
import { countTry, endWaitingSignIn, enrollingOf, over, waitingOf } from '../factors/waiting.ts';
import { asCaller, openSession, unlessRefused, type SignedIn } from '../open-session.ts';
import { addPasskey, offerPasskey, type AddingDeps } from './adding.ts';
import { mustHaveParty, requestOptions, type PasskeyDeps } from './deps.ts';
import type { Party } from './party.ts';
import { listPasskeys, makeChallenge } from './repo.ts';
import { verifyUsed } from './verify.ts';

type Calls = typeof contract.passkeys;

const refused = (): AppError => new AppError('PASSKEY_REFUSED');

/** Sign-in by a passkey alone. */
function createAlone(deps: PasskeyDeps) {
  const { db, log, now, sessions } = deps;

  async function enter(
    tx: PlatformTx,
    context: Context,
    party: Party,
    { deviceId, response }: Input<Calls['signIn']>['body'],
  ): Promise<SignedIn | AppError> {
    const asked = { purpose: 'signIn' as const, boundTo: deviceId, rpId: party.rpId };
    const who = { accountId: undefined, isVerified: true };
    const row = await verifyUsed(tx, response, { log, now: now(), party, asked }, who);
    const account = row && (await findAccount(tx, row.accountId, true));
    const tenant = account && (await findTenant(tx, account.tenantId));
    if (!account || !tenant || account.deletedAt) return refused();
    return openSession(tx, sessions, context, { account, tenant }, { method: 'PASSKEY', deviceId, now: now() });
  }

  return {
    /** @throws AppError PASSKEYS_UNAVAILABLE */
    async startSignIn(context: Context, { body }: Input<Calls['startSignIn']>): Promise<Data<Calls['startSignIn']>> {
      const party = mustHaveParty(deps, context);
      const asked = { purpose: 'signIn' as const, boundTo: body.deviceId, rpId: party.rpId };
      // The account is unknown yet: the browser offers the passkeys that it has.
      const challenge = await db.tenant(PLATFORM_TENANT_ID, (tx) => makeChallenge(tx, asked, now()));
      return requestOptions(challenge, party, [], 'required');
    },

    /**
     * @throws AppError PASSKEY_REFUSED, PASSKEYS_UNAVAILABLE, MULTI_AUTH_REQUIRED, ACCOUNT_DISABLED, TENANT_DISABLED,
     *   SIGN_IN_MODE_OFF
     */
    async signIn(context: Context, { body }: Input<Calls['signIn']>): Promise<Data<Calls['signIn']>> {
      const party = mustHaveParty(deps, context);
      return unlessRefused(await db.platform((tx) => enter(tx, context, party, body)));
    },
  };
}

/** The second step of a sign-in by a passkey. */
function createSecondStep(deps: PasskeyDeps) {
  const { db, log, now } = deps;

  async function check(
    tx: PlatformTx,
    context: Context,
    party: Party,
    body: Input<Calls['checkFactor']>['body'],
  ): Promise<SignedIn | AppError> {
    const waiting = await waitingOf(tx, body, now());
    if (!waiting?.row.ways.includes('PASSKEY')) return over();
    const asked = { purpose: 'factor' as const, boundTo: body.ticket, rpId: party.rpId };
    const who = { accountId: waiting.account.id, isVerified: false };
    if (!(await verifyUsed(tx, body.response, { log, now: now(), party, asked }, who))) {
      await countTry(tx, waiting);
      return refused();
    }
    return endWaitingSignIn(deps, tx, context, waiting, { ...body, way: 'PASSKEY' });
  }

  return {
    /** @throws AppError FACTOR_TICKET_INVALID, PASSKEYS_UNAVAILABLE if no passkey of the account works here */
    async startFactor(context: Context, { body }: Input<Calls['startFactor']>): Promise<Data<Calls['startFactor']>> {
      const party = mustHaveParty(deps, context);
      const answer = await db.platform(async (tx) => {
        const waiting = await waitingOf(tx, body, now());
        if (!waiting?.row.ways.includes('PASSKEY')) return over();
        const own = tx.asTenant(waiting.account.tenantId);
        const usable = (await listPasskeys(own, waiting.account.id)).filter(({ rpId }) => rpId === party.rpId);
        if (usable.length === 0) return new AppError('PASSKEYS_UNAVAILABLE');
        const asked = { purpose: 'factor' as const, boundTo: body.ticket, rpId: party.rpId };
        return requestOptions(await makeChallenge(own, asked, now()), party, usable, 'preferred');
      });
      return unlessRefused(answer);
    },

    /** @throws AppError FACTOR_TICKET_INVALID, PASSKEY_REFUSED, PASSKEYS_UNAVAILABLE, and those of a sign-in */
    async checkFactor(context: Context, { body }: Input<Calls['checkFactor']>): Promise<Data<Calls['checkFactor']>> {
      const party = mustHaveParty(deps, context);
      return unlessRefused(await db.platform((tx) => check(tx, context, party, body)));
    },
  };
}

/** Sets up the first factor of accounts that must have one before they sign in. */
function createEnrolment(deps: AddingDeps) {
  const { db, now } = deps;
  const askedOf = (ticket: string, { rpId }: Party) => ({ purpose: 'add' as const, boundTo: ticket, rpId });

  async function enrol(
    tx: PlatformTx,
    context: Context,
    party: Party,
    body: Input<Calls['enrol']>['body'],
  ): Promise<Data<Calls['enrol']> | AppError> {
    const waiting = await enrollingOf(tx, body, now());
    if (!waiting) return over();
    const own = tx.asTenant(waiting.account.tenantId);
    const by = { ...context, caller: asCaller(waiting.account) };
    const given = { ...body, party, asked: askedOf(body.ticket, party) };
    const recoveryCodes = await addPasskey(own, deps, by, waiting, given);
    if (recoveryCodes instanceof AppError) {
      await countTry(tx, waiting);
      return recoveryCodes;
    }
    const signedIn = await endWaitingSignIn(deps, tx, context, waiting, { ...body, way: 'PASSKEY' });
    return signedIn instanceof AppError ? signedIn : { ...signedIn, recoveryCodes };
  }

  return {
    /** @throws AppError FACTOR_TICKET_INVALID, PASSKEYS_UNAVAILABLE */
    async startEnrolment(
      context: Context,
      { body }: Input<Calls['startEnrolment']>,
    ): Promise<Data<Calls['startEnrolment']>> {
      const party = mustHaveParty(deps, context);
      const answer = await db.platform(async (tx) => {
        const waiting = await enrollingOf(tx, body, now());
        if (!waiting) return over();
        const own = tx.asTenant(waiting.account.tenantId);
        return offerPasskey(own, deps, waiting, { party, asked: askedOf(body.ticket, party) });
      });
      return unlessRefused(answer);
    },

    /** @throws AppError FACTOR_TICKET_INVALID, PASSKEY_REFUSED, PASSKEYS_UNAVAILABLE, and those of a sign-in */
    async enrol(context: Context, { body }: Input<Calls['enrol']>): Promise<Data<Calls['enrol']>> {
      const party = mustHaveParty(deps, context);
      return unlessRefused(await db.platform((tx) => enrol(tx, context, party, body)));
    },
  };
}

/** Sign-in by passkeys: alone, as the second step, or with a first one that is set up. */
export const createPasskeySignIn = (deps: AddingDeps) => ({
  ...createAlone(deps),
  ...createSecondStep(deps),
  ...createEnrolment(deps),
});
