import {
  PASSKEY_CHALLENGE_LIFETIME,
  PASSKEYS_MAX,
  type CreatedPasskey,
  type PasskeyCreationOptions,
} from '@rmeet/contract';
import { newId, type TenantTx } from '../../../../platform/db/index.ts';
import { AppError, type AccountCaller, type Context } from '../../../../platform/http/index.ts';
import type { SecretBox } from '../../../../platform/secrets/index.ts';
import { recordAudit } from '../../../audit/index.ts';
import { hasOwnFactor, renewRecoveryCodes } from '../factors/repo.ts';
import type { Membership } from '../open-session.ts';
import type { Party } from './party.ts';
import { countPasskeys, listPasskeys, makeChallenge, type Asked } from './repo.ts';
import { requestOptions, type PasskeyDeps } from './deps.ts';
import { passkey } from './tables.ts';
import { ALGORITHMS, handleOf, verifyCreated } from './verify.ts';

export interface AddingDeps extends PasskeyDeps {
  secrets: SecretBox;
}

/** Who adds a passkey where, and what its challenge is bound to. */
interface Adding {
  party: Party;
  asked: Asked;
}

/** What the browser is to make. @throws AppError TOO_MANY_PASSKEYS */
export async function offerPasskey(
  tx: TenantTx,
  { now }: Pick<AddingDeps, 'now'>,
  { account, tenant }: Membership,
  { party, asked }: Adding,
): Promise<PasskeyCreationOptions> {
  const rows = await listPasskeys(tx, account.id);
  if (rows.length >= PASSKEYS_MAX) throw new AppError('TOO_MANY_PASSKEYS');
  return {
    rp: { id: party.rpId, name: tenant.name },
    user: { id: handleOf(account.id), name: account.account, displayName: account.name },
    challenge: await makeChallenge(tx, asked, now()),
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
    timeout: PASSKEY_CHALLENGE_LIFETIME,
    excludeCredentials: requestOptions('', party, rows, 'required').allowCredentials,
    // Every passkey can be the only factor: it is found without an account name, and verifies the person.
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    attestation: 'none',
  };
}

/**
 * Adds a passkey to an account that is locked. Returns the codes for emergencies that come with the first factor, or
 * the refusal, so that the transaction is committed.
 */
export async function addPasskey(
  tx: TenantTx,
  { log, now, secrets, sessions }: AddingDeps,
  context: Context<AccountCaller>,
  { account, tenant }: Membership,
  { name, response, party, asked }: Adding & { name: string; response: CreatedPasskey },
): Promise<string[] | AppError> {
  const made = await verifyCreated(tx, response, { log, now: now(), party, asked });
  if (!made) return new AppError('PASSKEY_REFUSED');
  if ((await countPasskeys(tx, account.id)) >= PASSKEYS_MAX) return new AppError('TOO_MANY_PASSKEYS');
  const isFirst = !(await hasOwnFactor(tx, account.id));
  const { rpId } = party;
  const { address, userAgent } = context;
  const facts = { id: newId(), accountId: account.id, rpId, name, userAgent, createdAt: now() };
  // A passkey that exists already, of whatever account, is not to be taken over.
  const [row] = await tx.insert(passkey, { ...facts, ...made }, 'nothing');
  if (!row) return new AppError('PASSKEY_REFUSED');
  const recoveryCodes = isFirst ? await renewRecoveryCodes(tx, secrets, account.id) : [];
  await recordAudit(tx, context, now(), {
    target: { kind: 'account', id: account.id, name: account.name },
    before: { passkey: null },
    after: { passkey: name },
  });
  await sessions.outside.tell(tx, 'passkeyAdded', { account, tenant, address, userAgent, now: now() });
  return recoveryCodes;
}
