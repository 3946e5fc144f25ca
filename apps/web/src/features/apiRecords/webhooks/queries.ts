import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/index.ts';
import { withoutEmpty } from '../../../lib/listState.ts';
import { RECORDS_SIZE } from '../queries.ts';

const KEY = ['webhooks'];

/** `tenant`: its id in the platform's system, empty in the manage system. */
export const tenantOf = (tenant: string) => withoutEmpty({ tenantId: tenant });

export function useWebhooks(tenant: string, enabled: boolean) {
  return useQuery({
    queryKey: [...KEY, tenant],
    queryFn: () => api.webhooks.list({ query: tenantOf(tenant) }),
    enabled,
    meta: { quiet: true },
  });
}

export function useRefreshWebhooks(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: KEY });
}

export function useDeliveries(tenant: string, id: string, current: number) {
  return useQuery({
    queryKey: [...KEY, 'deliveries', tenant, id, current],
    queryFn: () =>
      api.webhooks.deliveries({ params: { id }, query: { ...tenantOf(tenant), current, size: RECORDS_SIZE } }),
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
}

export function useResend(tenant: string) {
  const refresh = useRefreshWebhooks();
  return useMutation({
    mutationFn: (params: { id: string; deliveryId: string }) => api.webhooks.resend({ params, body: tenantOf(tenant) }),
    onSettled: refresh,
  });
}

export function useTest(tenant: string) {
  const refresh = useRefreshWebhooks();
  return useMutation({
    mutationFn: (id: string) => api.webhooks.test({ params: { id }, body: tenantOf(tenant) }),
    onSettled: refresh,
  });
}

export function useRotateWebhook(tenant: string) {
  const refresh = useRefreshWebhooks();
  return useMutation({
    mutationFn: (id: string) => api.webhooks.rotate({ params: { id }, body: tenantOf(tenant) }),
    onSettled: refresh,
  });
}

export function useRemoveWebhook(tenant: string) {
  const refresh = useRefreshWebhooks();
  return useMutation({
    mutationFn: (id: string) => api.webhooks.remove({ params: { id }, query: tenantOf(tenant) }),
    onSettled: refresh,
  });
}
