import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/index.ts';

const KEY = 'guests';

/** The guest link of a meeting without its secret; null if there is none. */
export function useGuestLink(meetingId: string) {
  return useQuery({
    queryKey: [KEY, 'link', meetingId],
    queryFn: () => api.guests.query({ query: { meetingId } }),
    meta: { quiet: true },
  });
}

/** Guests who used the link, newest first. */
export function useGuests(meetingId: string) {
  return useQuery({
    queryKey: [KEY, 'people', meetingId],
    queryFn: () => api.guests.queryUsers({ query: { meetingId } }),
    meta: { quiet: true },
  });
}

/** Creates, renews or revokes the link. The secret of a new link is only in this answer. */
export function useGuestLinkChange(meetingId: string) {
  const client = useQueryClient();
  const query = { meetingId };
  return useMutation({
    mutationFn: (change: 'create' | 'renew' | 'end') =>
      change === 'create'
        ? api.guests.create({ query })
        : change === 'renew'
          ? api.guests.update({ query })
          : api.guests.remove({ query }),
    onSettled: () => client.invalidateQueries({ queryKey: [KEY] }),
  });
}
