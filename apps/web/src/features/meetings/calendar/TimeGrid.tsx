import { useEffect, useEffectEvent, useMemo, useRef, type CSSProperties } from 'react';
import { clockOf, dayOf, ownZone, shiftDay } from '../../../lib/rooms/index.ts';
import { HALF_HOUR, instantIn, placeIn, rangeOf, startOfDay, timeRows, type TimeRow } from './days.ts';
import { Entry } from './Entry.tsx';
import { segmentsOf, type Segment } from './layout.ts';
import { SLOT, stopKey, stopsOfDay, type Stop } from './stops.ts';
import { bookable, isMoving, shownOf, type CalendarBoard } from './useBoard.ts';
import { useDrag, type Drag } from './useDrag.ts';
import { useGrid } from './useGrid.ts';

/** The first visible row: most working days begin there. */
const MORNING = 16;
/** Number of rows shown before the current time in the evening. */
const EVENING = 8;
/** Height of the row with the day names; pixels. */
const HEAD = 42;
/** Minimum width of a meeting, so that its name is readable; parallel meetings make the day wider. In pixels. */
const NARROWEST = 84;

/** Several days side by side, with a scale of hours. */
// oxlint-disable-next-line max-lines-per-function -- the grid: its parts belong together
export function TimeGrid({ board }: { board: CalendarBoard }) {
  const { days, now, words, mayBook, onBook, canMove } = board;
  const zone = ownZone();
  const rows = useMemo(() => timeRows(days, zone), [days, zone]);
  const today = days.indexOf(dayOf(now, zone));
  const scroller = useRef<HTMLDivElement>(null);
  const meetingOf = (meetId: string) => board.meetings.find((one) => one.meetId === meetId);
  const book = (start: number, end: number, isClick: boolean) => {
    const free = bookable({ start, end }, now);
    if (free) onBook(free.start, isClick ? undefined : free.end);
  };

  const grid = useRef<HTMLDivElement>(null);
  const { drag, handlers, takeClick } = useDrag({
    grid,
    rows,
    meetingOf,
    canMove,
    canBook: mayBook,
    onMove: (meeting, to) => board.moves.move(meeting, to),
    onBook: ({ start, end }) => book(start, end, false),
  });
  const shown = shownOf(board, drag);
  const segments = days.map((day, index) => segmentsOf(shown, rows, index, rangeOf([day], zone)));
  const columns = days.map((day, index) =>
    stopsOfDay(day, segments[index] ?? [], rows, index, mayBook).filter(
      (stop) => stop.id !== SLOT || !isPast(rows, index, stop.at, now),
    ),
  );
  const start = today === -1 ? MORNING : Math.floor(placeIn(rows, today, now)) + 1;
  const keys = useGrid({
    grid,
    columns,
    first: { day: days[Math.max(0, today)] ?? '', at: start, id: SLOT },
    across: days.length,
    board,
    meetingOf,
  });

  const range = days.join();
  const showFirst = useEffectEvent((shownDays: readonly string[]) => {
    const first = !shownDays.includes(dayOf(now, zone)) ? MORNING : Math.min(Math.max(MORNING, start - EVENING), start);
    const row = scroller.current?.querySelector<HTMLElement>(`[data-row="${Math.max(0, first - 1)}"]`);
    if (row && scroller.current) scroller.current.scrollTop = row.offsetTop - HEAD;
  });
  // Once for each range: a clock update must not scroll.
  useEffect(() => showFirst(range.split(',')), [range]);

  const widest = days.map((_, index) => Math.max(1, ...(segments[index] ?? []).map(({ lanes }) => lanes)) * NARROWEST);
  return (
    <div className="calendar-scroll" ref={scroller}>
      <div
        className="calendar-time"
        style={
          {
            gridTemplateColumns: `54px ${widest.map((width) => `minmax(${width}px, 1fr)`).join(' ')}`,
            '--rows': rows.length,
          } as CSSProperties
        }
        ref={grid}
        role="group"
        aria-label={words.t('grid')}
        aria-describedby="calendar-how"
        data-dragging={drag !== null}
        data-testid="calendar-grid"
        onKeyDown={keys.onKeyDown}
        onBlur={keys.onBlur}
        onClickCapture={(event) => {
          if (takeClick(event)) event.stopPropagation();
        }}
        {...handlers}
      >
        <span className="calendar-corner" />
        {days.map((day, index) => (
          <DayName key={day} day={day} isToday={index === today} board={board} />
        ))}
        <div className="calendar-hours" aria-hidden="true">
          {rows.map(({ key, clock }, index) => (
            <span key={key} data-row={index}>
              {clock.endsWith(':00') ? clock : ''}
            </span>
          ))}
        </div>
        {days.map((day, index) => (
          <DayColumn
            key={day}
            day={day}
            index={index}
            isToday={index === today}
            segments={segments[index] ?? []}
            drag={drag}
            rows={rows}
            board={board}
            keys={keys}
            onBook={book}
          />
        ))}
      </div>
    </div>
  );
}

interface DayColumnProps {
  day: string;
  index: number;
  isToday: boolean;
  segments: readonly Segment[];
  drag: Drag | null;
  rows: readonly TimeRow[];
  board: CalendarBoard;
  keys: ReturnType<typeof useGrid>;
  onBook: (start: number, end: number, isClick: boolean) => void;
}

