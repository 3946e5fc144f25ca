import type { OwnFactors } from '@rmeet/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api/index.ts';

const FACTORS = ['own-factors'];

/** The account's second factor and remembered devices. The card shows loading errors. */
export function useOwnFactors() {
  return useQuery({ queryKey: FACTORS, queryFn: () => api.multiauth.own(), meta: { quiet: true } });
}

/** A secret for a new authenticator app. */
export function useStartTotp() {
  return useMutation({ mutationFn: () => api.multiauth.startTotp() });
}

export function useAddTotp(onAdded: (recoveryCodes: readonly string[]) => void) {
  const client = useQueryClient();
  return useMutation({
    meta: { quiet: true },
    mutationFn: (code: string) => api.multiauth.addTotp({ body: { code } }),
    onSuccess: ({ recoveryCodes }) => {
      void client.invalidateQueries({ queryKey: FACTORS });
      onAdded(recoveryCodes);
    },
  });
}

export function useRenewRecovery(onRenewed: (recoveryCodes: readonly string[]) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.multiauth.renewRecovery(),
    onSuccess: ({ recoveryCodes }) => {
      void client.invalidateQueries({ queryKey: FACTORS });
      onRenewed(recoveryCodes);
    },
  });
}

/** Changes that answer the factors as they are then. */
export function useChangeFactors() {
  const client = useQueryClient();
  const onSuccess = (own: OwnFactors) => client.setQueryData(FACTORS, own);
  return {
    remove: useMutation({ mutationFn: () => api.multiauth.removeTotp(), onSuccess }),
    forget: useMutation({
      mutationFn: (id: string) => api.multiauth.forgetDevice({ params: { id } }),
      onSuccess,
    }),
    setSignInMail: useMutation({
      mutationFn: (enabled: boolean) => api.multiauth.setSignInMail({ body: { enabled } }),
      onSuccess,
    }),
  };
}
