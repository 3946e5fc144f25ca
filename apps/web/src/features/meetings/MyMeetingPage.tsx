import { TOTAL_COUNT_LIMIT, type Meeting } from '@rmeet/contract';
import dayjs from 'dayjs';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { useAddressParams } from '../../lib/addressParams.ts';
import { system } from '../../lib/browser.ts';
import { loadChunk } from '../../lib/chunks.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { PAGE_SIZES } from '../../lib/listState.ts';
import { useProfile } from '../../lib/profile.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Permitted } from '../../ui/Permitted.tsx';
import { Pager } from '../../ui/Pager.tsx';
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx';
import { useView, writeView } from './calendar/viewState.ts';
import { ViewSwitch } from './calendar/ViewSwitch.tsx';
import type { Preset } from './draft.ts';
import { ListFilters } from './ListFilters.tsx';
import { MeetingTable } from './MeetingTable.tsx';
import { takePreset } from './preset.ts';
import { useLiveMeetings, useMeetingList } from './queries.ts';
import { bookableTypes } from './types.ts';
import { useListState, writeListState } from './useListState.ts';
import { useNoResources } from './useNoResources.ts';
import { useMeetingActions } from './useMeetingActions.ts';
import './texts.ts';
import './meetings.css';
import './rooms.css';

// The drawers bring the date picker and the like along; the list is ready without them.
const MeetingDrawers = lazy(() => loadChunk(async () => ({ default: (await import('./MeetingDrawers.tsx')).MeetingDrawers })));

const MeetingCalendar = lazy(() => loadChunk(async () => ({ default: (await import('./calendar/MeetingCalendar.tsx')).MeetingCalendar })));

/** What is open beside the list, by the address: `?open=<id>`, `?edit=<id>`, `?edit=new`. */
const OPEN = 'open';
const EDIT = 'edit';
const NEW = 'new';

/** The caller's meetings, or all of the tenant in the manage app. All its state is in the address. */
export function MyMeetingPage() {
  const t = useTexts('meetings');
  const [params, setParams] = useAddressParams();
  const [state, setState] = useListState();
  const [{ view }] = useView();
  const list = useMeetingList(state, view === 'list');
  const actions = useMeetingActions();
  const hasNoResources = useNoResources();
  const mayBook = bookableTypes(useProfile()?.flags).length > 0;
  useLiveMeetings();

  const title = t(system === 'manage' ? 'titleManage' : 'title');
  useEffect(() => {
    document.title = `${title} · Rmeet`;
  }, [title]);

  const header = useRef<HTMLElement>(null);

  const beside = (key: typeof OPEN | typeof EDIT, value: string | null) =>
    setParams((now) => {
      const next = new URLSearchParams(now);
      next.delete(OPEN);
      next.delete(EDIT);
      if (value !== null) next.set(key, value);
      return next;
    });
  // A room and a time chosen elsewhere: the form opens with them, and they go from the address into the entry of the history.
  const preset = (useLocation().state as { preset?: Preset } | null)?.preset ?? null;
  useEffect(() => {
    const taken = takePreset(params);
    if (!taken) return;
    taken.rest.delete(OPEN);
    taken.rest.set(EDIT, NEW);
    setParams(() => taken.rest, { replace: true, state: { preset: taken.preset } });
  }, [params, setParams]);
  const openId = params.get(OPEN);
  const editId = params.get(EDIT);
  // Once there, the drawers stay, so that they can slide out and give the focus back.
  const [wasOpened, setWasOpened] = useState(false);
  if (!wasOpened && (openId !== null || editId !== null)) setWasOpened(true);
  const showBooked = (booked: Meeting) => {
    const isToday = new Date(booked.startTime).toDateString() === new Date().toDateString();
    // The list goes where the new meeting is.
    setParams((now) => {
      const next = writeListState(now, { scope: isToday ? 'today' : 'upcoming', keyword: '', type: '' });
      next.delete(EDIT);
      return view === 'list' ? next : writeView(next, { date: dayjs(booked.startTime).format('YYYY-MM-DD') });
    });
  };

  const book = (
    <Button kind="primary" data-testid="meeting-new" onClick={() => beside(EDIT, NEW)}>
      <Icon name="plus" />
      {t('new')}
    </Button>
  );
  const isSearch = state.keyword !== '' || state.type !== '';
  const rows = list.data?.records ?? [];
  const total = list.data?.total ?? 0;
  // Rows that are there already stay when fetching them again fails.
  const isList = view === 'list';
  const hasFailed = isList && list.isError && !list.data;
  const atLeast = list.data?.totalIsLowerBound === true;
  const last = Math.max(1, Math.ceil(total / state.size));
  // The page went away with what was on it.
  const isBeyond = list.isSuccess && !list.isPlaceholderData && state.current > last;
  useEffect(() => {
    if (isBeyond) setState({ current: last });
  });

  return (
    <div className="meeting-page">
      <header ref={header} className="meeting-header">
        <h1>{title}</h1>
        <ViewSwitch />
        <Permitted code="sys:network">
          {system === 'user' && (
            <Button busy={actions.isStarting} data-testid="meeting-now" onClick={actions.meetNow}>
              <Icon name="bolt" />
              {t('startNow')}
            </Button>
          )}
        </Permitted>
        {mayBook && book}
      </header>
      {view === 'list' ? (
        <ListFilters state={state} onState={setState} />
      ) : (
        <Suspense fallback={<Loading />}>
          <MeetingCalendar onOpen={(id) => beside(OPEN, id)} />
        </Suspense>
      )}
      {hasFailed && <ErrorState retry={() => void list.refetch()} />}
      {isList && list.isSuccess && rows.length === 0 && (
        <EmptyState
          title={t(`empty.${isSearch ? 'search' : state.scope}`)}
          hint={t(isSearch ? 'empty.searchHint' : hasNoResources ? 'noResources' : 'empty.hint')}
        />
      )}
      {isList && !hasFailed && (list.isPending || rows.length > 0) && (
        <>
          <MeetingTable
            rows={rows}
            state={state}
            onState={setState}
            actions={actions}
            onOpen={(id) => beside(OPEN, id)}
            onEdit={(id) => beside(EDIT, id)}
            skeletonRows={list.isPending ? 6 : 0}
            stale={list.isPlaceholderData}
          />
          <Pager
            current={state.current}
            size={state.size}
            sizes={PAGE_SIZES}
            total={total}
            totalText={list.isPending ? '' : t(atLeast ? (total < TOTAL_COUNT_LIMIT ? 'total.narrow' : 'total.atLeast') : 'total.exact', { total: Math.min(total, TOTAL_COUNT_LIMIT) })}
            onChange={(change) => {
              setState(change);
              header.current?.scrollIntoView();
            }}
          />
        </>
      )}
      {wasOpened && (
        <Suspense fallback={null}>
          <MeetingDrawers
            openId={openId}
            editId={editId}
            preset={preset}
            actions={actions}
            onClose={() => beside(OPEN, null)}
            onEdit={(id) => beside(EDIT, id)}
            onBooked={showBooked}
          />
        </Suspense>
      )}
    </div>
  );
}
