import type { BusyPerson } from '@rmeet/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '../../../lib/api/index.ts';
import { clockOf } from '../../../lib/rooms/index.ts';
import { useDebouncedValue } from '../../../ui/useDebouncedValue.ts';
import type { MeetingTexts } from '../format.ts';

/** Marks busy people, in addition to the text. */
export const BUSY_SIGN = '⚠';
/** Maximum number of people per request. */
const AT_ONCE = 500;

/** When people should be free. */
export interface BusyAt {
  from: string;
  until: string;
  /** The time zone in which times are shown. */
  timeZone: string;
  /** The meeting being edited, which does not count as busy. */
  except: string | undefined;
}

type Busy = ReadonlyMap<string, BusyPerson>;
const NOBODY: Busy = new Map();

/** Busy people by id; requested once people and time are stable. */
export function useBusy(userIds: readonly string[], at: BusyAt | null): Busy {
  const ids = [...new Set(userIds)].toSorted().slice(0, AT_ONCE);
  const asked = useDebouncedValue(
    JSON.stringify(
      at === null || ids.length === 0
        ? null
        : { userIds: ids, from: at.from, until: at.until, ...(at.except === undefined ? {} : { except: at.except }) },
    ),
  );
  const body = JSON.parse(asked) as Parameters<typeof api.booking.busy>[0]['body'] | null;
  const found = useQuery({
    queryKey: ['busy', asked],
    queryFn: async (): Promise<Busy> =>
      new Map((body === null ? [] : await api.booking.busy({ body })).map((one) => [one.userId, one])),
    enabled: body !== null,
    staleTime: 30_000,
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
  return body === null ? NOBODY : (found.data ?? NOBODY);
}

/** A person's meetings with their times: `09:30–10:30 Ward round`. */
export function busyWords(meetings: BusyPerson['meetings'], timeZone: string, t: MeetingTexts): string {
  return meetings
    .map(({ startTime, endTime, subject }) => {
      const time = { from: clockOf(Date.parse(startTime), timeZone), until: clockOf(Date.parse(endTime), timeZone) };
      return subject === null ? t('busy.at', time) : t('busy.in', { ...time, subject });
    })
    .join(', ');
}
