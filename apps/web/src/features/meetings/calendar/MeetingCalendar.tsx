import { MEETING_TYPES } from '@rmeet/contract';
import { DatePicker } from 'antd';
import dayjs from 'dayjs';
import { useMemo } from 'react';
import { useAddressParams } from '../../../lib/addressParams.ts';
import { useLanguage, useTexts } from '../../../lib/i18n/index.ts';
import { dayOf, ownZone } from '../../../lib/rooms/index.ts';
import { useMediaQuery } from '../../../lib/useMediaQuery.ts';
import { useNow } from '../../../lib/useNow.ts';
import { Button } from '../../../ui/Button.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { SearchField } from '../../../ui/SearchField.tsx';
import { Select } from '../../../ui/Select.tsx';
import { ErrorState } from '../../../ui/states.tsx';
import { useListState } from '../list/useMeetingListState.ts';
import { MINUTE, daysShown, firstWeekday, rangeOf, stepDay } from './days.ts';
import { MonthAgenda } from './MonthAgenda.tsx';
import { MonthGrid } from './MonthGrid.tsx';
import { TimeGrid } from './TimeGrid.tsx';
import { useMayBook, type CalendarBoard } from './useBoard.ts';
import { useCalendar } from './useCalendar.ts';
import { useMoveMode } from './useMoveMode.ts';
import { useMoves } from './useMoves.ts';
import { useView } from './useView.ts';
import type { CalendarView } from './viewState.ts';
import { TYPE_ICONS, useCalendarWords, type CalendarWords } from './words.ts';
import './calendar.css';
import './entry.css';

/** The meetings of a day, a week or a month. All its state is in the URL. */
// oxlint-disable-next-line max-lines-per-function -- the board: its parts belong together
export function MeetingCalendar({ onOpen }: { onOpen: (meetId: string) => void }) {
  const [params, setParams] = useAddressParams();
  const [{ view: wanted, date }, setView] = useView();
  const [{ keyword }] = useListState();
  const language = useLanguage();
  const words = useCalendarWords();
  const now = useNow();
  const isPhone = useMediaQuery('(max-width: 767px)');
  const mayBook = useMayBook();
  const moves = useMoves();
  const zone = ownZone();

  const type = MEETING_TYPES.find((known) => known === params.get('type')) ?? '';
  // Seven days do not fit on a phone.
  const view: CalendarView =
    wanted === 'agenda' || wanted === 'list' || (isPhone && wanted === 'week') ? 'day' : wanted;
  const today = dayOf(now, zone);
  const day = date ?? today;
  const days = useMemo(() => daysShown(view, day, firstWeekday(language)), [view, day, language]);
  const interval = useMemo(() => rangeOf(days, zone), [days, zone]);
  const found = useCalendar(interval, { keyword, type });
  const meetings = found.data?.meetings ?? [];

  const goTo = (next: string) => setView({ date: next === today ? null : next });
  const go = (to: CalendarView, next: string) => setView({ view: to, date: next === today ? null : next });
  const mode = useMoveMode({
    words,
    byDays: view === 'month',
    onMove: moves.move,
    onFollow: ({ start }) => {
      const startsOn = dayOf(start, zone);
      if (!days.includes(startsOn)) goTo(startsOn);
    },
  });
  const board: CalendarBoard = {
    days,
    day,
    now,
    meetings,
    moves,
    mode,
    words,
    mayBook,
    onOpen,
    go,
    canMove: ({ can, meetId }) => can.edit && !moves.pending.has(meetId),
    onBook: (start, end) => setParams((before) => bookingParams(before, start, end)),
    step: (by) => {
      const next = stepDay(view, day, by);
      goTo(next);
      return next;
    },
  };

  const noteOf = () => {
    if (found.data?.hasMore === true) return words.t('hasMore', { count: meetings.length });
    if (!found.isSuccess || meetings.length > 0) return '';
    return words.t(keyword === '' && type === '' ? 'none' : 'noMatch');
  };
  const Grid = view !== 'month' ? TimeGrid : isPhone ? MonthAgenda : MonthGrid;

  return (
    <div className="calendar" data-view={view} data-testid="calendar">
      <Toolbar view={view} board={board} today={today} goTo={goTo} type={type} />
      <p className="calendar-note" role="status" data-testid="calendar-note">
        {noteOf()}
      </p>
      {found.isError && !found.data ? (
        <ErrorState retry={() => void found.refetch()} />
      ) : (
        <div
          className="calendar-body"
          aria-busy={found.isPending || found.isPlaceholderData}
          data-stale={found.isPlaceholderData}
        >
          <Grid key={view} board={board} />
        </div>
      )}
      <Legend words={words} />
      <p id="calendar-how" className="calendar-how" hidden={isPhone}>
        {words.t('how')}
      </p>
      <p id="calendar-how-move" hidden>
        {words.t('howMove')}
      </p>
      <p className="visually-hidden" role="status" aria-live="assertive" data-testid="calendar-announced">
        {mode.announced}
      </p>
    </div>
  );
}

