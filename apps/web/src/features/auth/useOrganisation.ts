import { PLATFORM_TENANT_ID } from '@rmeet/contract';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { lastSignIn, system, type LastSignIn } from '../../lib/browser.ts';

/** The typed organisation, and the one that applies if nothing was typed. */
interface Organisation {
  /** Undefined until the field is edited. */
  typed: string | undefined;
  known: LastSignIn | null;
  isShown: boolean;
}

const plain = (account: string) => account.trim().toLowerCase();

/**
 * The organisation of the account. Users are only asked for it if it is unknown: it is given by the URL (`?tenant=`),
 * or taken from the last sign-in in this browser as long as the same account is typed. Operators have only one
 * organisation.
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
    /** Sets the organisation of the account. */
    choose: (tenantId: string, tenantName: string) =>
      change({ typed: undefined, known: { account, tenantId, tenantName }, isShown: true }),
    /** The value to send: an id or a name; undefined if not given. */
    wanted: (): string | undefined => {
      if (system === 'admin') return PLATFORM_TENANT_ID;
      if (typed !== undefined) return typed.trim() || undefined;
      return known && plain(known.account) === plain(account) ? known.tenantId : undefined;
    },
  };
}
