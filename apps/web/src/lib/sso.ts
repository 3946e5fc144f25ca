import { api } from './api/index.ts';
import { system } from './browser.ts';
import type { System } from './system.ts';

const KEY = 'ssoAttempt';

/** A sign-in, or a link to the account, that this tab began at an identity provider. */
export interface SsoAttempt {
  purpose: 'signIn' | 'link';
  providerId: string;
  /** The app and its page to return to. */
  app: System;
  redirect: string;
  state: string;
  /** Without it, the answer of the provider is worth nothing: it never leaves this tab but to the server. */
  secret: string;
}

type Begun = Pick<SsoAttempt, 'purpose' | 'providerId' | 'redirect'>;

/** Goes to an identity provider, which sends the browser back to `/sso`. Throws ApiError if it cannot be reached. */
export async function goToProvider({ purpose, providerId, redirect }: Begun): Promise<void> {
  const { url, state, secret } = await (purpose === 'link'
    ? api.sso.startLink({ body: { providerId } })
    : api.sso.start({ body: { providerId, redirect } }));
  const attempt: SsoAttempt = { purpose, providerId, app: system, redirect, state, secret };
  sessionStorage.setItem(KEY, JSON.stringify(attempt));
  location.assign(url);
}

/** The attempt that an answer belongs to; null if it was begun in another tab or browser. */
export function attemptOf(state: string | null): SsoAttempt | null {
  const json = sessionStorage.getItem(KEY);
  const attempt = json === null ? null : (JSON.parse(json) as SsoAttempt);
  return attempt?.state === state ? attempt : null;
}

/** Its answer was used. After a failure it stays, to begin again. */
export function forgetAttempt(): void {
  sessionStorage.removeItem(KEY);
}