/** URL parameters that open the booking form for an interval. */
function bookingParams(before: URLSearchParams, start: number, end: number | undefined): URLSearchParams {
  const next = new URLSearchParams(before);
  next.set('book', '1');
  next.set('startTime', new Date(start).toISOString());
  if (end !== undefined) next.set('duration', String((end - start) / MINUTE));
  return next;
}

interface ToolbarProps {
  view: CalendarView;
  board: CalendarBoard;
  today: string;
  goTo: (day: string) => void;
  type: string;
}

function Toolbar({ view, board, today, goTo, type }: ToolbarProps) {
  const { words, days, day } = board;
  const { t } = words;
  const meetings = useTexts('meetings');
  const [, setParams] = useAddressParams();
  const [{ keyword }, setState] = useListState();
  const setType = (next: string) =>
    setParams((before) => {
      const after = new URLSearchParams(before);
      if (next === '') after.delete('type');
      else after.set('type', next);
      return after;
    });
  return (
    <div className="calendar-toolbar">
      <DateSteps view={view} board={board} today={today} goTo={goTo} />
      <h2 aria-live="polite" data-testid="calendar-title">
        {words.title(view, days, day)}
      </h2>
      <DatePicker
        className="calendar-picker"
        picker={view === 'month' ? 'month' : 'date'}
        value={dayjs(day)}
        allowClear={false}
        inputReadOnly
        aria-label={t('goTo')}
        onChange={(next) => next && goTo(next.format('YYYY-MM-DD'))}
      />
      <SearchField
        keyword={keyword}
        onSearch={(next) => setState({ keyword: next })}
        placeholder={meetings('search')}
        testId="calendar-search"
      />
      <Select
        label={meetings('column.type')}
        value={type}
        options={[
          { value: '', label: t('allTypes') },
          ...MEETING_TYPES.map((value) => ({ value, label: meetings(`type.${value}`) })),
        ]}
        onChange={setType}
        data-testid="calendar-type"
      />
    </div>
  );
}

function DateSteps({ view, board: { words, day, step }, today, goTo }: Omit<ToolbarProps, 'type'>) {
  const { t } = words;
  return (
    <div className="calendar-steps" role="group" aria-label={t('dates')}>
      <IconButton
        icon="down"
        className="calendar-back"
        label={t(`previous.${view}`)}
        data-testid="calendar-previous"
        onClick={() => step(-1)}
      />
      <IconButton
        icon="down"
        className="calendar-forth"
        label={t(`next.${view}`)}
        data-testid="calendar-next"
        onClick={() => step(1)}
      />
      <Button disabled={day === today} data-testid="calendar-today" onClick={() => goTo(today)}>
        {t('today')}
      </Button>
    </div>
  );
}

/** The legend of colours and icons. */
function Legend({ words }: { words: CalendarWords }) {
  const meetings = useTexts('meetings');
  return (
    <ul className="calendar-legend" aria-label={words.t('legend')}>
      {MEETING_TYPES.map((type) => (
        <li key={type} data-type={type}>
          <Icon name={TYPE_ICONS[type]} />
          {meetings(`type.${type}`)}
        </li>
      ))}
    </ul>
  );
}
