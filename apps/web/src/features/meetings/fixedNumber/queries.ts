import type { FixedNumber } from '@rmeet/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/index.ts';

/** Below the key of all meetings, so that it is fetched again when the server says that they are stale. */
const KEY = ['meetings', 'fixed-number'];

/** The own fixed number with the meeting on it. */
export function useFixedNumber() {
  return useQuery({ queryKey: KEY, queryFn: () => api.fixedNumber.read(), meta: { quiet: true } });
}

/** Shows what a change of the number was answered. */
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
