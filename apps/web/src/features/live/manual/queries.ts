import type { ManualLive } from '@rmeet/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/index.ts';
import { useListQuery } from '../../../lib/useListQuery.ts';
import { BROADCASTS_KEY as KEY } from '../../../ui/broadcast/useRunBroadcast.ts';
import { queryOf, type LiveListState } from '../list/listShape.ts';

/** While one of the list is not over, what arrives is followed; ms. */
const FOLLOWED = 5_000;
/** While an encoder is being set up. */
const WATCHED = 2_000;

/** A page of the list; kept up to date while there is something to follow. */
export function useManualList(state: LiveListState) {
  return useListQuery([KEY, 'manual', 'list', state], () => api.manualLives.query({ body: queryOf(state) }), {
    refetchInterval: ({ state: { data } }) => (data?.records.some((one) => one.state !== 'ended') ? FOLLOWED : false),
  });
}

const one = (id: string) => ({
  queryKey: [KEY, 'manual', 'one', id],
  queryFn: async (): Promise<ManualLive | null> => (await api.manualLives.query({ body: { id } })).records[0] ?? null,
  meta: { quiet: true },
});

/** One broadcast with what arrives now; null: there is none. */
export function useManualLive(id: string) {
  return useQuery({
    ...one(id),
    refetchInterval: ({ state: { data } }) => (data?.state === 'ended' ? false : WATCHED),
  });
}

/** One broadcast as its form begins; null for a new one, or if there is none. */
export function useManualToEdit(id: string | null) {
  return useQuery({ ...one(id ?? ''), enabled: id !== null, staleTime: Infinity, gcTime: 0 });
}

type Created = Parameters<typeof api.manualLives.create>[0]['body'];
type Changed = Parameters<typeof api.manualLives.change>[0]['body'];

function useRefresh(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await client.invalidateQueries({ queryKey: [KEY] });
    await client.invalidateQueries({ queryKey: ['meetings'] });
    await client.invalidateQueries({ queryKey: ['activity'] });
  };
}

/** Books a broadcast. The form shows errors. */
export function useCreateManual() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: Created) => api.manualLives.create({ body }),
    onSettled: refresh,
    meta: { quiet: true },
  });
}

/** Changes a broadcast. The form shows errors. */
export function useChangeManual() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: Changed) => api.manualLives.change({ body }),
    onSettled: refresh,
    meta: { quiet: true },
  });
}

/** Gives a broadcast a new stream key. */
export function useNewKey(id: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => api.manualLives.change({ body: { id, newKey: true } }),
    onSettled: refresh,
  });
}

export function useCancelManual() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (id: string) => api.meetings.cancel({ params: { id }, query: { scope: 'one' } }),
    onSettled: refresh,
  });
}
