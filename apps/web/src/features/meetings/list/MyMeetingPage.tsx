import { MEETING_TYPES, TOTAL_COUNT_LIMIT, type Meeting } from '@rmeet/contract';
import dayjs from 'dayjs';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { useAddressParams } from '../../../lib/addressParams.ts';
import { system } from '../../../lib/browser.ts';
import { loadChunk } from '../../../lib/chunks.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { PAGE_SIZES } from '../../../lib/listState.ts';
import { useLastPage } from '../../../lib/useLastPage.ts';
import { useProfile } from '../../../lib/profile.ts';
import { Button } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { Permitted } from '../../../ui/Permitted.tsx';
import { Pager } from '../../../ui/Pager.tsx';
import { EmptyState, ErrorState, Loading } from '../../../ui/states.tsx';
import { LazyMeetingDrawers } from '../drawers/LazyMeetingDrawers.tsx';
import { NEW, useDrawerState, withoutDrawers, type DrawerState } from '../drawers/useDrawerState.ts';
import { Agenda } from '../agenda/Agenda.tsx';
import { useView } from '../calendar/useView.ts';
import { writeView } from '../calendar/viewState.ts';
import { ViewSwitch } from '../calendar/ViewSwitch.tsx';
import { ListFilters } from './ListFilters.tsx';
import { MeetingTable } from './MeetingTable.tsx';
import { useLiveMeetings, useMeetingList } from '../queries.ts';
import { bookableTypes } from '../types.ts';
import { useListState, writeListState, type ListState } from './useMeetingListState.ts';
import { useNoResources } from '../resources/useNoResources.ts';
import { useMeetingActions, type MeetingActions } from '../useMeetingActions.ts';
import '../texts.ts';
import '../meetings.css';
import '../rooms/rooms.css';

const MeetingCalendar = lazy(() =>
  loadChunk(async () => ({ default: (await import('../calendar/MeetingCalendar.tsx')).MeetingCalendar })),
);

/** The caller's meetings, or all meetings of the tenant in the manage app. All its state is in the URL. */
// oxlint-disable-next-line max-lines-per-function -- plain JSX of one page
export function MyMeetingPage() {
  const t = useTexts('meetings');
  const drawers = useDrawerState();
  const [state, setState] = useListState();
  const [{ view }] = useView();
  const list = useMeetingList(state, view === 'list');
  const actions = useMeetingActions();
  const hasNoResources = useNoResources();
  const bookable = bookableTypes(useProfile()?.flags);
  useLiveMeetings();

  const title = t(system === 'manage' ? 'titleManage' : 'title');
  useEffect(() => {
    document.title = `${title} · Rmeet`;
  }, [title]);

  const header = useRef<HTMLElement>(null);

  const showBooked = useShowBooked(view);

  const waysIn = (
    <>
      <Permitted code="sys:network">
        {system === 'user' && (
          <Button busy={actions.isStarting} data-testid="meeting-now" onClick={actions.meetNow}>
            <Icon name="bolt" />
            {t('startNow')}
          </Button>
        )}
      </Permitted>
      {bookable.length > 0 && (
        <Button
          kind={view === 'agenda' ? 'plain' : 'primary'}
          data-testid="meeting-new"
          onClick={() => drawers.edit(NEW)}
        >
          <Icon name="plus" />
          {t('new')}
        </Button>
      )}
      {system === 'user' && (
        <Link className="button button-plain" to="/join" data-testid="meeting-by-number">
          <Icon name="enter" />
          {t('agenda.byNumber')}
        </Link>
      )}
    </>
  );
  return (
    <div className="meeting-page" data-view={view}>
      <header ref={header} className="meeting-header">
        <h1>{title}</h1>
        <div className="meeting-ways">{waysIn}</div>
        <ViewSwitch />
      </header>
      {view === 'agenda' && (
        <Agenda
          actions={actions}
          drawers={drawers}
          hasNoResources={hasNoResources}
          mayBook={bookable.length > 0}
          onAll={() => setState({ scope: 'upcoming' })}
        />
      )}
      {view === 'list' && (
        <>
          <ListFilters state={state} onState={setState} types={typesShown(bookable, list.data?.records, state.type)} />
          <MeetingList
            list={list}
            state={state}
            setState={setState}
            actions={actions}
            hasNoResources={hasNoResources}
            drawers={drawers}
            onPage={() => header.current?.scrollIntoView()}
          />
        </>
      )}
      {view !== 'agenda' && view !== 'list' && (
        <Suspense fallback={<Loading />}>
          <MeetingCalendar onOpen={drawers.open} />
        </Suspense>
      )}
      <LazyMeetingDrawers drawers={drawers} actions={actions} onBooked={showBooked} />
    </div>
  );
}

