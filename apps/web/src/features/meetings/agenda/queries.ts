import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '../../../lib/api/index.ts';
import { dayOf, ownZone } from '../../../lib/rooms/index.ts';
import { useNow } from '../../../lib/useNow.ts';
import { startOfDay } from '../calendar/days.ts';
import { MEETINGS_KEY } from '../queries.ts';

/** Meetings the agenda shows at most; the table has the others. */
const MOST = 100;

/** The caller's meetings from today on, earliest first. Push messages keep them up to date, so they are not polled. */
export function useAgenda() {
  const today = dayOf(useNow(), ownZone());
  return useQuery({
    queryKey: [MEETINGS_KEY, 'agenda', today],
    queryFn: () =>
      api.meetings.list({
        query: {
          from: new Date(startOfDay(today, ownZone())).toISOString(),
          size: MOST,
          sort: 'startTime',
          order: 'ASC',
        },
      }),
    placeholderData: keepPreviousData,
    meta: { quiet: 'unloaded' },
  });
}
