import { useQuery } from '@tanstack/react-query';
import { api } from '../../../lib/api/index.ts';
import { hasConference, type Draft } from '../booking/draft.ts';

const KEPT = 60_000;

/**
 * Maximum number of people that can be invited to such a meeting, excluding its host; undefined while loading or
 * unknown.
 */
export function useMostPeople({ type, resource }: Pick<Draft, 'type' | 'resource'>): number | undefined {
  const resourceId = resource !== null && hasConference(type) ? resource.id : undefined;
  const invited = useQuery({
    queryKey: ['resources', 'inviteLimit', resourceId],
    queryFn: () => api.resources.inviteLimit({ query: resourceId === undefined ? {} : { resourceId } }),
    staleTime: KEPT,
    meta: { quiet: true },
  });
  const inside = useQuery({
    queryKey: ['booking', 'participantLimit', type, resourceId],
    queryFn: () => api.booking.participantLimit({ params: { a: type, b: resourceId ?? '-' } }),
    staleTime: KEPT,
    meta: { quiet: true },
  });
  return invited.data && inside.data ? Math.min(invited.data.people, inside.data.limit - 1) : undefined;
}
