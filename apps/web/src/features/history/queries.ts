import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api/index.ts';
import { useListQuery } from '../../lib/useListQuery.ts';
import { queryOf, type HistoryState } from './listShape.ts';

/** How often what runs still is looked at anew. */
const LIVE = 10_000;

/**
 * One page of held meetings: one's own, or in the manage app the tenant's. The page before stays while the next one
 * comes.
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

/** Who was in a held meeting. Looked at anew while it runs. */
export function useRecord(id: string) {
  return useQuery({
    queryKey: ['history', 'record', id],
    queryFn: () => api.history.record({ query: { id } }),
    refetchInterval: ({ state: { data } }) => (data?.endedAt === null ? LIVE : false),
    meta: { quiet: 'unloaded' },
  });
}
