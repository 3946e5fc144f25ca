import type { ConferenceControl, EmptySeat, Layout, LayoutCell } from '@rmeet/conference';
import { useCallback, useMemo, useRef, useState, type CSSProperties, type ReactNode } from 'react';
import type { Call, SpeakerState, Tile } from '../../../call/index.ts';
import { Icon } from '../../../ui/icons.tsx';
import { toast } from '../../../lib/notify.ts';
import { useT } from '../texts.ts';
import { usePictures } from '../shared/use-pictures.ts';
import { useElementSize } from '../shared/hooks.ts';
import { usePresentation } from './presentation.ts';
import type { CornerActions } from './TileTools.tsx';
import { TileView } from './TileView.tsx';
import { useFullKey, useStageLayout } from './useStageLayout.ts';
import type { ViewChoices } from './useViewChoices.ts';

interface StageProps {
  call: Call;
  control: ConferenceControl;
  tiles: readonly Tile[];
  speakers: SpeakerState;
  choices: ViewChoices;
  /** The menu of commands for the person of a tile. */
  tileMenu?: ((tile: Tile) => ReactNode) | undefined;
  /** Elements shown over the pictures. */
  children?: ReactNode;
}

/**
 * The pictures, placed by the conference's layout. Each keeps its DOM element when it moves, so that none flickers; the
 * next picture is decoded in advance in the same element, invisibly.
 */
export function Stage({ call, control, tiles, speakers, choices, tileMenu, children }: StageProps) {
  const t = useT();
  const area = useRef<HTMLDivElement>(null);
  const { width, height } = useElementSize(area);
  const full = useFullKey();
  const [page, setPage] = useState(0);
  const isLaidOut = width > 0 && height > 0;

  const { layout, used } = useStageLayout({ call, control, tiles, speakers, choices }, { width, height, full, page });
  useStagePictures(call, isLaidOut ? layout : null, full);

  const byKey = new Map(tiles.map((tile) => [tile.key, tile]));
  const { framed, noteFrame } = useFramedKeys();
  const presentation = usePresentation(
    isLaidOut ? layout : null,
    (key) => (byKey.get(key)?.video ?? null) !== null && !framed.has(key),
  );
  const { shown, unseen } = presentation ?? { shown: null, unseen: [] };
  const inCorner = useCornerActions(choices);
  const mayPin = mayPinIn(layout, control);
  const placeOf = placeIn(width, used);
  const nameOf = (source: string | null) => (source === null ? '' : (control.terminals[source]?.name ?? ''));
  return (
    <div ref={area} className="stage" data-model={layout.model}>
      {shown !== null && (
        <ul className="stage-tiles" aria-label={t('room.tiles')}>
          {shown.empty.map((seat) => (
            <Empty key={`seat-${seat.seat}`} seat={seat} place={placeOf(seat)} name={nameOf(seat.source)} />
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
                pinned={choices.pinned.includes(cell.key)}
                onPin={mayPin ? choices.pin : null}
                menu={tileMenu}
                onFrame={noteFrame}
                mirror={choices.preferences.mirror}
                full={cell.key === full}
                inCorner={cell.area === 'corner' ? inCorner : null}
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

/** With seats assigned by the chair, no picture can be larger than its seat. */
function mayPinIn({ model }: Layout, { allowOwnLayout }: ConferenceControl): boolean {
  return allowOwnLayout && (model === 'AUTO' || model === '1+N');
}

/** Requests the pictures of the layout, and the one that fills the screen in full size. */
function useStagePictures({ pictures, termId }: Call, layout: Layout | null, full: string | null): void {
  const shown = useMemo(() => (layout === null ? null : [...layout.cells, ...layout.warm]), [layout]);
  usePictures(pictures, 'stage', shown);
  const isOwn = full?.startsWith(termId) === true;
  const filling = useMemo(() => (full === null || isOwn ? [] : [{ key: full, ask: 720 as const }]), [full, isOwn]);
  usePictures(pictures, 'full', filling);
}

/** Where the own picture is put while there is one other; hidden, the user learns how to show it again. */
function useCornerActions({ preferences: { corner }, change }: ViewChoices): CornerActions {
  const t = useT();
  return useMemo(
    () => ({
      corner,
      onCorner: (to) => change({ corner: to }),
      onHide: () => {
        change({ hideSelf: true });
        toast('success', () => t('view.selfHidden'));
      },
    }),
    [corner, change, t],
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
