import type { SignInMode, SsoChoice } from '@rmeet/contract';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { api } from '../../lib/api/index.ts';
import { lastSignIn, system } from '../../lib/browser.ts';

/**
 * The ways to sign in, the usual one first: those of the organisation that the address names, or of the last sign-in
 * here. Until they are known, and if the server cannot be asked, the password only.
 */
export function useLoginModes(): {
  modes: readonly SignInMode[];
  /** Of mode SSO. */
  providers: readonly SsoChoice[];
  tenantUri: string | undefined;
} {
  const [params] = useSearchParams();
  const tenantUri = system === 'admin' ? undefined : params.get('tenant')?.trim() || lastSignIn()?.tenantId;
  const { data } = useQuery({
    queryKey: ['loginModes', tenantUri ?? null],
    queryFn: () => api.auth.loginMode({ query: tenantUri === undefined ? {} : { tenantUri } }),
    meta: { quiet: true },
  });
  // Operators sign in by password.
  const modes = system === 'admin' ? undefined : data?.modes;
  const providers = system === 'admin' ? undefined : data?.providers;
  return { modes: modes ?? ['PASSWORD'], providers: providers ?? [], tenantUri };
}
