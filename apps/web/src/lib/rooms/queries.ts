import { useQuery } from '@tanstack/react-query';
import { api } from '../api/index.ts';
import { useLiveQueries } from '../useLiveQueries.ts';
import type { Interval, Taken } from './intervals.ts';

const OCCUPANCY = 'occupancy';
/** Maximum number of rooms per request. */
const ROOMS_AT_ONCE = 200;

/** Buildings, their floors and the bookable rooms on them. */
export function useFloors() {
  return useQuery({
    queryKey: ['floors'],
    queryFn: () => api.rooms.floors(),
    staleTime: 60_000,
    meta: { quiet: true },
  });
}

/**
 * Occupancies of rooms within an interval, by room id; null sends no request. `except` leaves out one meeting's
 * bookings.
 */
export function useOccupancy(roomIds: readonly string[], wanted: Interval | null, except?: string) {
  return useQuery({
    queryKey: [OCCUPANCY, roomIds, wanted, except],
    queryFn: async (): Promise<Taken> => {
      const { start, end } = wanted ?? { start: 0, end: 0 };
      const times = {
        from: new Date(start).toISOString(),
        until: new Date(end).toISOString(),
        ...(except === undefined ? {} : { except }),
      };
      const batches = Array.from({ length: Math.ceil(roomIds.length / ROOMS_AT_ONCE) }, (_, at) =>
        roomIds.slice(at * ROOMS_AT_ONCE, (at + 1) * ROOMS_AT_ONCE),
      );
      const answers = await Promise.all(
        batches.map((batch) => api.rooms.occupancy({ body: { roomIds: batch, ...times } })),
      );
      return new Map(answers.flat().map(({ roomId, taken }) => [roomId, taken]));
    },
    enabled: wanted !== null && roomIds.length > 0,
    meta: { quiet: true },
  });
}

/** Fetches the occupancy of rooms again when the server reports changed meetings. */
export function useLiveOccupancy(): void {
  useLiveQueries(OCCUPANCY);
}
