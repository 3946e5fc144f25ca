import type { Room } from '@rmeet/contract';
import { useId, type CSSProperties } from 'react';
import { useTexts } from '../../../lib/i18n/index.ts';
import type { Interval, Taken } from '../../../lib/rooms/index.ts';
import { EquipmentList } from './equipment.tsx';
import { HALF_HOUR, earliestStart, halfHourAt, hourMarks, shareOf, type Floors } from './board.ts';
import { Track, type Cursor } from './Track.tsx';
import { floorWords, roomDay, useBoardActions } from './useBoard.ts';

interface RoomGridProps {
  floors: Floors['floors'];
  /** Null while loading. */
  taken: Taken | null;
  /** The part of the day shown. */
  hours: Interval;
  zone: string;
  now: number;
  cursor: Cursor | null;
  onCursor: (cursor: Cursor) => void;
}

/** One row per room with a timeline of the day. */
export function RoomGrid({ floors, taken, hours, zone, now, cursor, onCursor }: RoomGridProps) {
  const t = useTexts('occupy');
  const id = useId();
  const actions = useBoardActions();
  const place =
    cursor && cursor.at >= hours.start && cursor.at < hours.end ? cursor : { at: firstPlace(hours, now), halves: 1 };
  const nowAt = now > hours.start && now < hours.end ? shareOf(now, hours) : null;
  return (
    <>
      <div
        className="occupy-grid"
        style={{ '--occupy-hours': (hours.end - hours.start) / (2 * HALF_HOUR) } as CSSProperties}
        data-testid="occupy-grid"
      >
        <div className="occupy-row occupy-head" aria-hidden="true">
          <span />
          <div className="occupy-hours">
            {hourMarks(hours, zone).map(({ at, clock }) => (
              <span key={at} style={{ left: shareOf(at, hours) }}>
                {clock}
              </span>
            ))}
          </div>
        </div>
        {floors.map(({ floor, rooms }) => (
          <section key={floor} aria-labelledby={`${id}-${floor}`}>
            <h2 className="occupy-floor" id={`${id}-${floor}`}>
              {floorWords(floor, t)}
            </h2>
            <ul className="occupy-rooms">
              {rooms.map((room) => (
                <li key={room.id} className="occupy-row" data-testid="occupy-room">
                  <RoomFacts room={room} />
                  <Track
                    day={taken === null ? null : roomDay(room, taken.get(room.id) ?? [], hours, now)}
                    room={room}
                    hours={hours}
                    zone={zone}
                    now={now}
                    nowAt={nowAt}
                    cursor={place}
                    actions={actions}
                    onCursor={onCursor}
                  />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      {actions.mayBook && <p className="occupy-how">{t('howTo')}</p>}
    </>
  );
}

function RoomFacts({ room }: { room: Room }) {
  const t = useTexts('occupy');
  return (
    <div className="occupy-room">
      <strong title={room.name}>{room.name}</strong>
      <span className="occupy-facts">
        <span>{t('seats', { seats: room.capacity })}</span>
        <EquipmentList equipment={room.equipment} />
      </span>
      {room.note !== '' && <small title={room.note}>{room.note}</small>}
    </div>
  );
}

/** The initial half hour of the keyboard cursor: the current one, or the day's first. */
function firstPlace(hours: Interval, now: number): number {
  return halfHourAt([hours], earliestStart(now), hours.start)
    ? hours.start + Math.floor((earliestStart(now) - hours.start) / HALF_HOUR) * HALF_HOUR
    : hours.start;
}

/** Placeholder with the size of the board while it loads. */
export function BoardSkeleton() {
  return (
    <div className="occupy-grid occupy-skeleton" aria-busy="true" data-testid="occupy-skeleton">
      <div className="occupy-row occupy-head" />
      <div className="occupy-floor" />
      {Array.from({ length: 6 }, (_, index) => (
        <div key={index} className="occupy-row">
          <div className="occupy-room">
            <span />
            <span />
          </div>
          <div className="occupy-track" />
        </div>
      ))}
    </div>
  );
}
