import type { contract } from '@rmeet/contract';
import { lte, ne } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../platform/db/index.ts';
import type { Handlers } from '../../../platform/http/index.ts';
import type { Jobs } from '../../../platform/jobs/types.ts';
import { lazily } from '../../../platform/lazily/index.ts';
import type { ListDeps } from './lists.ts';
import type { CertDeps } from './sign-in.ts';
import { certificateAuthority, certificateChallenge, certificateList } from './tables.ts';

type CertificateOptions = CertDeps & ListDeps;

/** What reads certificates is loaded with the first call. */
function createParts(options: CertificateOptions) {
  const authorities = async () => (await import('./authorities.ts')).createAuthorities(options);
  const bindings = async () => (await import('./authorities.ts')).createBindings(options);
  const own = async () => (await import('./own.ts')).createOwnCertificates(options);
  const signIn = async () => (await import('./sign-in.ts')).createCertSignIn(options);
  return {
    authorities: lazily(['list', 'add', 'remove', 'setRules', 'setList'], authorities),
    bindings: lazily(['list', 'bind', 'unbind'], bindings),
    own: lazily(['list', 'bind', 'unbind'], own),
    signIn: lazily(['getCodeData', 'verifyToToken', 'startBind'], signIn),
  };
}

/** Fetches all revocation lists that have an address. */
async function fetchLists(deps: ListDeps): Promise<void> {
  const rows = await deps.db.platform((tx) => tx.find(certificateList, ne(certificateList.address, '')));
  if (rows.length > 0) await (await import('./lists.ts')).fetchEach(deps, rows);
}

/** Sign-in by certificates of authorities that tenants trust. */
export function createCertificates(options: CertificateOptions) {
  const { db } = options;
  const { authorities, bindings, own, signIn } = createParts(options);
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
  db.platform((tx) => tx.delete(certificateChallenge, lte(certificateChallenge.expiresAt, now())));

export function defineCertificateJobs(jobs: Jobs, deps: ListDeps): void {
  jobs.define('certificate-lists', z.object({}), () => fetchLists(deps));
  jobs.every('certificate-lists', '23 * * * *');
  jobs.define('certificate-clear', z.object({}), async () => {
    await clearChallenges(deps);
  });
  jobs.every('certificate-clear', '27 * * * *');
}