/** One day of the grid with its meetings. */
// oxlint-disable-next-line max-lines-per-function -- plain JSX of one day
function DayColumn({ day, index, isToday, segments, drag, rows, board, keys, onBook }: DayColumnProps) {
  const { now, words, mayBook, onOpen, canMove } = board;
  const { current, isCurrent, setCurrent } = keys;
  return (
    <section
      className="calendar-day"
      data-column={index}
      data-today={isToday}
      aria-label={words.t('day', { day: words.longDay(day), count: segments.length })}
      data-testid="calendar-day"
      data-day={day}
      onClick={(event) => {
        if (!mayBook || (event.target as HTMLElement).closest('button')) return;
        const box = event.currentTarget.getBoundingClientRect();
        const at = instantIn(rows, index, Math.floor(((event.clientY - box.top) / box.height) * rows.length));
        onBook(at, at + HALF_HOUR, true);
      }}
    >
      <LeftOut rows={rows} index={index} />
      <Past board={board} rows={rows} index={index} isToday={isToday} />
      {current?.day === day && current.id === SLOT && (
        <Slot
          stop={current}
          rows={rows}
          index={index}
          board={board}
          onBook={(at) => onBook(at, at + HALF_HOUR, true)}
        />
      )}
      {drag && drag.meeting === null && <Drawn drag={drag} rows={rows} index={index} day={day} board={board} />}
      <ul>
        {segments.map((segment) => {
          const stop = { day, at: segment.from, id: segment.shown.meeting.meetId };
          return (
            <li key={segment.shown.meeting.meetId} style={boxOf(segment)}>
              <Entry
                shown={segment.shown}
                words={words}
                stop={stopKey(stop)}
                isCurrent={isCurrent(stop)}
                isShort={segment.until - segment.from < 1.5}
                isMoving={isMoving(board, drag, segment.shown.meeting)}
                canMove={canMove(segment.shown.meeting)}
                begins={segment.begins}
                ends={segment.ends}
                canResize={canMove(segment.shown.meeting) && segment.ends}
                onOpen={onOpen}
                onFocus={() => setCurrent(stop)}
              />
            </li>
          );
        })}
      </ul>
      {isToday && (
        <div
          className="calendar-now"
          style={{ top: rowsHigh(placeIn(rows, index, now)) }}
          aria-hidden="true"
          data-testid="calendar-now"
        />
      )}
    </section>
  );
}

function isPast(rows: readonly TimeRow[], day: number, row: number, now: number): boolean {
  return instantIn(rows, day, row) + HALF_HOUR <= now;
}

function rowsHigh(count: number): string {
  return `calc(var(--row) * ${count})`;
}

function boxOf({ from, until, lane, span, lanes }: Segment): CSSProperties {
  const share = 100 / lanes;
  return { top: rowsHigh(from), height: rowsHigh(until - from), left: `${lane * share}%`, width: `${span * share}%` };
}

/** The heading of a day; if several days are shown, it links to the day view. */
function DayName({
  day,
  isToday,
  board: { days, words, go },
}: {
  day: string;
  isToday: boolean;
  board: CalendarBoard;
}) {
  const name = (
    <>
      <span>{words.weekday(day)}</span>
      <b>{words.dayNumber(day)}</b>
    </>
  );
  if (days.length === 1) {
    return (
      <div className="calendar-dayname" data-today={isToday}>
        {name}
      </div>
    );
  }
  return (
    <button
      type="button"
      className="calendar-dayname"
      data-today={isToday}
      title={words.t('showDay', { day: words.longDay(day) })}
      data-testid="calendar-dayname"
      onClick={() => go('day', day)}
    >
      {name}
      <span className="visually-hidden">{words.t('showDay', { day: words.longDay(day) })}</span>
    </button>
  );
}

/** Half hours that a day does not have, as when clocks go forward. */
function LeftOut({ rows, index }: { rows: readonly TimeRow[]; index: number }) {
  return rows.map(({ key, starts }, row) =>
    starts[index] === null ? (
      <div key={key} className="calendar-left-out" style={{ top: rowsHigh(row) }} aria-hidden="true" />
    ) : null,
  );
}

/** Past time, shaded. */
function Past({
  board: { now, days },
  rows,
  index,
  isToday,
}: {
  board: CalendarBoard;
  rows: readonly TimeRow[];
  index: number;
  isToday: boolean;
}) {
  const end = startOfDay(shiftDay(days[index] ?? '', 1), ownZone());
  const height = isToday ? placeIn(rows, index, now) : end <= now ? rows.length : 0;
  return height > 0 ? <div className="calendar-past" style={{ height: rowsHigh(height) }} aria-hidden="true" /> : null;
}

interface SlotProps {
  stop: Stop;
  rows: readonly TimeRow[];
  index: number;
  board: CalendarBoard;
  onBook: (at: number) => void;
}

/** The keyboard cursor on free time. */
function Slot({ stop, rows, index, board: { words }, onBook }: SlotProps) {
  const at = instantIn(rows, index, stop.at);
  return (
    <button
      type="button"
      className="calendar-slot"
      style={{ top: rowsHigh(stop.at) }}
      data-stop={stopKey(stop)}
      aria-label={words.t('bookAt', { when: words.when({ start: at, end: at + HALF_HOUR }) })}
      data-testid="calendar-slot"
      onClick={() => onBook(at)}
    />
  );
}

/** The interval being drawn for a booking. */
function Drawn({
  drag,
  rows,
  index,
  day,
  board: { words },
}: {
  drag: Drag;
  rows: readonly TimeRow[];
  index: number;
  day: string;
  board: CalendarBoard;
}) {
  const { start, end } = rangeOf([day], ownZone());
  if (drag.times.start >= end || drag.times.end <= start) return null;
  const from = placeIn(rows, index, Math.max(start, drag.times.start));
  const until = placeIn(rows, index, Math.min(end, drag.times.end), true);
  return (
    <div className="calendar-drawn" style={{ top: rowsHigh(from), height: rowsHigh(until - from) }} aria-hidden="true">
      {clockOf(drag.times.start, ownZone())}–{clockOf(drag.times.end, ownZone())} {words.t('newMeeting')}
    </div>
  );
}
