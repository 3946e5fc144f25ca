import type { FixedNumber } from '@rmeet/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/index.ts';

/** Below the key of all meetings, so that it is fetched again when the server reports them as stale. */
const KEY = ['meetings', 'fixed-number'];

/** The user's fixed number with its meeting. */
export function useFixedNumber() {
  return useQuery({ queryKey: KEY, queryFn: () => api.fixedNumber.read(), meta: { quiet: true } });
}

/** Stores the server's answer to a change of the number in the cache. */
export function useKeepNumber(): (answer: FixedNumber) => void {
  const client = useQueryClient();
  return (answer) => client.setQueryData(KEY, answer);
}

export function useStartOnNumber() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.fixedNumber.start(),
    onSettled: () => client.invalidateQueries({ queryKey: ['meetings'] }),
  });
}

export function useRenewNumber() {
  const keep = useKeepNumber();
  return useMutation({ mutationFn: () => api.fixedNumber.renew(), onSuccess: keep });
}
