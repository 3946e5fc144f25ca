import { layoutOf, type ConferenceControl, type EmptySeat, type LayoutCell } from '@rmeet/conference';
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
  /** The person has left the chair's layout. */
  ownView: boolean;
  /** What stands over the pictures. */
  children?: ReactNode;
}

/**
 * The pictures, where the conference's layout puts them. Each stays the same element wherever it moves, so that none
 * flickers, and what is to be seen next is there before it is: the same element again, which nobody sees yet.
 */
export function Stage({ call, control, tiles, speakers, ownView, children }: StageProps) {
  const t = useT();
  const area = useRef<HTMLDivElement>(null);
  const { width, height } = useElementSize(area);
  const phone = useMediaQuery('(max-width: 600px), (max-height: 480px)');
  const [pinned, setPinned] = useState<string | null>(null);
  const [page, setPage] = useState(0);
  const [framed, setFramed] = useState<ReadonlySet<string>>(new Set());
  const isLaidOut = width > 0 && height > 0;
  // Whoever may not choose now finds the chair's view when they may again.
  if (pinned !== null && !control.allowOwnLayout) setPinned(null);

  const { terminals, sharing } = usePresent(tiles);
  const recent = useSame(speakers.recent);
  const layout = useMemo(
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
  usePictures(
    call.pictures,
    'stage',
    useMemo(() => (isLaidOut ? [...layout.cells, ...layout.warm] : null), [layout, isLaidOut]),
  );

  const byKey = new Map(tiles.map((tile) => [tile.key, tile]));
  const presentation = usePresentation(
    isLaidOut ? layout : null,
    (key) => (byKey.get(key)?.video ?? null) !== null && !framed.has(key),
  );
  const noteFrame = useCallback(
    (key: string, has: boolean) =>
      setFramed((before) => (before.has(key) === has ? before : withKey(before, key, has))),
    [],
  );
  const { shown, unseen } = presentation ?? { shown: null, unseen: [] };
  // Where the chair's seats are, nobody can be larger than their seat.
  const mayPin = control.allowOwnLayout && (layout.model === 'AUTO' || layout.model === '1+N');
  const placeOf = ({ x, y, width: wide, height: high }: Pick<LayoutCell, 'x' | 'y' | 'width' | 'height'>) => ({
    left: Math.round(x * width),
    top: Math.round(y * height),
    width: Math.round(wide * width),
    height: Math.round(high * height),
  });
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
                onFrame={noteFrame}
              />
            );
          })}
        </ul>
      )}
      {shown !== null && shown.pages > 1 && (
        <nav className="stage-pager" aria-label={t('room.page', { page: shown.page + 1, pages: shown.pages })}>
          <button
            type="button"
            className="stage-page"
            aria-label={t('room.previousPage')}
            disabled={shown.page === 0}
            data-testid="page-previous"
            onClick={() => setPage(shown.page - 1)}
          >
            <Icon name="previous" size={22} />
          </button>
          <span aria-hidden="true">
            {shown.page + 1} / {shown.pages}
          </span>
          <button
            type="button"
            className="stage-page"
            aria-label={t('room.nextPage')}
            disabled={shown.page === shown.pages - 1}
            data-testid="page-next"
            onClick={() => setPage(shown.page + 1)}
          >
            <Icon name="next" size={22} />
          </button>
        </nav>
      )}
      {children}
    </div>
  );
}

/** A seat with nobody in it, and who is to sit there. */
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
