import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from './api/index.ts';

/** People of the tenant whose name, account or department contains the keyword; no request without one. */
export function useInvitees(keyword: string) {
  return useQuery({
    queryKey: ['invitees', keyword],
    queryFn: () => api.meetings.invitees({ query: { keyword } }),
    enabled: keyword !== '',
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  });
}
