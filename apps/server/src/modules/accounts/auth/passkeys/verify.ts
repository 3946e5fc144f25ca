import type { CreatedPasskey, UsedPasskey } from '@rmeet/contract';
import { eq } from 'drizzle-orm';
import { allOf } from '../../../../platform/db/conditions.ts';
import type { TenantTx } from '../../../../platform/db/index.ts';
import type { Log } from '../../../../platform/log/log.ts';
import { library } from './library.ts';
import type { Party } from './party.ts';
import { useChallenge, type Asked } from './repo.ts';
import { passkey, type PasskeyRow } from './tables.ts';

/** ES256, EdDSA, RS256 (IANA COSE Algorithms): what authenticators have. */
export const ALGORITHMS = [-7, -8, -257];

interface Verifying {
  log: Log;
  now: Date;
  party: Party;
  asked: Asked;
}

/** The bytes of an account's id: the user handle, by which a passkey says whose it is. */
export const handleOf = (accountId: string): string =>
  Buffer.from(accountId.replaceAll('-', ''), 'hex').toString('base64url');

/**
 * Checks the answer of a new passkey (Web Authentication Level 3 section 7.1); undefined if it is not right. Its
 * challenge is used up in any case.
 */
export async function verifyCreated(
  tx: Pick<TenantTx, 'delete'>,
  response: CreatedPasskey,
  { log, now, party, asked }: Verifying,
): Promise<Pick<PasskeyRow, 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'isBackedUp'> | undefined> {
  const { verifyRegistrationResponse } = await library();
  const expectedChallenge = challengeIn(response);
  if (!(await useChallenge(tx, expectedChallenge, asked, now))) return undefined;
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...response, clientExtensionResults: {} } as Parameters<
        typeof verifyRegistrationResponse
      >[0]['response'],
      expectedChallenge,
      expectedOrigin: party.origins,
      expectedRPID: party.rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!verified) return undefined;
    const { credential, credentialBackedUp } = registrationInfo;
    return {
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports: response.response.transports ?? [],
      isBackedUp: credentialBackedUp,
    };
  } catch (error) {
    log.info({ error }, 'A new passkey was refused');
    return undefined;
  }
}

/**
 * Checks the signature of a passkey (Web Authentication Level 3 section 7.2) and stores its counter; undefined if it is
 * not right, or its counter shows a copy. The challenge is used up in any case.
 *
 * @param who whose passkey it must be; undefined if it tells whose it is, and then it must name that account itself
 */
export async function verifyUsed(
  tx: Pick<TenantTx, 'findOne' | 'update' | 'delete'>,
  response: UsedPasskey,
  { log, now, party, asked }: Verifying,
  { accountId, isVerified }: { accountId: string | undefined; isVerified: boolean },
): Promise<PasskeyRow | undefined> {
  const expectedChallenge = challengeIn(response);
  if (!(await useChallenge(tx, expectedChallenge, asked, now))) return undefined;
  // Locked: of two requests with one counter, one is accepted.
  const row = await tx.findOne(passkey, allOf(eq(passkey.credentialId, response.id), eq(passkey.rpId, party.rpId)), {
    lock: 'update',
  });
  if (!row || !isOf(row, accountId, response.response.userHandle ?? '')) return undefined;
  const signed = await signatureIn(response, row, { log, party, expectedChallenge, isVerified });
  if (!signed) return undefined;
  const { newCounter: counter, credentialBackedUp: isBackedUp } = signed;
  await tx.update(passkey, { counter, isBackedUp, lastUsedAt: now }, eq(passkey.id, row.id));
  return row;
}

/** What a signature says, if it is right. */
async function signatureIn(
  response: UsedPasskey,
  row: PasskeyRow,
  {
    log,
    party,
    expectedChallenge,
    isVerified,
  }: Pick<Verifying, 'log' | 'party'> & { expectedChallenge: string; isVerified: boolean },
): Promise<{ newCounter: number; credentialBackedUp: boolean } | undefined> {
  const { verifyAuthenticationResponse } = await library();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...response, clientExtensionResults: {} } as Parameters<
        typeof verifyAuthenticationResponse
      >[0]['response'],
      expectedChallenge,
      expectedOrigin: party.origins,
      expectedRPID: party.rpId,
      credential: {
        id: row.credentialId,
        publicKey: new Uint8Array(Buffer.from(row.publicKey, 'base64url')),
        counter: row.counter,
      },
      requireUserVerification: isVerified,
    });
    return verified ? authenticationInfo : undefined;
  } catch (error) {
    log.info({ error, passkey: row.id }, 'A passkey was refused');
    return undefined;
  }
}

/** Whether a passkey is of an account; devices may leave the handle out if the server has named the passkeys. */
function isOf(row: PasskeyRow, accountId: string | undefined, handle: string): boolean {
  const isNamed = handle === handleOf(row.accountId);
  if (accountId === undefined) return isNamed;
  return row.accountId === accountId && (isNamed || handle === '');
}

/** The challenge that an answer claims to sign; empty if it cannot be read. */
function challengeIn({ response: { clientDataJSON } }: CreatedPasskey | UsedPasskey): string {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { challenge?: unknown };
    return typeof challenge === 'string' ? challenge : '';
  } catch {
    return '';
  }
}
