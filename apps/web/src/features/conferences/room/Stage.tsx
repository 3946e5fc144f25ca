import { useRef, useState } from 'react';
import type { SpeakerState, Tile } from '../../../call/index.ts';
import { Icon } from '../icons.tsx';
import { focusLayout, gridLayout, pageOf, type GridSpace } from '../model/grid.ts';
import { keepOrder, promoteSpeakers } from '../model/order.ts';
import { useT } from '../texts.ts';
import { useElementSize } from './hooks.ts';
import { TileView } from './TileView.tsx';

interface StageProps {
  tiles: readonly Tile[];
  speakers: SpeakerState;
}

/** The pictures: all alike in a grid, or one large with the others beside it while a screen is shared or a tile pinned. */
export function Stage({ tiles, speakers }: StageProps) {
  const area = useRef<HTMLDivElement>(null);
  const { width, height } = useElementSize(area);
  const [pinned, setPinned] = useState<string | null>(null);
  const space: GridSpace = { width, height, gap: 8, minTileWidth: width < 600 ? 120 : 160 };
  const large = tiles.find((tile) => tile.key === pinned) ?? tiles.findLast((tile) => tile.kind === 'screen' && !tile.own);
  return (
    <div ref={area} className="stage">
      {width > 0 &&
        (large === undefined ? (
          <Grid tiles={tiles} speakers={speakers} space={space} onPin={setPinned} />
        ) : (
          <Focus large={large} tiles={tiles} speakers={speakers} space={space} pinned={pinned} onPin={setPinned} />
        ))}
    </div>
  );
}

interface ViewProps extends StageProps {
  space: GridSpace;
  onPin: (key: string | null) => void;
}

function Grid({ tiles, speakers, space, onPin }: ViewProps) {
  const t = useT();
  const [page, setPage] = useState(0);
  const layout = gridLayout(tiles.length, space);
  const ordered = useOrder(tiles, speakers, layout.perPage);
  const shown = pageOf(ordered, layout.perPage, page);
  return (
    <>
      <ul className="grid" aria-label={t('room.tiles')} style={{ width: layout.columns * (layout.tileWidth + space.gap) - space.gap }}>
        {shown.shown.map((tile) => (
          <TileView key={tile.key} tile={tile} width={layout.tileWidth} height={layout.tileHeight} pinned={false} onPin={onPin} />
        ))}
      </ul>
      {shown.pages > 1 && (
        <nav className="stage-pager" aria-label={t('room.page', { page: shown.page + 1, pages: shown.pages })}>
          <button type="button" className="stage-page" aria-label={t('room.previousPage')} disabled={shown.page === 0} data-testid="page-previous" onClick={() => setPage(shown.page - 1)}>
            <Icon name="previous" />
          </button>
          <span aria-hidden="true">
            {shown.page + 1} / {shown.pages}
          </span>
          <button type="button" className="stage-page" aria-label={t('room.nextPage')} disabled={shown.page === shown.pages - 1} data-testid="page-next" onClick={() => setPage(shown.page + 1)}>
            <Icon name="next" />
          </button>
        </nav>
      )}
    </>
  );
}

function Focus({ large, tiles, speakers, space, pinned, onPin }: ViewProps & { large: Tile; pinned: string | null }) {
  const t = useT();
  const others = tiles.filter((tile) => tile !== large);
  const layout = focusLayout(space);
  const alone = others.length === 0;
  const ordered = useOrder(others, speakers, layout.visible);
  return (
    <div className={`focus focus-${layout.strip}`}>
      <ul className="focus-large">
        <TileView
          key={large.key}
          tile={large}
          width={alone ? space.width : layout.stageWidth}
          height={alone ? space.height : layout.stageHeight}
          pinned={large.key === pinned}
          onPin={onPin}
        />
      </ul>
      {!alone && (
        // Scrollable, so it must be reachable by keyboard.
        <ul className="focus-strip" aria-label={t('room.strip')} tabIndex={0}>
          {ordered.map((tile) => (
            <TileView key={tile.key} tile={tile} width={layout.tileWidth} height={layout.tileHeight} pinned={false} onPin={onPin} />
          ))}
        </ul>
      )}
    </div>
  );
}

/** Tiles in a steady order, with those who speak brought among the first `visible`. */
function useOrder(tiles: readonly Tile[], speakers: SpeakerState, visible: number): Tile[] {
  const [previous, setPrevious] = useState<readonly string[]>([]);
  const byKey = new Map(tiles.map((tile) => [tile.key, tile]));
  const fixed = tiles[0]?.own === true ? 1 : 0;
  const order = promoteSpeakers(keepOrder(previous, [...byKey.keys()]), speakers.recent, visible, fixed);
  if (order.length !== previous.length || order.some((key, at) => key !== previous[at])) setPrevious(order);
  return order.flatMap((key) => byKey.get(key) ?? []);
}
