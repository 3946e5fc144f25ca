import type { Tenant } from '@rmeet/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api/index.ts';
import { withoutEmpty } from '../../lib/listState.ts';
import { useListQuery } from '../../lib/useListQuery.ts';
import { findRow } from '../../lib/findRow.ts';
import { profileQuery } from '../../lib/profile.ts';
import type { TenantListState } from './listShape.ts';

const KEY = 'tenants';

export function useTenantList(state: TenantListState) {
  return useListQuery([KEY, 'list', state], () => {
    const { keyword, current, size, sort, order, status } = state;
    return api.tenants.list({ query: { keyword, current, size, sort, order, ...withoutEmpty({ status }) } });
  });
}

/** The configuration of this installation. */
export function useSetup() {
  return useQuery({
    queryKey: ['setup'],
    queryFn: () => api.operators.setup(),
    staleTime: Infinity,
    meta: { quiet: true },
  });
}

/**
 * The caller's own tenant as it is when the form opens, without later updates: an edit starts from what the user saw.
 */
export function useOwnTenant() {
  return useQuery({
    queryKey: ['tenant-own'],
    queryFn: () => api.tenants.own(),
    staleTime: Infinity,
    gcTime: 0,
    meta: { quiet: 'unloaded' },
  });
}

/** Fetches again all queries that show tenants, including the caller's own look. */
export function useRefreshTenants(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await Promise.all([
      client.invalidateQueries({ queryKey: [KEY] }),
      client.invalidateQueries({ queryKey: ['tenant-options'] }),
      client.invalidateQueries({ queryKey: profileQuery.queryKey }),
    ]);
  };
}

/** The current version of a tenant, even if it was renamed. */
export function findTenant(id: string): Promise<Tenant | undefined> {
  return findRow((paging) => api.tenants.list({ query: { sort: 'createdAt', ...paging } }), id);
}

export function useSetTenantEnabled() {
  const refresh = useRefreshTenants();
  return useMutation({
    mutationFn: (body: { id: string; enabled: boolean }) => api.tenants.setEnabled({ body }),
    onSettled: refresh,
  });
}
