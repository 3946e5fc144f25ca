import type { Meeting } from '@rmeet/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '../../../lib/api/index.ts';
import { system } from '../../../lib/browser.ts';
import type { Interval } from '../../../lib/rooms/index.ts';

/** Maximum page size of the server. */
const PAGE = 200;
/** More than fits on a screen; the page says if meetings are left out. */
const PAGES = 10;

export interface CalendarFilter {
  keyword: string;
  /** A meeting type; empty for all types. */
  type: string;
}

interface Found {
  meetings: readonly Meeting[];
  /** Whether the interval has more meetings than were loaded. */
  hasMore: boolean;
}

/**
 * All meetings that overlap an interval, page by page. It shares its key with the meeting lists, so that it is
 * invalidated with them.
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
        // A meeting booked in the meantime shifts others to the next page, where they appear a second time.
        for (const one of records) found.set(one.meetId, one);
        if (records.length < PAGE) return { meetings: [...found.values()], hasMore: false };
      }
      return { meetings: [...found.values()], hasMore: true };
    },
    placeholderData: keepPreviousData,
    meta: { quiet: 'unloaded' },
  });
}
