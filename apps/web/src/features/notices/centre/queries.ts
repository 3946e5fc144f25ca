import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/index.ts';
import { refetch } from '../../../lib/refetch.ts';
import { usePushTopic } from '../../../lib/push/index.ts';

const KEY = 'notices';
const PAGE = 20;
/** Used instead of a notice's id: all notices. */
export const ALL = 'all';

/** The number of unread notices, updated by push. */
export function useUnread(): number {
  const client = useQueryClient();
  const { data } = useQuery({
    queryKey: [KEY, 'unread'],
    queryFn: () => api.notices.list({ query: { size: 1 } }),
    meta: { quiet: true },
  });
  const refresh = () => void refetch(client, { queryKey: [KEY] });
  usePushTopic('user', {
    event: (event) => {
      if (event.type === 'noticesChanged') refresh();
    },
    stale: refresh,
    // Changes between the first count and the subscription were not pushed.
    live: refresh,
  });
  return data?.unread ?? 0;
}

/** The caller's notices, page by page; only unread ones, or all. */
export function useNotices(unreadOnly: boolean) {
  return useInfiniteQuery({
    queryKey: [KEY, 'list', unreadOnly],
    queryFn: ({ pageParam }) =>
      api.notices.list({ query: { current: pageParam, size: PAGE, unreadOnly: unreadOnly ? 'true' : 'false' } }),
    initialPageParam: 1,
    getNextPageParam: ({ records, current, total, totalIsLowerBound }) =>
      records.length === PAGE && (current * PAGE < total || totalIsLowerBound === true) ? current + 1 : undefined,
    meta: { quiet: 'unloaded' },
  });
}

/** Marks one notice as read, or all. */
export function useMarkRead() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => (id === ALL ? api.notices.markAllRead() : api.notices.markRead({ params: { id } })),
    onSettled: () => client.invalidateQueries({ queryKey: [KEY] }),
  });
}

/** Removes one notice from the notice centre, or all that are read. */
export function useClear() {
  const client = useQueryClient();
  return useMutation<unknown, Error, string>({
    mutationFn: (id) => (id === ALL ? api.notices.clearRead() : api.notices.clear({ params: { id } })),
    onSettled: () => client.invalidateQueries({ queryKey: [KEY] }),
  });
}
