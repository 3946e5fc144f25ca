import type { Room } from '@rmeet/contract';
import { useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { useTexts } from '../../../lib/i18n/index.ts';
import { intervalOf, type Interval } from '../../../lib/rooms/index.ts';
import { HALF_HOUR, halfHourAt, rangeBetween, shareOf, spotOf } from './board.ts';
import { Bookings, Closed } from './TrackParts.tsx';
import { floorWords, takenWords, timesWords, type BoardActions, type RoomDay } from './useBoard.ts';

/** The keyboard cursor on the day: a start instant, and a number of half hours. */
export interface Cursor {
  at: number;
  halves: number;
}

interface TrackProps {
  room: Room;
  /** Null while loading. */
  day: RoomDay | null;
  hours: Interval;
  zone: string;
  now: number;
  /** Position of the current time, for CSS; null if it is not shown. */
  nowAt: string | null;
  cursor: Cursor;
  actions: BoardActions;
  onCursor: (cursor: Cursor) => void;
}

/** Movement in pixels from which a click becomes a drag. */
const STILL = 5;

/** One room's day: its bookings, and a cursor that mouse and keyboard move to choose what to book. */
// oxlint-disable-next-line max-lines-per-function, complexity -- plain JSX of one track
export function Track({ room, day, hours, zone, now, nowAt, cursor, actions, onCursor }: TrackProps) {
  const t = useTexts('occupy');
  const [hasFocus, setHasFocus] = useState(false);
  const halves = Math.round((hours.end - hours.start) / HALF_HOUR);
  const wanted = { start: cursor.at, end: Math.min(hours.end, cursor.at + cursor.halves * HALF_HOUR) };
  const spot = day === null ? null : spotOf(room, day.taken, day.free, wanted, now);
  const free = actions.mayBook && day ? day.free : [];
  const { pointed, handlers } = usePointer(free, hours, (chosen) => actions.book(room, chosen));

  const activate = () => {
    if (spot?.kind === 'free' && actions.mayBook) actions.book(room, spot.at);
    else if (spot?.kind === 'taken' && spot.by.meetId !== null) actions.open(spot.by.meetId);
  };
  const onKey = useTrackKeys({ cursor, hours, halves, activate, onCursor });

  const shown = pointed ?? (hasFocus && spot ? spot.at : null);
  const words =
    spot === null
      ? t('spot.loading')
      : t(`spot.${spot.kind}`, {
          times: timesWords(spot.at, zone, t),
          who: spot.kind === 'taken' ? takenWords(spot.by, t) : '',
        });
  return (
    <div className="occupy-track" data-loading={day === null}>
      {day && <Closed open={day.open} hours={hours} />}
      {now > hours.start && (
        <div
          className="occupy-shade occupy-past"
          style={{ left: 0, right: `calc(100% - ${shareOf(now, hours)})` }}
          aria-hidden="true"
        />
      )}
      <div
        className="occupy-place"
        role="slider"
        tabIndex={0}
        aria-label={t('roomTimes', { room: room.name, floor: floorWords(room.floor, t), seats: room.capacity })}
        aria-orientation="horizontal"
        aria-valuemin={0}
        aria-valuemax={halves - 1}
        aria-valuenow={Math.round((cursor.at - hours.start) / HALF_HOUR)}
        aria-valuetext={words}
        data-free={pointed !== null}
        data-testid="occupy-track"
        onFocus={() => setHasFocus(true)}
        onBlur={() => setHasFocus(false)}
        onKeyDown={onKey}
        {...handlers}
      />
      {shown && (
        <div
          className="occupy-chosen"
          data-kind={pointed ? 'free' : spot?.kind}
          style={{
            left: shareOf(shown.start, hours),
            right: `calc(100% - ${shareOf(shown.end, hours)})`,
            justifyItems: edgeOf(shown, hours),
          }}
          aria-hidden="true"
        >
          <span>{timesWords(shown, zone, t)}</span>
        </div>
      )}
      {day && (
        <Bookings
          taken={day.taken.filter((one) => isWithin(intervalOf(one), hours))}
          hours={hours}
          zone={zone}
          now={now}
          onOpen={actions.open}
        />
      )}
      {nowAt !== null && <div className="occupy-now" style={{ left: nowAt }} aria-hidden="true" />}
    </div>
  );
}

/** Chooses free time by mouse: half an hour by a click, more by dragging. */
function usePointer(free: RoomDay['free'], hours: Interval, onChoose: (chosen: Interval) => void) {
  const [pointed, setPointed] = useState<Interval | null>(null);
  const press = useRef<{ at: number; x: number; dragged: boolean } | null>(null);

  const instantOf = ({ clientX, currentTarget }: PointerEvent): number => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const share = Math.min(0.9999, Math.max(0, (clientX - left) / width));
    return hours.start + share * (hours.end - hours.start);
  };
  const chosenBy = (event: PointerEvent): Interval | null => {
    const at = instantOf(event);
    if (press.current && Math.abs(event.clientX - press.current.x) > STILL) press.current.dragged = true;
    return press.current?.dragged
      ? rangeBetween(free, press.current.at, at, hours.start)
      : halfHourAt(free, at, hours.start);
  };

  return {
    /** The interval under the pointer. */
    pointed,
    handlers: {
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        press.current = { at: instantOf(event), x: event.clientX, dragged: false };
        setPointed(chosenBy(event));
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => setPointed(chosenBy(event)),
      onPointerUp: (event: PointerEvent<HTMLElement>) => {
        const chosen = press.current ? chosenBy(event) : null;
        press.current = null;
        if (chosen) onChoose(chosen);
      },
      onPointerCancel: () => {
        press.current = null;
        setPointed(null);
      },
      onPointerLeave: () => {
        if (press.current === null) setPointed(null);
      },
    },
  };
}

