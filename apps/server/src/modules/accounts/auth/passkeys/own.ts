import { PROOF_LIFETIME, type contract, type Data, type Input, type OwnPasskeys } from '@rmeet/contract';
import type { TenantTx } from '../../../../platform/db/index.ts';
import { AppError, type AccountCaller, type Context } from '../../../../platform/http/index.ts';
import { recordAudit } from '../../../audit/index.ts';
import { tenantOf } from '../../tenants/index.ts';
import { findAccount } from '../../users/index.ts';
import type { AccountRow } from '../../users/tables.ts';
import { isAskedOf, waysOf } from '../factors/demand.ts';
import { tidyFactors } from '../factors/repo.ts';
import { unlessRefused, type Membership } from '../open-session.ts';
import { addPasskey, offerPasskey, type AddingDeps } from './adding.ts';
import { mustHaveParty, requestOptions, type PasskeyDeps } from './deps.ts';
import { partyAt, urlsForPasskeys, type Party } from './party.ts';
import { listPasskeys, makeChallenge, removePasskey, renamePasskey } from './repo.ts';
import { verifyUsed } from './verify.ts';

type Calls = typeof contract.passkeys;
type AccountContext = Context<AccountCaller>;
const targetOf = ({ id, name }: AccountRow) => ({ kind: 'account', id, name });

/** Locked to the end of the transaction, so that concurrent calls do not exceed limits. */
async function ownOf(tx: TenantTx, { userId, tenantId }: AccountCaller): Promise<Membership> {
  const account = await findAccount(tx, userId, true);
  if (!account) throw new AppError('UNAUTHORIZED');
  return { account, tenant: await tenantOf(tx, tenantId) };
}

async function present(
  tx: TenantTx,
  context: AccountContext,
  { publicUrls }: Pick<PasskeyDeps, 'publicUrls'>,
): Promise<OwnPasskeys> {
  const { place, party } = partyAt(context, publicUrls());
  const rows = await listPasskeys(tx, context.caller.userId);
  return {
    passkeys: rows.map(({ id, name, rpId, userAgent, isBackedUp, createdAt, lastUsedAt }) => ({
      id,
      name,
      rpId,
      isUsable: rpId === party?.rpId,
      userAgent,
      isBackedUp,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
    })),
    place,
    urls: urlsForPasskeys(publicUrls()),
  };
}

/** The passkeys of the caller's own account. */
export function createOwnPasskeys(deps: AddingDeps) {
  return {
    own: (context: AccountContext): Promise<OwnPasskeys> =>
      deps.db.tenant(context.caller.tenantId, (tx) => present(tx, context, deps)),
    ...createAdding(deps),
    ...createEditing(deps),
    ...createProving(deps),
  };
}

/** What a challenge of a session is for. */
const askedOf = (purpose: 'add' | 'proof', { sessionId }: AccountCaller, { rpId }: Party) => ({
  purpose,
  boundTo: sessionId,
  rpId,
});

/** Adds passkeys. */
function createAdding(deps: AddingDeps) {
  const { db } = deps;
  return {
    /** @throws AppError PASSKEYS_UNAVAILABLE, TOO_MANY_PASSKEYS */
    startAdding(context: AccountContext): Promise<Data<Calls['startAdding']>> {
      const { caller } = context;
      const party = mustHaveParty(deps, context);
      const asked = askedOf('add', caller, party);
      return db.tenant(caller.tenantId, async (tx) =>
        offerPasskey(tx, deps, await ownOf(tx, caller), { party, asked }),
      );
    },

    /** @throws AppError PASSKEY_REFUSED, PASSKEYS_UNAVAILABLE, TOO_MANY_PASSKEYS */
    async add(context: AccountContext, { body }: Input<Calls['add']>): Promise<Data<Calls['add']>> {
      const { caller } = context;
      const party = mustHaveParty(deps, context);
      const given = { ...body, party, asked: askedOf('add', caller, party) };
      const answer = await db.tenant(caller.tenantId, async (tx) => {
        const recoveryCodes = await addPasskey(tx, deps, context, await ownOf(tx, caller), given);
        return recoveryCodes instanceof AppError
          ? recoveryCodes
          : { ...(await present(tx, context, deps)), recoveryCodes };
      });
      return unlessRefused(answer);
    },
  };
}