/** The types that the user may book, that are listed, or that the list is filtered by. */
function typesShown(
  bookable: readonly Meeting['type'][],
  rows: readonly Meeting[] = [],
  chosen: Meeting['type'] | '',
): Meeting['type'][] {
  return MEETING_TYPES.filter(
    (type) => type === chosen || bookable.includes(type) || rows.some((row) => row.type === type),
  );
}

/** Navigates to a view that shows the booked meeting. */
function useShowBooked(view: ReturnType<typeof useView>[0]['view']) {
  const [, setParams] = useAddressParams();
  return (booked: Meeting) => {
    const isToday = new Date(booked.startTime).toDateString() === new Date().toDateString();
    setParams((now) => {
      if (view === 'agenda') return withoutDrawers(now);
      const next = writeListState(withoutDrawers(now), {
        scope: isToday ? 'today' : 'upcoming',
        keyword: '',
        type: '',
      });
      return writeView(next, view === 'list' ? { view } : { date: dayjs(booked.startTime).format('YYYY-MM-DD') });
    });
  };
}

function useTotalText(page: ReturnType<typeof useMeetingList>['data']): string {
  const t = useTexts('meetings');
  const total = page?.total ?? 0;
  const lowerBound = total < TOTAL_COUNT_LIMIT ? 'total.narrow' : 'total.atLeast';
  const key = page?.totalIsLowerBound === true ? lowerBound : 'total.exact';
  const shown = Math.min(total, TOTAL_COUNT_LIMIT);
  return t(key, { total: shown, count: shown });
}

interface MeetingListProps {
  list: ReturnType<typeof useMeetingList>;
  state: ListState;
  setState: (change: Partial<ListState>) => void;
  actions: MeetingActions;
  hasNoResources: boolean;
  drawers: DrawerState;
  onPage: () => void;
}

// oxlint-disable-next-line complexity -- plain JSX: the list, or what is shown instead
function MeetingList({ list, state, setState, actions, hasNoResources, drawers, onPage }: MeetingListProps) {
  const t = useTexts('meetings');
  const isSearch = state.keyword !== '' || state.type !== '';
  const rows = list.data?.records ?? [];
  const total = list.data?.total ?? 0;
  // Existing rows stay if a refetch fails.
  const hasFailed = list.isError && !list.data;
  useLastPage(list, state, setState);
  const totalText = useTotalText(list.data);
  return (
    <>
      {hasFailed && <ErrorState retry={() => void list.refetch()} />}
      {list.isSuccess && rows.length === 0 && (
        <EmptyState
          title={t(`empty.${isSearch ? 'search' : state.scope}`)}
          hint={t(isSearch ? 'empty.searchHint' : hasNoResources ? 'noResources' : 'empty.hint')}
        />
      )}
      {!hasFailed && (list.isPending || rows.length > 0) && (
        <>
          <MeetingTable
            rows={rows}
            state={state}
            onState={setState}
            actions={actions}
            onOpen={drawers.open}
            onEdit={drawers.edit}
            skeletonRows={list.isPending ? 6 : 0}
            stale={list.isPlaceholderData}
          />
          <Pager
            current={state.current}
            size={state.size}
            sizes={PAGE_SIZES}
            total={total}
            totalText={list.isPending ? '' : totalText}
            onChange={(change) => {
              setState(change);
              onPage();
            }}
          />
        </>
      )}
    </>
  );
}
