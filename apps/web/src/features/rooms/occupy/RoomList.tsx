import type { Room } from '@rmeet/contract';
import { useId } from 'react';
import { useTexts } from '../../../lib/i18n/index.ts';
import { intervalOf, type Interval, type Taken } from '../../../lib/rooms/index.ts';
import { timesOf, type Floors } from './board.ts';
import { EquipmentList } from './equipment.tsx';
import { floorWords, roomDay, takenWords, timesWords, useBoardActions, type BoardActions } from './useBoard.ts';

/** Default duration of a booking in free time, in milliseconds; the form can change it. */
const USUAL_LENGTH = 60 * 60_000;

interface RoomListProps {
  floors: Floors['floors'];
  /** Null while loading. */
  taken: Taken | null;
  day: Interval;
  zone: string;
  now: number;
}

/** Rooms with their free times, for screens too narrow for timelines. */
export function RoomList({ floors, taken, day, zone, now }: RoomListProps) {
  const t = useTexts('occupy');
  const actions = useBoardActions();
  return floors.map(({ floor, rooms }) => (
    <section key={floor}>
      <h2 className="occupy-floor">{floorWords(floor, t)}</h2>
      <ul className="occupy-cards">
        {rooms.map((room) => (
          <li key={room.id} data-testid="occupy-room">
            <h3>{room.name}</h3>
            <span className="occupy-facts">
              <span>{t('seats', { seats: room.capacity })}</span>
              <EquipmentList equipment={room.equipment} spelled />
            </span>
            {room.note !== '' && <small>{room.note}</small>}
            <RoomTimes room={room} taken={taken} day={day} zone={zone} now={now} actions={actions} />
          </li>
        ))}
      </ul>
    </section>
  ));
}

type RoomTimesProps = Omit<RoomListProps, 'floors'> & { room: Room; actions: BoardActions };

function RoomTimes({ room, taken, day, zone, now, actions }: RoomTimesProps) {
  const t = useTexts('occupy');
  const id = useId();
  if (taken === null) return <p className="occupy-times-loading" aria-busy="true" />;
  const { open, free, taken: bookings } = roomDay(room, taken.get(room.id) ?? [], day, now);
  const left = bookings.filter((one) => intervalOf(one).end > now);
  return (
    <>
      {free.length === 0 ? (
        <p className="occupy-none">{t(day.end <= now ? 'pastDay' : open.length === 0 ? 'closedDay' : 'noneFree')}</p>
      ) : (
        <ul className="occupy-free" id={id}>
          {free.map((interval) => {
            const words = t('freeTimes', timesOf(interval, zone));
            const first = { start: interval.start, end: Math.min(interval.end, interval.start + USUAL_LENGTH) };
            return (
              <li key={interval.start}>
                {actions.mayBook ? (
                  <button
                    type="button"
                    aria-label={t('bookTimes', { room: room.name, times: words })}
                    data-testid="occupy-free"
                    onClick={() => actions.book(room, first)}
                  >
                    {words}
                  </button>
                ) : (
                  words
                )}
              </li>
            );
          })}
        </ul>
      )}
      {left.length > 0 && (
        <ul className="occupy-left">
          {left.map((one) => {
            const { meetId, startTime } = one;
            const words = t('spot.taken', { times: timesWords(intervalOf(one), zone, t), who: takenWords(one, t) });
            return (
              <li key={startTime} data-testid="occupy-booking">
                {meetId === null ? (
                  words
                ) : (
                  <button type="button" onClick={() => actions.open(meetId)}>
                    {words}
                  </button>
                )}
              </li>
            );
          })}
        </ul>
      )}
    </>
  );
}
