import { useQuery } from '@tanstack/react-query';
import { api } from '../../../lib/api/index.ts';
import type { JoinInput } from './JoinForm.tsx';

/**
 * What a signed-in user must enter to join the meeting of a link. Fetched again each time the page is shown: this also
 * detects an expired sign-in, which redirects to the sign-in page and back here.
 */
export function usePreJoin({ number, meetId }: Pick<JoinInput, 'number' | 'meetId'>, signedIn: boolean) {
  const enabled = signedIn && /^\d{9}$/.test(number);
  const found = useQuery({
    queryKey: ['pre-join', number, meetId],
    queryFn: () => api.conferences.preJoin({ query: { numericId: number, ...(meetId === null ? {} : { meetId }) } }),
    enabled,
    gcTime: 0,
    retry: false,
    meta: { quiet: true },
  });
  return { known: found.data, isPending: enabled && found.isPending, lookAgain: () => void found.refetch() };
}
