import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from './api/index.ts';
import { system } from './browser.ts';

/** The signed-in account. The guard loads it before the first page of the layout, so pages find it in the cache. */
export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: () => (system === 'admin' ? api.operators.current() : api.users.current()),
  staleTime: Infinity,
  meta: { quiet: true },
});

export function useProfile() {
  return useQuery(profileQuery).data;
}
