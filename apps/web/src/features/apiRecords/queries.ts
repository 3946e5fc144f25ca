import type { ApiClient } from '@rmeet/contract';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api/index.ts';
import { withoutEmpty } from '../../lib/listState.ts';
import { useListQuery } from '../../lib/useListQuery.ts';
import type { ClientListState } from './listShape.ts';

const KEY = ['api-records'];
/** Rows of a list in the drawer. */
export const RECORDS_SIZE = 20;

/** One page of the clients. */
export function useClientList({ tenant, state, view: _view, ...paging }: ClientListState) {
  return useListQuery([...KEY, 'list', { ...paging, tenant, state }], () =>
    api.apiRecords.query({ query: { ...paging, ...withoutEmpty({ tenantId: tenant, state }) } }),
  );
}

export function useRefreshClients(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: KEY });
}

/** Makes a new secret; the previous one stays valid for some hours. */
export function useRotate() {
  const refresh = useRefreshClients();
  return useMutation({
    mutationFn: ({ id, overlapHours }: { id: string; overlapHours: number }) =>
      api.apiRecords.rotate({ params: { id }, body: { overlapHours } }),
    onSettled: refresh,
  });
}

export function useEndClient() {
  const refresh = useRefreshClients();
  return useMutation({
    mutationFn: ({ id }: ApiClient) => api.apiRecords.end({ params: { id } }),
    onSettled: refresh,
  });
}

interface RecordsOptions {
  id: string;
  current: number;
}

export function useCalls({ id, current, failed }: RecordsOptions & { failed: boolean }) {
  return useQuery({
    queryKey: [...KEY, 'calls', id, current, failed],
    queryFn: () =>
      api.apiRecords.calls({
        params: { id },
        query: { current, size: RECORDS_SIZE, ...(failed ? { failed: '1' } : {}) },
      }),
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
}

export function useTrail({ id, current }: RecordsOptions) {
  return useQuery({
    queryKey: [...KEY, 'trail', id, current],
    queryFn: () => api.apiRecords.trail({ params: { id }, query: { current, size: RECORDS_SIZE } }),
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
}

export function useGrants({ id, current }: RecordsOptions) {
  return useQuery({
    queryKey: [...KEY, 'grants', id, current],
    queryFn: () => api.apiRecords.grants({ params: { id }, query: { current, size: RECORDS_SIZE } }),
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
}

export function useGrantForTenant() {
  const refresh = useRefreshClients();
  return useMutation({
    mutationFn: (id: string) => api.apiRecords.grantForTenant({ params: { id } }),
    onSettled: refresh,
  });
}

export function useEndGrant() {
  const refresh = useRefreshClients();
  return useMutation({
    mutationFn: (params: { id: string; grantId: string }) => api.apiRecords.endGrant({ params }),
    onSettled: refresh,
  });
}
