import { PASSKEY_CHALLENGE_LIFETIME, type PasskeyRequestOptions } from '@rmeet/contract';
import type { Db } from '../../../../platform/db/index.ts';
import { AppError, type Context } from '../../../../platform/http/index.ts';
import type { Log } from '../../../../platform/log/log.ts';
import type { Sessions } from '../sessions.ts';
import { library } from './library.ts';
import { partyAt, type Party } from './party.ts';
import type { PasskeyRow } from './tables.ts';

export interface PasskeyDeps {
  db: Db;
  log: Log;
  now: () => Date;
  sessions: Sessions;
  /** The configured addresses, as origins. */
  publicUrls: () => readonly string[];
}

/** Whom passkeys belong to at the address of a call. @throws AppError PASSKEYS_UNAVAILABLE */
export function mustHaveParty({ publicUrls }: Pick<PasskeyDeps, 'publicUrls'>, context: Context): Party {
  const { party } = partyAt(context, publicUrls());
  if (!party) throw new AppError('PASSKEYS_UNAVAILABLE');
  // It takes a moment, and is ready when the browser answers; a failure is met again there.
  library().catch(() => undefined);
  return party;
}

/** What the browser is asked to sign. */
export const requestOptions = (
  challenge: string,
  { rpId }: Party,
  rows: readonly PasskeyRow[],
  userVerification: PasskeyRequestOptions['userVerification'],
): PasskeyRequestOptions => ({
  challenge,
  rpId,
  timeout: PASSKEY_CHALLENGE_LIFETIME,
  allowCredentials: rows.map(({ credentialId: id, transports }) => ({ id, type: 'public-key', transports })),
  userVerification,
});
