import { dayOf, instantOf, ownZone } from '../../../lib/rooms/index.ts';
import { Button } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { rangeOf } from './days.ts';
import { Entry } from './Entry.tsx';
import { inOrder, partIn, type Shown } from './layout.ts';
import { shownOf, startOn, type CalendarBoard } from './useBoard.ts';

const WEEK = 7;
const NINE = 9 * 60;

/** A month on a phone: the days that have meetings, and below them the meetings of the chosen day. */
export function MonthAgenda({ board }: { board: CalendarBoard }) {
  const { days, day: chosen, now, words, go } = board;
  const zone = ownZone();
  const shown = [...shownOf(board, null)].sort(inOrder);
  const on = (day: string) => shown.filter((one) => partIn(one, rangeOf([day], zone)) !== null);
  return (
    <>
      <div className="calendar-small" role="group" aria-label={words.t('grid')} data-testid="calendar-small">
        {days.slice(0, WEEK).map((day) => (
          <span key={day} aria-hidden="true">
            {words.weekday(day)}
          </span>
        ))}
        {days.map((day) => {
          const count = on(day).length;
          return (
            <button
              key={day}
              type="button"
              aria-pressed={day === chosen}
              aria-label={words.t('day', { day: words.longDay(day), count })}
              data-other={day.slice(0, 7) !== chosen.slice(0, 7)}
              data-today={day === dayOf(now, zone)}
              data-day={day}
              onClick={() => go('month', day)}
            >
              {words.dayNumber(day)}
              <small aria-hidden="true">{count > 0 ? '•'.repeat(Math.min(3, count)) : ''}</small>
            </button>
          );
        })}
      </div>
      <Agenda board={board} here={on(chosen)} />
    </>
  );
}

/** The meetings of the chosen day. */
function Agenda({ board, here }: { board: CalendarBoard; here: readonly Shown[] }) {
  const { day: chosen, now, words } = board;
  const zone = ownZone();
  const bookAt = board.mayBook ? startOn(chosen, instantOf(chosen, NINE, zone), now) : null;
  return (
    <section className="calendar-agenda" aria-label={words.longDay(chosen)} data-testid="calendar-agenda">
      <h3>{words.longDay(chosen)}</h3>
      {here.length === 0 ? (
        <p className="calendar-none">{words.t('noneOn')}</p>
      ) : (
        <ul>
          {here.map((one) => (
            <li key={one.meeting.meetId}>
              <Entry
                shown={one}
                words={words}
                stop={one.meeting.meetId}
                isCurrent
                isMoving={false}
                canMove={false}
                {...(partIn(one, rangeOf([chosen], zone)) ?? { begins: true, ends: true })}
                onOpen={board.onOpen}
                onFocus={() => undefined}
              />
            </li>
          ))}
        </ul>
      )}
      {bookAt !== null && (
        <Button data-testid="calendar-book" onClick={() => board.onBook(bookAt)}>
          <Icon name="plus" />
          {words.t('bookOn')}
        </Button>
      )}
    </section>
  );
}
