import type { BroadcastPushTargetBody } from '@rmeet/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/index.ts';

/** While the dialog is open, the states of pushes are followed; ms. */
const FOLLOWED = 5_000;

const keyOf = (id: string) => ['broadcasts', 'providers', id];

/** Where a broadcast is played and pushed to. */
export function useProviderConfig(id: string) {
  return useQuery({
    queryKey: keyOf(id),
    queryFn: () => api.liveProviders.providerConfig({ params: { id } }),
    refetchInterval: FOLLOWED,
    meta: { quiet: true },
  });
}

/** Changes where a broadcast is pushed to. */
export function useTargetChange(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (targets: BroadcastPushTargetBody[]) =>
      api.liveProviders.setPushTargets({ params: { id }, body: { targets } }),
    onSuccess: (config) => client.setQueryData(keyOf(id), config),
  });
}
