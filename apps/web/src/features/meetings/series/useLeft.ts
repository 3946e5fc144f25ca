import type { Meeting, RuleScope } from '@rmeet/contract';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../lib/api/index.ts';

type Left = Partial<Record<RuleScope, number | null>>;

/**
 * How many times a series goes on by the rule it has, by which of its meetings a change is for; nothing where that is
 * not known, null while it is asked for.
 */
export function useLeft(meeting: Meeting | null): Left | null {
  const ask = async (scope: RuleScope, { meetId, series, startTime, duration, timeZone }: Meeting) =>
    (
      await api.series.preview({
        body: { startTime, duration, timeZone, meetingId: meetId, scope, recurrence: { rule: series?.rule ?? '' } },
      })
    ).left;
  const counted = useQuery({
    queryKey: ['series-left', meeting?.meetId, meeting?.version],
    queryFn: async (): Promise<Left> =>
      meeting ? { following: await ask('following', meeting), all: await ask('all', meeting) } : {},
    enabled: /COUNT=/i.test(meeting?.series?.rule ?? ''),
    retry: false,
    meta: { quiet: true },
  });
  return counted.isLoading ? null : (counted.data ?? {});
}