/** Renames and removes passkeys. */
function createEditing(deps: AddingDeps) {
  const { db, now, sessions } = deps;

  return {
    /** @throws AppError NOT_FOUND */
    rename: (context: AccountContext, { params, body }: Input<Calls['rename']>): Promise<OwnPasskeys> =>
      db.tenant(context.caller.tenantId, async (tx) => {
        const { account } = await ownOf(tx, context.caller);
        const before = (await listPasskeys(tx, account.id)).find(({ id }) => id === params.id);
        if (!before || !(await renamePasskey(tx, account.id, params.id, body.name))) throw new AppError('NOT_FOUND');
        await recordAudit(tx, context, now(), {
          target: targetOf(account),
          before: { passkey: before.name },
          after: { passkey: body.name },
        });
        return present(tx, context, deps);
      }),

    /** @throws AppError NOT_FOUND, FACTOR_DEMANDED for the last factor that the organisation demands */
    remove: (context: AccountContext, { params }: Input<Calls['remove']>): Promise<OwnPasskeys> =>
      db.tenant(context.caller.tenantId, async (tx) => {
        const own = await ownOf(tx, context.caller);
        const { account } = own;
        const row = await removePasskey(tx, account.id, params.id);
        if (!row) throw new AppError('NOT_FOUND');
        const ways = await waysOf(tx, own, sessions.outside.sentWaysOf);
        const isLast = ways.all.every((way) => way === 'RECOVERY');
        if (isLast && (await isAskedOf(tx, own, false))) throw new AppError('FACTOR_DEMANDED');
        await tidyFactors(tx, account.id);
        await recordAudit(tx, context, now(), {
          target: targetOf(account),
          before: { passkey: row.name },
          after: { passkey: null },
        });
        const { address, userAgent } = context;
        await sessions.outside.tell(tx, 'passkeyRemoved', { ...own, address, userAgent, now: now() });
        return present(tx, context, deps);
      }),
  };
}

/** Proves by a passkey who holds a session. */
function createProving(deps: AddingDeps) {
  const { db, log, now, sessions } = deps;
  return {
    /** @throws AppError PASSKEYS_UNAVAILABLE if no passkey of the account works here */
    startProof(context: AccountContext): Promise<Data<Calls['startProof']>> {
      const { caller } = context;
      const party = mustHaveParty(deps, context);
      return db.tenant(caller.tenantId, async (tx) => {
        const usable = (await listPasskeys(tx, caller.userId)).filter(({ rpId }) => rpId === party.rpId);
        if (usable.length === 0) throw new AppError('PASSKEYS_UNAVAILABLE');
        const challenge = await makeChallenge(tx, askedOf('proof', caller, party), now());
        return requestOptions(challenge, party, usable, 'preferred');
      });
    },

    /** @throws AppError PASSKEY_REFUSED, PASSKEYS_UNAVAILABLE */
    async prove(context: AccountContext, { body }: Input<Calls['prove']>): Promise<Data<Calls['prove']>> {
      const { caller } = context;
      const party = mustHaveParty(deps, context);
      const answer = await db.tenant(caller.tenantId, async (tx) => {
        const asked = askedOf('proof', caller, party);
        const who = { accountId: caller.userId, isVerified: false };
        const row = await verifyUsed(tx, body.response, { log, now: now(), party, asked }, who);
        if (!row) return new AppError('PASSKEY_REFUSED');
        await sessions.prove(tx, caller.sessionId);
        return { until: new Date(now().getTime() + PROOF_LIFETIME).toISOString() };
      });
      return unlessRefused(answer);
    },
  };
}
