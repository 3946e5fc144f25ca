import { PLATFORM_TENANT_ID } from '@rmeet/contract';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { lastSignIn, system, type LastSignIn } from '../../lib/browser.ts';

/** What is typed, and what stands in place of it while nothing was. */
interface Organisation {
  /** Undefined while the field was left alone. */
  typed: string | undefined;
  known: LastSignIn | null;
  isShown: boolean;
}

const plain = (account: string) => account.trim().toLowerCase();

/**
 * Where the account is, which people are not asked unless they have to say it: it is told by the address (`?tenant=`),
 * or it is that of the last sign-in here as long as the same account is typed. Operators have one organisation alone.
 */
export function useOrganisation(account: string) {
  const [params] = useSearchParams();
  const [{ typed, known, isShown }, set] = useState<Organisation>(() => {
    const told = params.get('tenant')?.trim() || undefined;
    const last = system === 'admin' ? null : lastSignIn();
    return { typed: told, known: last, isShown: told !== undefined || last !== null };
  });
  const change = (values: Partial<Organisation>) => set((now) => ({ ...now, ...values }));

  return {
    isAsked: system !== 'admin',
    isShown,
    text: typed ?? (known && plain(known.account).startsWith(plain(account)) ? known.tenantName : ''),
    show: () => change({ isShown: true }),
    type: (text: string) => change({ typed: text }),
    /** From now on the account is in this one. */
    choose: (tenantId: string, tenantName: string) =>
      change({ typed: undefined, known: { account, tenantId, tenantName }, isShown: true }),
    /** What is sent: an id or a name; undefined if none was named. */
    wanted: (): string | undefined => {
      if (system === 'admin') return PLATFORM_TENANT_ID;
      if (typed !== undefined) return typed.trim() || undefined;
      return known && plain(known.account) === plain(account) ? known.tenantId : undefined;
    },
  };
}
