import type { Occupancy } from '@rmeet/contract';
import { useTexts } from '../../../lib/i18n/index.ts';
import { freeStretches, stretchOf, type Stretch } from '../../../lib/rooms/index.ts';
import { shareOf } from './board.ts';
import { takenWords, timesWords } from './useBoard.ts';

/** Where a stretch is on the time line. */
function placeOf({ start, end }: Stretch, hours: Stretch) {
  return { left: shareOf(start, hours), right: `calc(100% - ${shareOf(end, hours)})` };
}

/** When the room is not open, shaded. */
export function Closed({ open, hours }: { open: readonly Stretch[]; hours: Stretch }) {
  return freeStretches([hours], open, -Infinity).map((stretch) => (
    <div
      key={stretch.start}
      className="occupy-shade occupy-closed"
      style={placeOf(stretch, hours)}
      aria-hidden="true"
    />
  ));
}

interface BookingsProps {
  taken: readonly Occupancy[];
  hours: Stretch;
  zone: string;
  now: number;
  onOpen: (meetId: string) => void;
}

/**
 * What is taken: whose meeting it is, and a way to it for those who may see it. The keyboard gets there by the room's
 * time line.
 */
export function Bookings({ taken, hours, zone, now, onOpen }: BookingsProps) {
  const t = useTexts('occupy');
  return (
    <ul className="occupy-bookings">
      {taken.map((one) => {
        const { meetId, host, subject, startTime } = one;
        const times = timesWords(stretchOf(one), zone, t);
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
            data-past={stretchOf(one).end <= now}
            style={placeOf(stretchOf(one), hours)}
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
