import { useTexts } from '../../../lib/i18n/index.ts';
import { dayOf, ownZone, shiftDay } from '../../../lib/rooms/index.ts';
import { useNow } from '../../../lib/useNow.ts';
import { Button } from '../../../ui/Button.tsx';
import { Permitted } from '../../../ui/Permitted.tsx';
import { EmptyState, ErrorState } from '../../../ui/states.tsx';
import { useCalendarWords } from '../calendar/words.ts';
import { NEW, type DrawerState } from '../drawers/useDrawerState.ts';
import type { MeetingActions } from '../useMeetingActions.ts';
import { agendaOf, nextOf, type AgendaDay } from './days.ts';
import { DayRow } from './DayRow.tsx';
import { NextCard } from './NextCard.tsx';
import { useAgenda } from './queries.ts';
import './agenda.css';

interface AgendaProps {
  actions: MeetingActions;
  drawers: DrawerState;
  hasNoResources: boolean;
  mayBook: boolean;
  /** Shows all coming meetings in the table. */
  onAll: () => void;
}

/** The user's next meeting, and below it the meetings from today on by day. */
export function Agenda({ actions, drawers, hasNoResources, mayBook, onAll }: AgendaProps) {
  const t = useTexts('meetings');
  const now = useNow();
  const found = useAgenda();
  if (found.isError && !found.data) return <ErrorState retry={() => void found.refetch()} />;
  if (!found.data) return <AgendaSkeleton />;
  const { records, total } = found.data;
  const days = agendaOf(records, now, ownZone());
  const next = nextOf(records, now);
  const row = { now, actions, onOpen: drawers.open, onEdit: drawers.edit };
  const isEmpty = days.every(({ rows }) => rows.length === 0);
  return (
    <div className="agenda" data-testid="agenda">
      {next && <NextCard meeting={next} now={now} actions={actions} onOpen={drawers.open} />}
      {isEmpty && (
        <EmptyState title={t('agenda.empty')} hint={t(hasNoResources ? 'noResources' : 'agenda.emptyHint')}>
          <div className="agenda-ways">
            {mayBook && (
              <Button kind="primary" data-testid="empty-book" onClick={() => drawers.edit(NEW)}>
                {t('new')}
              </Button>
            )}
            <Permitted code="sys:network">
              <Button busy={actions.isStarting} data-testid="empty-now" onClick={actions.meetNow}>
                {t('startNow')}
              </Button>
            </Permitted>
          </div>
        </EmptyState>
      )}
      {days.map((day) => (
        <Day key={day.day} day={day} isEmpty={isEmpty} row={row} />
      ))}
      {total > records.length && (
        <Button kind="quiet" className="agenda-all" data-testid="agenda-all" onClick={onAll}>
          {t('agenda.all')}
        </Button>
      )}
    </div>
  );
}

interface DayProps {
  day: AgendaDay;
  isEmpty: boolean;
  row: Omit<Parameters<typeof DayRow>[0], 'row'>;
}

function Day({ day: { day, rows, over }, isEmpty, row }: DayProps) {
  const t = useTexts('meetings');
  const words = useCalendarWords();
  const today = dayOf(row.now, ownZone());
  const near = day === today ? 'agenda.today' : day === shiftDay(today, 1) ? 'agenda.tomorrow' : null;
  if (isEmpty && over.length === 0) return null;
  return (
    <section className="agenda-day" aria-label={words.longDay(day)} data-testid="agenda-day">
      <h2>
        {near !== null && <strong>{t(near)}</strong>}
        <span>{words.longDay(day)}</span>
      </h2>
      {over.length > 0 && (
        <details className="agenda-over" data-testid="agenda-over">
          <summary>{t('agenda.over', { count: over.length })}</summary>
          <ul className="agenda-rows">
            {over.map((meeting) => (
              <DayRow key={meeting.meetId} row={{ meeting, terms: [] }} {...row} />
            ))}
          </ul>
        </details>
      )}
      {rows.length > 0 ? (
        <ul className="agenda-rows">
          {rows.map((one) => (
            <DayRow key={one.meeting.meetId} row={one} {...row} />
          ))}
        </ul>
      ) : (
        !isEmpty && <p className="agenda-none">{t('agenda.noneToday')}</p>
      )}
    </section>
  );
}

/** As high as the card and some rows, so that nothing jumps when they arrive. */
function AgendaSkeleton() {
  const common = useTexts('common');
  return (
    <div className="agenda" role="status">
      <span className="visually-hidden">{common('loading')}</span>
      <div className="next-meeting agenda-skeleton" aria-hidden="true" />
      <div className="agenda-rows agenda-skeleton" aria-hidden="true" />
    </div>
  );
}
