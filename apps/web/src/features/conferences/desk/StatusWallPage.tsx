import { gridOf } from '@rmeet/conference';
import { isMeetingId } from '@rmeet/contract';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useDeskAccess, type DeskAccess } from '../../../lib/desk/index.ts';
import { Loading } from '../../../ui/states.tsx';
import { pageOf } from './model/pages.ts';
import { useElementSize, useWakeLock } from '../shared/hooks.ts';
import { useStore } from '../shared/use-store.ts';
import { DeskFeed } from './feed.ts';
import { NoAccess, NotOpen, NotRunning } from './NotOpen.tsx';
import { Since } from './components/Since.tsx';
import { RecordingNote } from '../recording/RecordingNote.tsx';
import { StatusTile } from './StatusTile.tsx';
import { DeskTexts, useT } from './texts.tsx';
import '../../../ui/desk-icons.tsx';
import '../../../ui/room-icons.tsx';
import './statusWall.css';

/** How long a page of the wall is shown; ms. */
const PAGE_TURN = 10_000;
const GAP = 10;
/** Tiles narrower than this cannot be read from across a room, px. */
const LEAST_WIDTH = 220;

/**
 * `/terminalstatus?meetId=`: the state of every terminal of a running conference, to be read from afar. No controls.
 */
export function StatusWallPage() {
  return (
    <DeskTexts>
      <Page />
    </DeskTexts>
  );
}

function Page() {
  const t = useT();
  const [params] = useSearchParams();
  const meetId = params.get('meetId') ?? '';
  const access = useDeskAccess(meetId);
  useEffect(() => {
    document.title = `${t('status.title')} · Rmeet`;
  }, [t]);
  if (!isMeetingId(meetId)) return <NotOpen why="missing" />;
  if (access.kind === 'none')
    return access.why === 'signedOut' ? <NotOpen why="signedOut" /> : <NoAccess why={access.why} />;
  return <WithAccess key={meetId} meetId={meetId} access={access} />;
}

function WithAccess({ meetId, access }: { meetId: string; access: DeskAccess }) {
  const [feed, setFeed] = useState<DeskFeed | null>(null);
  useEffect(() => {
    let opened: DeskFeed | undefined;
    const timer = setTimeout(() => {
      opened = new DeskFeed(access.openPush(), meetId);
      setFeed(opened);
    });
    return () => {
      clearTimeout(timer);
      opened?.close();
      setFeed(null);
    };
  }, [meetId, access]);
  return feed === null ? <Loading /> : <StatusWall feed={feed} meetId={meetId} access={access} />;
}

function StatusWall({ feed, meetId, access }: { feed: DeskFeed; meetId: string; access: DeskAccess }) {
  const { refusal, over, idle } = useStore(feed.store);
  const byLink = access.kind === 'link';
  if (over) return <NotOpen why="over" byLink={byLink} meetId={meetId} />;
  if (refusal !== null) return <NotOpen why="refused" byLink={byLink} />;
  if (idle) return <NotRunning access={access} meetId={meetId} />;
  return <Running feed={feed} />;
}

/** Mounted together with the area that it measures: the conference may begin long after the page was opened. */
function Running({ feed }: { feed: DeskFeed }) {
  const t = useT();
  const { state, rows, link } = useStore(feed.store);
  const area = useRef<HTMLDivElement>(null);
  const { width, height } = useElementSize(area);
  const [turn, setTurn] = useState(0);
  useWakeLock();
  useEffect(() => {
    const timer = setInterval(() => setTurn((before) => before + 1), PAGE_TURN);
    return () => clearInterval(timer);
  }, []);
  // Larger screens are viewed from a greater distance.
  const least = Math.max(LEAST_WIDTH, width / 9);
  const grid = useMemo(
    () => gridOf(rows.length, { width, height, gap: GAP, minWidth: least }),
    [rows.length, width, height, least],
  );
  const pages = Math.max(1, Math.ceil(rows.length / grid.perPage));
  const { shown, page } = pageOf(rows, grid.perPage, turn % pages);

  const trouble = rows.filter(
    ({ quality, cause, late, failed }) =>
      quality === 'poor' || quality === 'lost' || cause !== null || late || failed !== null,
  ).length;
  return (
    <main className="status" data-testid="status-wall">
      <header className="status-head">
        <h1>{state?.subject ?? t('status.title')}</h1>
        {state !== null && (
          <p>
            <span>{t('status.inside', { count: rows.length })}</span>
            {trouble > 0 && <span className="status-trouble">{t('status.trouble', { count: trouble })}</span>}
            {state.control.locked && <span>{t('header.locked')}</span>}
            <span>{t(`mode.${state.control.mode}`)}</span>
            <RecordingNote recording={state.control.recording} />
            <Since time={state.startedAt} />
            {pages > 1 && <span>{t('wall.page', { page: page + 1, pages })}</span>}
          </p>
        )}
      </header>
      {link === 'reconnecting' && (
        <p className="status-banner" role="alert">
          {t('reconnecting')}
        </p>
      )}
      <div ref={area} className="status-area">
        {state === null && <Loading />}
        {state !== null && rows.length === 0 && <p className="status-empty">{t('list.empty')}</p>}
        <ul aria-label={t('list.title')} style={{ width: grid.columns * (grid.width + GAP) - GAP }}>
          {width > 0 &&
            shown.map((row) => <StatusTile key={row.termId} row={row} width={grid.width} height={grid.height} />)}
        </ul>
      </div>
    </main>
  );
}
