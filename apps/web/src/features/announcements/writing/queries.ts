import type { Announcement } from '@rmeet/contract';
import { queryOptions, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/index.ts';
import { findRow } from '../../../lib/findRow.ts';
import { withoutEmpty } from '../../../lib/listState.ts';
import { useListQuery } from '../../../lib/useListQuery.ts';
import type { AnnouncementListState } from './listShape.ts';

const KEY = ['announcements', 'managed'];
const PAGE = 20;

/** The announcements of the organisation, or the platform's. Their status and readers also change over time. */
export function useAnnouncementList({ keyword, status, current, size }: AnnouncementListState) {
  return useListQuery(
    [...KEY, 'list', { keyword, status, current, size }],
    () => api.announcements.list({ query: { current, size, ...withoutEmpty({ keyword, status }) } }),
    { refetchInterval: 60_000 },
  );
}

/** The roles of people. */
export const rolesQuery = queryOptions({
  queryKey: [...KEY, 'roles'],
  queryFn: () => api.announcements.roles(),
  staleTime: 60_000,
});

export function useRefreshAnnouncements(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ['announcements'] });
}

/** The current version of an announcement; there is no call for a single one. */
export async function findAnnouncement({
  id,
  title,
}: Pick<Announcement, 'id' | 'title'>): Promise<Announcement | undefined> {
  const keyword = title.slice(0, 60);
  const found = await findRow((paging) => api.announcements.list({ query: { keyword, ...paging } }), id);
  return found ?? findRow((paging) => api.announcements.list({ query: { ...paging } }), id);
}

type Act = 'publish' | 'withdraw' | 'remove';

/** Publishes, withdraws or deletes an announcement. */
export function useAnnouncementAct() {
  const refresh = useRefreshAnnouncements();
  return useMutation({
    mutationFn: async ({ act, announcement: { id, version } }: { act: Act; announcement: Announcement }) => {
      const params = { id };
      if (act === 'remove') await api.announcements.remove({ params });
      else await api.announcements[act]({ params, body: { version } });
    },
    onSettled: refresh,
  });
}

/** The people who have read an announcement, or who have not, page by page. */
export function useReaders(id: string, read: boolean) {
  return useInfiniteQuery({
    queryKey: [...KEY, 'readers', id, read],
    queryFn: ({ pageParam }) =>
      api.announcements.readers({
        params: { id },
        query: { current: pageParam, size: PAGE, read: read ? 'true' : 'false' },
      }),
    initialPageParam: 1,
    getNextPageParam: ({ records, current, total, totalIsLowerBound }) =>
      records.length === PAGE && (current * PAGE < total || totalIsLowerBound === true) ? current + 1 : undefined,
    meta: { quiet: 'unloaded' },
  });
}
