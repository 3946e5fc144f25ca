import type { CurrentAnnouncement } from '@rmeet/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api } from '../../../lib/api/index.ts';
import { usePushTopic } from '../../../lib/push/index.ts';
import { refetch } from '../../../lib/refetch.ts';

const KEY = ['announcements', 'current'];
/** Pages of a large organisation fetch over this time after a push, not all at once; ms. */
const SPREAD = 2_000;
/** Used instead of an announcement's id: all of them. */
export const ALL = 'all';

/** The announcements that the account sees now. */
export function useAnnouncements() {
  return useQuery({ queryKey: KEY, queryFn: () => api.announcements.current(), meta: { quiet: true } });
}

/** Those of them that are important and unread. */
export function useImportantUnread(): CurrentAnnouncement[] {
  const { data } = useAnnouncements();
  return data?.records.filter(({ important, readAt }) => important && readAt === null) ?? [];
}

/** Keeps the announcements current by push; once per page. */
export function useLiveAnnouncements(): void {
  const client = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const refresh = (within: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void refetch(client, { queryKey: KEY }), Math.random() * within);
  };
  usePushTopic('user', {
    event: (event) => {
      if (event.type === 'announcementsChanged') refresh(SPREAD);
    },
    stale: () => refresh(SPREAD),
    // Changes between the first fetch and the subscription were not pushed.
    live: () => refresh(0),
  });
}

/** Marks one announcement as read, or all. */
export function useMarkRead() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      id === ALL ? api.announcements.markAllRead() : api.announcements.markRead({ params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
  });
}
