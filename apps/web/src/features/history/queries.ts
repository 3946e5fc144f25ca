import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api/index.ts';
import { useListQuery } from '../../lib/useListQuery.ts';
import { queryOf, type HistoryState } from './listShape.ts';

/** Refetch interval while a meeting runs; ms. */
const LIVE = 10_000;

/**
 * One page of past meetings: the user's own, or in the manage app the tenant's. The previous page stays until the next
 * one has arrived.
 */
export function useHistoryList(state: HistoryState, tenantWide: boolean) {
  return useListQuery(
    ['history', 'list', tenantWide, state],
    () => api.history.list({ query: { ...queryOf(state), tenantWide: String(tenantWide) } }),
    {
      refetchInterval: ({ state: { data } }) => (data?.records.some(({ endedAt }) => endedAt === null) ? LIVE : false),
    },
  );
}

/** The attendance of a past meeting. Fetched again while it runs. */
export function useRecord(id: string) {
  return useQuery({
    queryKey: ['history', 'record', id],
    queryFn: () => api.history.record({ query: { id } }),
    refetchInterval: ({ state: { data } }) => (data?.endedAt === null ? LIVE : false),
    meta: { quiet: 'unloaded' },
  });
}
