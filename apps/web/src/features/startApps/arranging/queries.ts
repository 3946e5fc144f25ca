import type { StartApp } from '@rmeet/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/index.ts';

const KEY = 'startApps';

/** All apps of the organisation, and the roles they can be limited to. */
export const managedAppsQuery = queryOptions({
  queryKey: [KEY, 'managed'],
  queryFn: () => api.startApps.list(),
  meta: { quiet: 'unloaded' },
});

export function useRefreshApps(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: [KEY] });
}

export function useRemoveApp() {
  const refresh = useRefreshApps();
  return useMutation({ mutationFn: (id: string) => api.startApps.remove({ params: { id } }), onSettled: refresh });
}

/** Puts the apps in another order, which the list shows at once. */
export function useSortApps() {
  const client = useQueryClient();
  const refresh = useRefreshApps();
  return useMutation({
    mutationFn: (apps: readonly StartApp[]) => api.startApps.sort({ body: { ids: apps.map(({ id }) => id) } }),
    onMutate: (apps) => {
      client.setQueryData(managedAppsQuery.queryKey, (now) => now && { ...now, records: [...apps] });
    },
    onSettled: refresh,
  });
}
