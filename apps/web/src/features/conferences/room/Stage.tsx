import { layoutOf, type ConferenceControl, type EmptySeat, type Layout, type LayoutCell } from '@rmeet/conference';
import { useCallback, useMemo, useRef, useState, type CSSProperties, type ReactNode } from 'react';
import type { Call, SpeakerState, Tile } from '../../../call/index.ts';
import { Icon } from '../../../ui/icons.tsx';
import { useT } from '../texts.ts';
import { useMediaQuery } from '../../../lib/useMediaQuery.ts';
import { usePictures } from '../shared/use-pictures.ts';
import { useElementSize, usePresent, useSame } from '../shared/hooks.ts';
import { usePresentation } from './presentation.ts';
import { TileView } from './TileView.tsx';

interface StageProps {
  call: Call;
  control: ConferenceControl;
  tiles: readonly Tile[];
  speakers: SpeakerState;
  /** The user has left the chair's layout. */
  ownView: boolean;
  /** The menu of commands for the person of a tile. */
  tileMenu?: ((tile: Tile) => ReactNode) | undefined;
  /** Elements shown over the pictures. */
  children?: ReactNode;
}

/**
 * The pictures, placed by the conference's layout. Each keeps its DOM element when it moves, so that none flickers; the
 * next picture is decoded in advance in the same element, invisibly.
 */
export function Stage({ call, control, tiles, speakers, ownView, tileMenu, children }: StageProps) {
  const t = useT();
  const area = useRef<HTMLDivElement>(null);
  const { width, height } = useElementSize(area);
  const [pinned, setPinned] = useState<string | null>(null);
  const [page, setPage] = useState(0);
  const isLaidOut = width > 0 && height > 0;
  // A pin that is no longer allowed does not return by itself when it is allowed again.
  if (pinned !== null && !control.allowOwnLayout) setPinned(null);

  const layout = useStageLayout({ call, control, tiles, speakers, ownView }, { width, height, pinned, page });
  usePictures(
    call.pictures,
    'stage',
    useMemo(() => (isLaidOut ? [...layout.cells, ...layout.warm] : null), [layout, isLaidOut]),
  );

  const byKey = new Map(tiles.map((tile) => [tile.key, tile]));
  const { framed, noteFrame } = useFramedKeys();
  const presentation = usePresentation(
    isLaidOut ? layout : null,
    (key) => (byKey.get(key)?.video ?? null) !== null && !framed.has(key),
  );
  const { shown, unseen } = presentation ?? { shown: null, unseen: [] };
  // With seats assigned by the chair, no picture can be larger than its seat.
  const mayPin = control.allowOwnLayout && (layout.model === 'AUTO' || layout.model === '1+N');
  const placeOf = placeIn(width, height);
  return (
    <div ref={area} className="stage" data-model={layout.model}>
      {shown !== null && (
        <ul className="stage-tiles" aria-label={t('room.tiles')}>
          {shown.empty.map((seat) => (
            <Empty
              key={`seat-${seat.seat}`}
              seat={seat}
              place={placeOf(seat)}
              name={seat.source === null ? '' : (control.terminals[seat.source]?.name ?? '')}
            />
          ))}
          {[...shown.cells, ...unseen].flatMap((cell) => {
            const tile = byKey.get(cell.key);
            if (tile === undefined) return [];
            return (
              <TileView
                key={cell.key}
                tile={tile}
                area={cell.area}
                seat={cell.seat}
                seen={cell.area !== undefined}
                {...placeOf(cell)}
                pinned={cell.key === pinned}
                onPin={mayPin ? setPinned : null}
                menu={tileMenu}
                onFrame={noteFrame}
              />
            );
          })}
        </ul>
      )}
      {shown !== null && shown.pages > 1 && <Pager page={shown.page} pages={shown.pages} onPage={setPage} />}
      {children}
    </div>
  );
}

function useStageLayout(
  { call, control, tiles, speakers, ownView }: Omit<StageProps, 'children' | 'tileMenu'>,
  { width, height, pinned, page }: { width: number; height: number; pinned: string | null; page: number },
): Layout {
  const phone = useMediaQuery('(max-width: 600px), (max-height: 480px)');
  const { terminals, sharing } = usePresent(tiles);
  const recent = useSame(speakers.recent);
  return useMemo(
    () =>
      layoutOf({
        control,
        terminals,
        sharing,
        speakers: recent,
        me: call.termId,
        screen: { width, height, phone, density: devicePixelRatio },
        pinned,
        page,
        ownView,
      }),
    [call, control, terminals, sharing, recent, width, height, phone, pinned, page, ownView],
  );
}

/** Keys of the pictures that have a decoded frame. */
function useFramedKeys(): { framed: ReadonlySet<string>; noteFrame: (key: string, has: boolean) => void } {
  const [framed, setFramed] = useState<ReadonlySet<string>>(new Set());
  const noteFrame = useCallback(
    (key: string, has: boolean) =>
      setFramed((before) => (before.has(key) === has ? before : withKey(before, key, has))),
    [],
  );
  return { framed, noteFrame };
}

type Fraction = Pick<LayoutCell, 'x' | 'y' | 'width' | 'height'>;

/** Converts fractions of the stage to whole pixels. */
const placeIn =
  (stageWidth: number, stageHeight: number) =>
  ({ x, y, width, height }: Fraction) => ({
    left: Math.round(x * stageWidth),
    top: Math.round(y * stageHeight),
    width: Math.round(width * stageWidth),
    height: Math.round(height * stageHeight),
  });

function Pager({ page, pages, onPage }: { page: number; pages: number; onPage: (page: number) => void }) {
  const t = useT();
  return (
    <nav className="stage-pager" aria-label={t('room.page', { page: page + 1, pages })}>
      <button
        type="button"
        className="stage-page"
        aria-label={t('room.previousPage')}
        disabled={page === 0}
        data-testid="page-previous"
        onClick={() => onPage(page - 1)}
      >
        <Icon name="previous" size={22} />
      </button>
      <span aria-hidden="true">
        {page + 1} / {pages}
      </span>
      <button
        type="button"
        className="stage-page"
        aria-label={t('room.nextPage')}
        disabled={page === pages - 1}
        data-testid="page-next"
        onClick={() => onPage(page + 1)}
      >
        <Icon name="next" size={22} />
      </button>
    </nav>
  );
}

/** An empty seat, and the terminal assigned to it. */
function Empty({
  seat: { seat },
  place: { left, top, width, height },
  name,
}: {
  seat: EmptySeat;
  place: Record<'left' | 'top' | 'width' | 'height', number>;
  name: string;
}) {
  const t = useT();
  const style: CSSProperties = { width, height, transform: `translate(${left}px, ${top}px)`, zIndex: seat };
  return (
    <li className="seat-empty" style={style} data-testid="seat-empty" data-seat={seat}>
      {name === '' ? (
        <span className="visually-hidden">{t('room.emptySeat', { seat })}</span>
      ) : (
        <span className="seat-name">{name}</span>
      )}
    </li>
  );
}

function withKey(keys: ReadonlySet<string>, key: string, has: boolean): ReadonlySet<string> {
  const others = [...keys].filter((each) => each !== key);
  return new Set(has ? [...others, key] : others);
}
