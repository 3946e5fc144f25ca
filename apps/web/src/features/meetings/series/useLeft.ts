import type { Meeting, RuleScope } from '@rmeet/contract';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../lib/api/index.ts';

type Left = Partial<Record<RuleScope, number | null>>;

/** How many meetings of a series remain under its rule, by scope of a change; empty if unknown, null while loading. */
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
