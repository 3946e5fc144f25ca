import { layoutOf, type ConferenceControl } from '@rmeet/contract';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Call, SpeakerState, Tile } from '../../../call/index.ts';
import { Icon } from '../icons.tsx';
import { useT } from '../texts.ts';
import { useMediaQuery } from '../../../lib/useMediaQuery.ts';
import { useElementSize } from './hooks.ts';
import { TileView } from './TileView.tsx';

interface StageProps {
  call: Call;
  control: ConferenceControl;
  tiles: readonly Tile[];
  speakers: SpeakerState;
}

/** The pictures, where the conference's layout puts them. Each stays the same element wherever it moves, so that none flickers. */
export function Stage({ call, control, tiles, speakers }: StageProps) {
  const t = useT();
  const area = useRef<HTMLDivElement>(null);
  const { width, height } = useElementSize(area);
  const phone = useMediaQuery('(max-width: 600px), (max-height: 480px)');
  const [pinned, setPinned] = useState<string | null>(null);
  const [page, setPage] = useState(0);
  const isLaidOut = width > 0 && height > 0;

  // Tiles are made anew when somebody speaks or mutes; the layout hangs only on who is there and who shares.
  const terminals = useSame(tiles.flatMap(({ kind, termId }) => (kind === 'camera' ? [termId] : [])));
  const sharing = useSame(tiles.flatMap(({ kind, termId }) => (kind === 'screen' ? [termId] : [])));
  const recent = useSame(speakers.recent);
  const layout = useMemo(
    () => layoutOf({ control, terminals, sharing, speakers: recent, me: call.termId, screen: { width, height, phone, density: devicePixelRatio }, pinned, page }),
    [call, control, terminals, sharing, recent, width, height, phone, pinned, page],
  );
  useEffect(() => {
    if (isLaidOut) call.show(layout);
  }, [call, layout, isLaidOut]);

  const byKey = new Map(tiles.map((tile) => [tile.key, tile]));
  return (
    <div ref={area} className="stage">
      {isLaidOut && (
        <ul className="stage-tiles" aria-label={t('room.tiles')}>
          {layout.cells.flatMap((cell) => {
            const tile = byKey.get(cell.key);
            if (tile === undefined) return [];
            return (
              <TileView
                key={cell.key}
                tile={tile}
                area={cell.area}
                left={Math.round(cell.x * width)}
                top={Math.round(cell.y * height)}
                width={Math.round(cell.width * width)}
                height={Math.round(cell.height * height)}
                pinned={cell.key === pinned}
                onPin={setPinned}
              />
            );
          })}
        </ul>
      )}
      {layout.pages > 1 && (
        <nav className="stage-pager" aria-label={t('room.page', { page: layout.page + 1, pages: layout.pages })}>
          <button type="button" className="stage-page" aria-label={t('room.previousPage')} disabled={layout.page === 0} data-testid="page-previous" onClick={() => setPage(layout.page - 1)}>
            <Icon name="previous" />
          </button>
          <span aria-hidden="true">
            {layout.page + 1} / {layout.pages}
          </span>
          <button type="button" className="stage-page" aria-label={t('room.nextPage')} disabled={layout.page === layout.pages - 1} data-testid="page-next" onClick={() => setPage(layout.page + 1)}>
            <Icon name="next" />
          </button>
        </nav>
      )}
    </div>
  );
}

/** The same array as before as long as it holds the same. */
function useSame(next: readonly string[]): readonly string[] {
  const [same, setSame] = useState(next);
  if (same === next || (same.length === next.length && same.every((value, at) => value === next[at]))) return same;
  setSame(next);
  return next;
}
