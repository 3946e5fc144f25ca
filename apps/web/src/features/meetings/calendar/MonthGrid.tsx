import { useRef } from 'react';
import { dayOf, instantOf, ownZone } from '../../../lib/rooms/index.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { daysBetween, rangeOf, shiftInstant } from './days.ts';
import { Entry } from './Entry.tsx';
import { inOrder, partIn, timesOf, type Shown } from './layout.ts';
import { MORE, SLOT, stopKey, type Stop } from './stops.ts';
import { isMoving, shownOf, startOn, type CalendarBoard } from './useBoard.ts';
import { useDayDrag } from './useDayDrag.ts';
import { useGrid } from './useGrid.ts';

const WEEK = 7;
const NINE = 9 * 60;
/** Lines that fit in a day; if there are more meetings, the last line gives their number. */
const LINES = 4;

interface DayOfMonth {
  day: string;
  shown: readonly Shown[];
  /** The meetings that fit. */
  seen: readonly Shown[];
  bookAt: number | null;
}

/** Whole weeks around a month. */
// oxlint-disable-next-line max-lines-per-function -- plain JSX of the grid, with its handlers
export function MonthGrid({ board }: { board: CalendarBoard }) {
  const { days, day: at, now, words, mayBook } = board;
  const zone = ownZone();
  const grid = useRef<HTMLDivElement>(null);
  const meetingOf = (meetId: string) => board.meetings.find((one) => one.meetId === meetId);
  const shown = [...shownOf(board, null)].sort(inOrder);
  const cells = days.map((day): DayOfMonth => {
    const here = shown.filter((one) => partIn(one, rangeOf([day], zone)) !== null);
    const seen = here.length > LINES ? here.slice(0, LINES - 1) : here;
    return { day, shown: here, seen, bookAt: mayBook ? startOn(day, instantOf(day, NINE, zone), now) : null };
  });
  const columns = cells.map((cell) => stopsOf(cell));
  const keys = useGrid({
    grid,
    columns,
    first: {
      day: days.includes(dayOf(now, zone)) && at.slice(0, 7) === dayOf(now, zone).slice(0, 7) ? dayOf(now, zone) : at,
      at: 0,
      id: SLOT,
    },
    across: WEEK,
    board,
    meetingOf,
  });

  const { over, takeClick, handlers } = useDayDrag({
    meetingOf,
    canMove: board.canMove,
    // A meeting moved to another day keeps its time of day.
    onDrop: (meeting, from, to) => {
      const { start, end } = timesOf(meeting);
      const begins = shiftInstant(start, daysBetween(from, to), zone);
      board.moves.move(meeting, { start: begins, end: begins + end - start });
    },
  });

  return (
    <div
      className="calendar-month"
      ref={grid}
      role="group"
      aria-label={words.t('grid')}
      aria-describedby="calendar-how"
      data-testid="calendar-grid"
      data-dragging={over !== null}
      onKeyDown={keys.onKeyDown}
      onBlur={keys.onBlur}
      onClickCapture={(event) => {
        if (takeClick(event)) event.stopPropagation();
      }}
      {...handlers}
    >
      {days.slice(0, WEEK).map((day) => (
        <span key={day} className="calendar-weekday" aria-hidden="true">
          {words.weekday(day)}
        </span>
      ))}
      {cells.map((cell) => (
        <Cell key={cell.day} cell={cell} board={board} keys={keys} isOver={over?.day === cell.day} />
      ))}
    </div>
  );
}

function stopsOf({ day, shown, seen, bookAt }: DayOfMonth): readonly Stop[] {
  return [
    ...(bookAt === null ? [] : [{ day, at: 0, id: SLOT }]),
    ...seen.map(({ meeting }, index) => ({ day, at: index + 1, id: meeting.meetId })),
    ...(seen.length < shown.length ? [{ day, at: LINES, id: MORE }] : []),
  ];
}

interface CellProps {
  cell: DayOfMonth;
  board: CalendarBoard;
  keys: ReturnType<typeof useGrid>;
}

/** A day of the month with its meetings. */
function Cell({ cell, board, keys, isOver }: CellProps & { isOver: boolean }) {
  return (
    <section
      className="calendar-cell"
      aria-label={board.words.t('day', { day: board.words.longDay(cell.day), count: cell.shown.length })}
      data-other={cell.day.slice(0, 7) !== board.day.slice(0, 7)}
      data-today={cell.day === dayOf(board.now, ownZone())}
      data-over={isOver}
      data-bookable={cell.bookAt !== null}
      data-day={cell.day}
      data-testid="calendar-day"
      onClick={(event) => {
        if (cell.bookAt !== null && !(event.target as HTMLElement).closest('button')) board.onBook(cell.bookAt);
      }}
    >
      <CellHead cell={cell} board={board} keys={keys} />
      <ul>
        {cell.seen.map((one) => (
          <li key={one.meeting.meetId}>
            <MonthEntry shown={one} cell={cell} board={board} keys={keys} />
          </li>
        ))}
      </ul>
      {cell.seen.length < cell.shown.length && <More cell={cell} board={board} keys={keys} />}
    </section>
  );
}

/** The day's number, which links to the day view, and the button to book on this day. */
function CellHead({ cell: { day, bookAt }, board: { words, go, onBook }, keys }: CellProps) {
  const stop = { day, at: 0, id: SLOT };
  return (
    <div className="calendar-cell-head">
      <button
        type="button"
        className="calendar-date"
        tabIndex={-1}
        aria-label={words.t('showDay', { day: words.longDay(day) })}
        onClick={() => go('day', day)}
      >
        {words.dayNumber(day)}
      </button>
      {bookAt !== null && (
        <IconButton
          icon="plus"
          label={words.t('bookAt', { when: words.longDay(day) })}
          tabIndex={keys.isCurrent(stop) ? 0 : -1}
          data-stop={stopKey(stop)}
          data-testid="calendar-slot"
          onFocus={() => keys.setCurrent(stop)}
          onClick={() => onBook(bookAt)}
        />
      )}
    </div>
  );
}

function MonthEntry({ shown, cell: { day, seen }, board, keys }: CellProps & { shown: Shown }) {
  const stop = { day, at: seen.indexOf(shown) + 1, id: shown.meeting.meetId };
  const part = partIn(shown, rangeOf([day], ownZone())) ?? { begins: true, ends: true };
  return (
    <Entry
      shown={shown}
      words={board.words}
      stop={stopKey(stop)}
      isCurrent={keys.isCurrent(stop)}
      isShort
      isMoving={isMoving(board, null, shown.meeting)}
      canMove={board.canMove(shown.meeting)}
      {...part}
      onOpen={board.onOpen}
      onFocus={() => keys.setCurrent(stop)}
    />
  );
}

function More({ cell: { day, shown, seen }, board: { words, go }, keys }: CellProps) {
  const stop = { day, at: LINES, id: MORE };
  const count = shown.length - seen.length;
  return (
    <button
      type="button"
      className="calendar-more"
      tabIndex={keys.isCurrent(stop) ? 0 : -1}
      data-stop={stopKey(stop)}
      data-testid="calendar-more"
      onFocus={() => keys.setCurrent(stop)}
      onClick={() => go('day', day)}
    >
      {words.t('more', { count })}
      <span className="visually-hidden">{words.t('showDay', { day: words.longDay(day) })}</span>
    </button>
  );
}
