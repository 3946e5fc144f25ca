import { history, pathOf } from '@rmeet/contract';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api/index.ts';
import { session } from '../../lib/browser.ts';
import { fileSource } from '../../lib/files.ts';
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

/** The chat of a past meeting. Fetched again while it runs. */
export function useRecordChat(id: string, isRunning: boolean) {
  return useQuery({
    queryKey: ['history', 'chat', id],
    queryFn: () => api.history.chat({ query: { id } }),
    refetchInterval: isRunning ? LIVE : false,
    meta: { quiet: 'unloaded' },
  });
}

/** The files of chats of past meetings. */
export const recordFiles = fileSource({
  token: () => session.token,
  pathOf: (id, preview) => pathOf(history.file, { params: { id }, query: preview ? { preview } : {} }),
  ticket: async (path) => (await api.downloads.ticket({ body: { path } })).ticket,
});
