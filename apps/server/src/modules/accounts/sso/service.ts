import type { SsoKind } from '@rmeet/contract';
import { z } from 'zod';
import type { Db } from '../../../platform/db/index.ts';
import type { AccountCaller, Context } from '../../../platform/http/index.ts';
import type { Jobs } from '../../../platform/jobs/types.ts';
import { lazily } from '../../../platform/lazily/index.ts';
import { createAttempts, dropOldAttempts, type SsoDeps } from './attempts.ts';
import { createCas } from './cas.ts';
import { createCasLogout } from './cas-logout.ts';
import { createDingtalk } from './dingtalk.ts';
import { createSsoHttp } from './http.ts';
import { createIdentities } from './identities.ts';
import { createSsoLogout } from './logout.ts';
import { createIdentityProviders } from './providers.ts';
import { identityProviderRoutes, ssoRoutes } from './routes.ts';
import { createSamlCalls } from './saml/calls.ts';
import { createSaml } from './saml/saml.ts';
import { createSsoSignIn, dropOldSessions, offeredBy } from './sign-in.ts';
import { createTokens } from './tokens.ts';
import { createWecom } from './wecom.ts';

export interface SsoOptions extends Omit<SsoDeps, 'kindOf'> {
  /** Hosts inside the network that may be identity providers (RMEET_SSO_HOSTS). */
  hosts: readonly string[];
  publicUrls: () => readonly string[];
}

/** What kinds have in common. */
const METHODS = ['begin', 'finish', 'check', 'endAddress'] as const;

/** Sign-in by identity providers of tenants. */
export function createSso({ hosts, publicUrls, ...given }: SsoOptions) {
  const { db, now, secrets } = given;
  const http = createSsoHttp(hosts);
  const saml = createSaml({ publicUrls });
  const oidc = lazily([...METHODS, 'readLogout'], async () => (await import('./oidc.ts')).createOidc({ http, now }));
  const kinds = {
    OIDC: oidc,
    SAML: saml,
    WECOM: createWecom({ http, tokens: createTokens({ db, secrets, now }) }),
    DINGTALK: createDingtalk({ http }),
    FEISHU: lazily(METHODS, async () => (await import('./feishu.ts')).createFeishu({ http })),
    CAS: createCas({ http }),
  } satisfies Record<SsoKind, unknown>;
  // The settings of a row are of its kind.
  const deps: SsoDeps = { ...given, kindOf: ({ kind }) => kinds[kind] };
  const attempts = createAttempts(deps);
  const logout = createSsoLogout({ ...deps, oidc });
  return {
    routes: ssoRoutes({
      signIn: createSsoSignIn(deps, attempts),
      own: createIdentities(deps, attempts),
      logout,
      saml: createSamlCalls(deps, attempts, saml),
      casLogout: createCasLogout(deps),
    }),
    providerRoutes: identityProviderRoutes(createIdentityProviders({ ...deps, http, publicUrls })),
    /** Where the provider of a session ends it, too. */
    endAddress: (context: Context<AccountCaller>) => logout.endAddress(context),
    /** The providers that a tenant offers. */
    offeredBy: (tenantId: string) => offeredBy(db, tenantId),
  };
}

/** Deletes attempts that have expired, and sessions of providers that have ended. */
export const clearAttempts = ({ db, now }: { db: Db; now: () => Date }): Promise<void> =>
  db.platform(async (tx) => {
    await dropOldAttempts(tx, now());
    await dropOldSessions(tx, now());
  });

export function defineSsoJobs(jobs: Jobs, deps: { db: Db; now: () => Date }): void {
  jobs.define('sso-clear', z.object({}), () => clearAttempts(deps));
  jobs.every('sso-clear', '17 * * * *');
}
