import { ACTIVITY_POLL, USER_MANAGE_TYPES } from '@rmeet/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { usePermission } from '../../lib/access.ts';
import { api } from '../../lib/api/index.ts';
import { system } from '../../lib/browser.ts';
import { refetch } from '../../lib/refetch.ts';
import { usePushTopic } from '../../lib/push/index.ts';
import type { MenuItem } from '../menu/menu.ts';

const DAYS_BACK = 2;
/** Changes of several meetings within this time cause only one request; ms. */
const GATHER = 1_000;

/** Local midnight two days ago: the server counts whole days from it, today being the last. */
function startDate(): string {
  const midnight = new Date();
  midnight.setHours(0, 0, 0, 0);
  midnight.setDate(midnight.getDate() - DAYS_BACK);
  return midnight.toISOString();
}

/**
 * The entries that show a dot because of current activity. Requested when meetings change, and every minute while the
 * page is visible.
 */
export function useActivity(items: readonly MenuItem[]): ReadonlySet<string> {
  useLiveActivity();
  const { data } = useQuery({
    queryKey: ['activity'],
    queryFn: () => api.meetings.activity({ query: { startDate: startDate() } }),
    enabled: system !== 'admin',
    // By default it does not run in the background: a hidden page sends no requests.
    refetchInterval: ACTIVITY_POLL,
    meta: { quiet: true },
  });
  const mayApprove = usePermission('sys:approve');
  const { data: waiting } = useQuery({
    queryKey: ['approvals', 'waiting'],
    queryFn: () => api.approvals.list({ query: { state: 'waiting', size: 1 } }),
    enabled: system !== 'admin' && mayApprove,
    refetchInterval: ACTIVITY_POLL,
    meta: { quiet: true },
  });
  const counts = {
    [USER_MANAGE_TYPES.meeting]: data?.meetingCount,
    [USER_MANAGE_TYPES.management]: 0,
    [USER_MANAGE_TYPES.classroom]: data?.lessonCount,
    [USER_MANAGE_TYPES.live]: data?.liveCount,
  };
  // The first entry of a group shows the activity of the group.
  const firsts = Object.values(USER_MANAGE_TYPES).map((group) =>
    items.find((item) => item.group === group && !item.isExternal),
  );
  const approvals = (waiting?.total ?? 0) > 0 ? items.filter(({ page }) => page === 'Approvals') : [];
  return new Set([
    ...firsts.flatMap((item) => (item && (counts[item.group] ?? 0) > 0 ? [item.id] : [])),
    ...approvals.map(({ id }) => id),
  ]);
}

/** Requests again when the server reports changed meetings; for a hidden page, once it is visible again. */
function useLiveActivity(): void {
  const client = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const refresh = () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      void refetch(client, {
        queryKey: ['activity'],
        refetchType: document.visibilityState === 'visible' ? 'active' : 'none',
      });
    }, GATHER);
  };
  // Operators may not follow meetings; their own topic has no meeting events.
  usePushTopic(system === 'admin' ? 'user' : 'activity', { event: refresh, stale: refresh });
  useEffect(() => () => clearTimeout(timer.current), []);
}
