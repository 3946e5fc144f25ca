import type { IdentityProvider } from '@rmeet/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api/index.ts';

const KEY = ['identity-providers'];

export function useIdentityProviders() {
  return useQuery({ queryKey: KEY, queryFn: () => api.identityProviders.list(), meta: { quiet: 'unloaded' } });
}

export function useRefreshProviders(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: KEY });
}

/** The current version of a provider; undefined if it was removed. */
export async function findProvider(id: string): Promise<IdentityProvider | undefined> {
  return (await api.identityProviders.list()).records.find((one) => one.id === id);
}

export function useRemoveProvider() {
  const refresh = useRefreshProviders();
  return useMutation({
    mutationFn: (id: string) => api.identityProviders.remove({ params: { id } }),
    onSettled: refresh,
  });
}
