import type { BroadcastDetail } from '@rmeet/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api/index.ts';
import { useListQuery } from '../../lib/useListQuery.ts';
import { BROADCASTS_KEY as KEY } from '../../ui/broadcast/useRunBroadcast.ts';
import type { SettingBody } from '../../ui/broadcast/setting.ts';
import { queryOf, type LiveListState } from './list/listShape.ts';

/** Refetch interval while a broadcast is on air; ms. */
const ON_AIR = 5_000;
/** While one is expected to begin. */
const EXPECTED = 20_000;

/** A page of the list; kept up to date while there is something to follow. */
export function useBroadcastList(state: LiveListState) {
  return useListQuery([KEY, 'list', state], () => api.broadcasts.list({ query: queryOf(state) }), {
    refetchInterval: ({ state: { data } }) => {
      const states = new Set(data?.records.map((one) => one.state));
      if (states.has('onAir') || states.has('paused')) return ON_AIR;
      return states.has('scheduled') ? EXPECTED : false;
    },
  });
}

/** One broadcast, with its list of viewers for those who manage it. */
export function useBroadcast(id: string, enabled = true) {
  return useQuery({
    queryKey: [KEY, 'detail', id],
    queryFn: () => api.broadcasts.detail({ params: { id } }),
    enabled,
    meta: { quiet: true },
  });
}

/** How many watched a broadcast; followed while it is on air. */
export function useStatistics(id: string, isRunning: boolean) {
  return useQuery({
    queryKey: [KEY, 'statistics', id],
    queryFn: () => api.broadcasts.statistics({ params: { id } }),
    refetchInterval: isRunning ? ON_AIR : false,
    meta: { quiet: true },
  });
}

/** Changes the settings of a broadcast. */
export function useSettingChange(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: SettingBody) => api.broadcasts.change({ params: { id }, body }),
    onSuccess: (detail: BroadcastDetail) => {
      client.setQueryData([KEY, 'detail', id], detail);
      return client.invalidateQueries({ queryKey: [KEY, 'list'] });
    },
    meta: { quiet: true },
  });
}
