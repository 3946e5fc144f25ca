import type { contract } from '@rmeet/contract';
import { z } from 'zod';
import type { Db } from '../../../platform/db/index.ts';
import type { Handlers } from '../../../platform/http/index.ts';
import type { Jobs } from '../../../platform/jobs/types.ts';
import { createAuthorities, createBindings } from './authorities.ts';
import { defineListJobs, fetchLists, type ListDeps } from './lists.ts';
import { createOwnCertificates } from './own.ts';
import { createCertSignIn, dropOldChallenges, type CertDeps } from './sign-in.ts';
import { certificateAuthority } from './tables.ts';

type CertificateOptions = CertDeps & ListDeps;

/** Sign-in by certificates of authorities that tenants trust. */
export function createCertificates(options: CertificateOptions) {
  const { db } = options;
  const signIn = createCertSignIn(options);
  const own = createOwnCertificates(options);
  const authorities = createAuthorities(options);
  const bindings = createBindings(options);
  const routes: Handlers<typeof contract.certs> = {
    getCodeData: (context, input) => signIn.getCodeData(context, input),
    verifyToToken: (context, input) => signIn.verifyToToken(context, input),
    own: (context) => own.list(context),
    startBind: (context) => signIn.startBind(context),
    bind: (context, input) => own.bind(context, input),
    unbind: (context, input) => own.unbind(context, input),
  };
  const authorityRoutes: Handlers<typeof contract.certificateAuthorities> = {
    list: (context) => authorities.list(context),
    add: (context, input) => authorities.add(context, input),
    remove: (context, input) => authorities.remove(context, input),
    setRules: (context, input) => authorities.setRules(context, input),
    setList: (context, input) => authorities.setList(context, input),
    bindings: (context, input) => bindings.list(context, input),
    bind: (context, input) => bindings.bind(context, input),
    unbind: (context, input) => bindings.unbind(context, input),
  };
  return {
    routes,
    authorityRoutes,
    /** Whether a tenant trusts an authority, so that its people can sign in by certificate. */
    worksFor: async (tenantId: string): Promise<boolean> =>
      (await db.tenant(tenantId, (tx) => tx.count(certificateAuthority, undefined, 1))) > 0,
    /** Fetches all revocation lists that have an address. */
    fetchLists: () => fetchLists(options),
  };
}

/** Deletes challenges that have expired. */
export const clearChallenges = ({ db, now }: { db: Db; now: () => Date }): Promise<unknown> =>
  db.platform((tx) => dropOldChallenges(tx, now()));

export function defineCertificateJobs(jobs: Jobs, deps: ListDeps): void {
  defineListJobs(jobs, deps);
  jobs.define('certificate-clear', z.object({}), async () => {
    await clearChallenges(deps);
  });
  jobs.every('certificate-clear', '27 * * * *');
}
