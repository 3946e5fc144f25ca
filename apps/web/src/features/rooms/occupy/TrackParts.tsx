import type { Occupancy } from '@rmeet/contract';
import { useTexts } from '../../../lib/i18n/index.ts';
import { freeIntervals, intervalOf, type Interval } from '../../../lib/rooms/index.ts';
import { shareOf } from './board.ts';
import { takenWords, timesWords } from './useBoard.ts';

/** The position of an interval on the timeline. */
function placeOf({ start, end }: Interval, hours: Interval) {
  return { left: shareOf(start, hours), right: `calc(100% - ${shareOf(end, hours)})` };
}

/** Times when the room is closed, shaded. */
export function Closed({ open, hours }: { open: readonly Interval[]; hours: Interval }) {
  return freeIntervals([hours], open, -Infinity).map((interval) => (
    <div
      key={interval.start}
      className="occupy-shade occupy-closed"
      style={placeOf(interval, hours)}
      aria-hidden="true"
    />
  ));
}

interface BookingsProps {
  taken: readonly Occupancy[];
  hours: Interval;
  zone: string;
  now: number;
  onOpen: (meetId: string) => void;
}

/**
 * Bookings: whose meeting it is, and a link to it for users who may see it. The keyboard reaches them through the
 * room's timeline.
 */
export function Bookings({ taken, hours, zone, now, onOpen }: BookingsProps) {
  const t = useTexts('occupy');
  return (
    <ul className="occupy-bookings">
      {taken.map((one) => {
        const { meetId, host, subject, startTime } = one;
        const times = timesWords(intervalOf(one), zone, t);
        const what = takenWords(one, t);
        const full = t('spot.taken', { times, who: what });
        const words = (
          <>
            <b>{host}</b>
            {subject !== null && <span>{subject}</span>}
          </>
        );
        return (
          <li
            key={startTime}
            data-past={intervalOf(one).end <= now}
            style={placeOf(intervalOf(one), hours)}
            data-testid="occupy-booking"
          >
            {meetId === null ? (
              <div className="occupy-booking occupy-taken" title={full}>
                {words}
              </div>
            ) : (
              <button
                type="button"
                tabIndex={-1}
                className="occupy-booking occupy-own"
                title={full}
                aria-label={t('open', { times, what })}
                onClick={() => onOpen(meetId)}
              >
                {words}
              </button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
