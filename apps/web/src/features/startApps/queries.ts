import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api/index.ts';

/** The apps that the account may open. */
export const appsQuery = queryOptions({
  queryKey: ['startApps', 'own'],
  queryFn: () => api.startApps.apps(),
  staleTime: 60_000,
  meta: { quiet: true },
});
