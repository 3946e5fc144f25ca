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
  const { tenantUri, data } = useLoginMode();
  // Operators sign in by password.
  const modes = system === 'admin' ? undefined : data?.modes;
  const providers = system === 'admin' ? undefined : data?.providers;
  return { modes: modes ?? ['PASSWORD'], providers: providers ?? [], tenantUri };
}

/** What the server says about signing in: the ways, and the key that encrypts passwords. */
export function useLoginMode() {
  const [params] = useSearchParams();
  const tenantUri = system === 'admin' ? undefined : params.get('tenant')?.trim() || lastSignIn()?.tenantId;
  const query = useQuery({
    queryKey: ['loginMode', tenantUri ?? null],
    queryFn: () => api.auth.loginMode({ query: tenantUri === undefined ? {} : { tenantUri } }),
    meta: { quiet: true },
  });
  return { tenantUri, data: query.data, refetch: query.refetch };
}
