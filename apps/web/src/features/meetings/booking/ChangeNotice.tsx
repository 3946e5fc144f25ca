import type { Meeting } from '@rmeet/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '../../../lib/api/index.ts';
import { useDebouncedValue } from '../../../ui/useDebouncedValue.ts';
import type { Draft } from './draft.ts';

/** How long the times must be unchanged before the check is sent; ms. */
const SETTLE = 400;

/** Shows why a booked meeting cannot be moved to the chosen time; nothing if it can. */
export function ChangeNotice({
  meeting,
  draft: { startTime, duration },
}: {
  meeting: Meeting;
  draft: Pick<Draft, 'startTime' | 'duration'>;
}) {
  const isMoved =
    startTime !== null &&
    duration !== null &&
    duration > 0 &&
    (Date.parse(startTime) !== Date.parse(meeting.startTime) || duration !== meeting.duration);
  const asked = useDebouncedValue(isMoved ? `${startTime} ${duration}` : '', SETTLE);
  const { data } = useQuery({
    queryKey: ['booking', 'allowUpdate', meeting.meetId, meeting.version, asked],
    queryFn: () => {
      const [start = '', minutes] = asked.split(' ');
      return api.booking.allowUpdate({
        params: { id: meeting.meetId },
        query: { startTime: start, duration: Number(minutes) },
      });
    },
    enabled: asked !== '',
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
  return (
    <div role="status" className="booking-limit-place">
      {asked !== '' && data?.allowed === false && (
        <div className="booking-limit" data-testid="change-notice">
          <p>{data.message}</p>
        </div>
      )}
    </div>
  );
}
