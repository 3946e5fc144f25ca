import type { BroadcastState } from '@rmeet/contract';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api/index.ts';
import { session } from '../../lib/browser.ts';
import { BROADCASTS_KEY } from './useRunBroadcast.ts';

/** While it is on air, viewers are counted; ms. */
const COUNTED = 5_000;

interface Options {
  /** As everybody in the conference sees it; null before the start and after the end. */
  status: BroadcastState | null;
  /** The number of viewers is shown, so it is followed. */
  counts?: boolean;
}

/** The broadcast of a meeting, for signed-in people who see it; null for others, and for a meeting without one. */
export function useMeetingBroadcast(meetId: string, { status, counts = false }: Options) {
  const { data } = useQuery({
    // Its state changes with the one that everybody sees.
    queryKey: [BROADCASTS_KEY, 'ofMeeting', meetId, status],
    queryFn: () => api.broadcasts.detail({ params: { id: meetId } }),
    enabled: session.token !== null,
    retry: false,
    refetchInterval: counts && status !== null ? COUNTED : false,
    meta: { quiet: true },
  });
  return data ?? null;
}
