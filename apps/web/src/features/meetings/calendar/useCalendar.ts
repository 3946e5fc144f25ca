import type { Meeting } from '@rmeet/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '../../../lib/api/index.ts';
import { system } from '../../../lib/browser.ts';
import type { Interval } from '../../../lib/rooms/index.ts';

/** What the server gives at once at most. */
const PAGE = 200;
/** More than anybody reads on a screen; what is left out is said. */
const PAGES = 10;

export interface CalendarFilter {
  keyword: string;
  /** A meeting type; empty for all. */
  type: string;
}

interface Found {
  meetings: readonly Meeting[];
  /** Whether the interval has more meetings than these. */
  hasMore: boolean;
}

/**
 * All meetings that lie at least partly in an interval, page after page. Lists of meetings share their key, and with it
 * what makes them stale.
 */
export function useCalendar(interval: Interval, { keyword, type }: CalendarFilter) {
  const from = new Date(interval.start).toISOString();
  const until = new Date(interval.end).toISOString();
  return useQuery({
    queryKey: ['meetings', 'calendar', from, until, keyword, type],
    queryFn: async ({ signal }): Promise<Found> => {
      const found = new Map<string, Meeting>();
      for (let current = 1; current <= PAGES; current += 1) {
        signal.throwIfAborted();
        const { records } = await api.meetings.list({
          query: {
            from,
            until,
            keyword,
            current,
            size: PAGE,
            sort: 'startTime',
            order: 'ASC',
            tenantWide: system === 'manage' ? 'true' : 'false',
            ...(type === '' ? {} : { type: type as Meeting['type'] }),
          },
        });
        // A meeting booked meanwhile moves others to the next page, where they come a second time.
        for (const one of records) found.set(one.meetId, one);
        if (records.length < PAGE) return { meetings: [...found.values()], hasMore: false };
      }
      return { meetings: [...found.values()], hasMore: true };
    },
    placeholderData: keepPreviousData,
    meta: { quiet: 'unloaded' },
  });
}
