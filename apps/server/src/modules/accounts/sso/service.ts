import type { Db } from '../../../platform/db/index.ts';
import type { AccountCaller, Context } from '../../../platform/http/index.ts';
import type { Jobs } from '../../../platform/jobs/types.ts';
import { z } from 'zod';
import { createSsoHttp } from './http.ts';
import { createIdentities } from './identities.ts';
import type { ProviderKind } from './kinds.ts';
import { createSsoLogout } from './logout.ts';
import { createOidc } from './oidc.ts';
import { createIdentityProviders } from './providers.ts';
import { identityProviderRoutes, ssoRoutes } from './routes.ts';
import { createAttempts, createSsoSignIn, dropOldAttempts, offeredBy, type SsoDeps } from './sign-in.ts';

export interface SsoOptions extends Omit<SsoDeps, 'kindOf'> {
  /** Hosts inside the network that may be identity providers (RMEET_SSO_HOSTS). */
  hosts: readonly string[];
  publicUrls: () => readonly string[];
}

/** Sign-in by identity providers of tenants. */
export function createSso({ hosts, publicUrls, ...given }: SsoOptions) {
  const { db, now } = given;
  const http = createSsoHttp(hosts);
  const oidc = createOidc({ http, now });
  const kinds: Record<'OIDC', ProviderKind> = { OIDC: oidc };
  const deps: SsoDeps = { ...given, kindOf: ({ kind }) => kinds[kind] };
  const attempts = createAttempts(deps);
  const logout = createSsoLogout({ ...deps, oidc });
  return {
    routes: ssoRoutes(createSsoSignIn(deps, attempts), createIdentities(deps, attempts), logout),
    providerRoutes: identityProviderRoutes(createIdentityProviders({ ...deps, http, publicUrls })),
    /** Where the provider of a session ends it, too. */
    endAddress: (context: Context<AccountCaller>) => logout.endAddress(context),
    /** The providers that a tenant offers. */
    offeredBy: (tenantId: string) => offeredBy(db, tenantId),
  };
}

/** Deletes attempts that have expired. */
export const clearAttempts = ({ db, now }: { db: Db; now: () => Date }): Promise<void> =>
  db.platform((tx) => dropOldAttempts(tx, now()));

export function defineSsoJobs(jobs: Jobs, deps: { db: Db; now: () => Date }): void {
  jobs.define('sso-clear', z.object({}), () => clearAttempts(deps));
  jobs.every('sso-clear', '17 * * * *');
}
