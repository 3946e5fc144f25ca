import type { UsedPasskey } from '@rmeet/contract';
import { useEffect } from 'react';
import { demandOf } from '../demand.ts';
import { askPasskey, canAutofillPasskeys, stopAsking } from '../../../lib/passkeys.ts';
import '../../../ui/factor/texts.ts';
import { PasskeyError } from './PasskeyError.tsx';
import { startSignIn, usePasskeySignIn, type PasskeySignInProps } from './usePasskeySignIn.ts';

/** A challenge works for five minutes; before, the browser gets a new one, ms. */
const RENEW_AFTER = 240_000;

/** Has the browser offer passkeys among the suggestions of the account field, until `signal` ends it. */
async function offer(signal: AbortSignal, onGiven: (given: UsedPasskey) => void): Promise<void> {
  if (!(await canAutofillPasskeys())) return;
  while (!signal.aborted) {
    const options = await startSignIn();
    if (signal.aborted) return;
    let isRenewed = false;
    const timer = setTimeout(() => {
      isRenewed = true;
      void stopAsking();
    }, RENEW_AFTER);
    try {
      onGiven(await askPasskey(options, true));
      return;
    } catch (error) {
      if (!isRenewed) throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Passkeys among the suggestions of the account field; shows only what went wrong with a chosen one. */
export function PasskeyAutofill(props: PasskeySignInProps) {
  const { mutate, error } = usePasskeySignIn(props);
  useEffect(() => {
    const ends = new AbortController();
    // Without suggestions people choose the passkey as another way.
    offer(ends.signal, mutate).catch(() => undefined);
    return () => {
      ends.abort();
      void stopAsking().catch(() => undefined);
    };
  }, [mutate]);
  return error && !demandOf(error) ? <PasskeyError error={error} /> : null;
}