interface TrackKeys extends Pick<TrackProps, 'cursor' | 'hours' | 'onCursor'> {
  halves: number;
  activate: () => void;
}

/** Moves the cursor by keyboard. */
function useTrackKeys({ cursor, hours, halves, activate, onCursor }: TrackKeys) {
  const move = (at: number, length = 1) => {
    const last = hours.start + (halves - 1) * HALF_HOUR;
    const start = Math.min(last, Math.max(hours.start, at));
    onCursor({ at: start, halves: Math.max(1, Math.min(length, Math.round((hours.end - start) / HALF_HOUR))) });
  };
  return (event: KeyboardEvent<HTMLElement>) => {
    const keys: Record<string, () => void> = {
      ArrowRight: () => (event.shiftKey ? move(cursor.at, cursor.halves + 1) : move(cursor.at + HALF_HOUR)),
      ArrowLeft: () => (event.shiftKey ? move(cursor.at, cursor.halves - 1) : move(cursor.at - HALF_HOUR)),
      ArrowUp: () => focusRoom(event.currentTarget, -1),
      ArrowDown: () => focusRoom(event.currentTarget, 1),
      Home: () => move(hours.start),
      End: () => move(hours.end),
      Enter: activate,
      ' ': activate,
    };
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    act();
  };
}

function isWithin({ start, end }: Interval, hours: Interval): boolean {
  return start < hours.end && end > hours.start;
}

/** The alignment of text over an interval, so that it is not cut off at the ends of the day. */
function edgeOf({ start, end }: Interval, hours: Interval): 'start' | 'center' | 'end' {
  const near = 2 * HALF_HOUR;
  if (end > hours.end - near) return 'end';
  return start < hours.start + near ? 'start' : 'center';
}

/** Moves the focus to the same time in the next or previous room. */
function focusRoom(place: HTMLElement, by: 1 | -1): void {
  const places = [...(place.closest('.occupy-grid')?.querySelectorAll<HTMLElement>('.occupy-place') ?? [])];
  places[places.indexOf(place) + by]?.focus();
}
