import type { BroadcastAction, BroadcastDetail } from '@rmeet/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api/index.ts';
import { useListQuery } from '../../lib/useListQuery.ts';
import type { SettingBody } from '../../ui/broadcast/setting.ts';
import { queryOf, type LiveListState } from './list/listShape.ts';

/** Refetch interval while a broadcast is on air; ms. */
const ON_AIR = 5_000;
/** While one is expected to begin. */
const EXPECTED = 20_000;

const KEY = 'broadcasts';

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

/** The page of the list and the detail after a change. */
function useTakeChange(): (detail: BroadcastDetail) => Promise<void> {
  const client = useQueryClient();
  return async (detail) => {
    client.setQueryData([KEY, 'detail', detail.id], detail);
    await client.invalidateQueries({ queryKey: [KEY, 'list'] });
    await client.invalidateQueries({ queryKey: ['activity'] });
  };
}

/** Changes the settings of a broadcast. */
export function useSettingChange(id: string) {
  const take = useTakeChange();
  return useMutation({
    mutationFn: (body: SettingBody) => api.broadcasts.change({ params: { id }, body }),
    onSuccess: take,
    meta: { quiet: true },
  });
}

/** Starts, pauses, continues and ends a broadcast. */
export function useBroadcastAct() {
  const take = useTakeChange();
  return useMutation({
    mutationFn: ({ id, action }: { id: string; action: BroadcastAction }) =>
      api.broadcasts.act({ params: { id }, body: { action } }),
    onSuccess: take,
  });
}
