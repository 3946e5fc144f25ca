import { gridOf } from '@rmeet/conference';
import { memo, useEffect, useMemo, useRef, useState, type MouseEvent } from 'react';
import type { Tile } from '../../../call/index.ts';
import { pageOf } from './model/pages.ts';
import { colourOf, initialsOf } from '../shared/initials.ts';
import { useElementSize, useSame } from '../shared/hooks.ts';
import { usePictures } from '../shared/use-pictures.ts';
import { useStorePart } from '../shared/use-store.ts';
import { Video } from '../shared/Video.tsx';
import { useDesk, useRights, useRows, useView, type Rights } from './context.ts';
import { Icon } from '../../../ui/icons.tsx';
import { CameraButton, MicrophoneButton, OnAirButton } from './list/buttons.tsx';
import { NobodyShown } from './list/NobodyShown.tsx';
import { TerminalMenu } from './list/TerminalMenu.tsx';
import { groupsOf, roleOf } from './model/listView.ts';
import type { TerminalRow } from './model/rows.ts';
import { layerFor } from './model/layers.ts';
import { ActionButton } from './components/ActionButton.tsx';
import { Quality } from './components/Quality.tsx';
import { useT } from './texts.tsx';

/** A tile's line below the picture, px (desk.css). */
const LINE = 36;
const NOBODY: readonly TerminalRow[] = [];

/** Live pictures of all participants, page by page; only pictures of the current page are requested. */
export function Wall() {
  const t = useT();
  const desk = useDesk();
  const rights = useRights();
  const deferred = useRows();
  const rows = deferred ?? NOBODY;
  const list = useView((view) => view.list);
  const selection = useView((view) => view.selection);
  const tiles = useStorePart(desk.watch.store, (snapshot) => snapshot.tiles);
  const area = useRef<HTMLDivElement>(null);
  const { width, height } = useElementSize(area);
  const [page, setPage] = useState(0);

  const ordered = useMemo(() => groupsOf(rows, list).flatMap((group) => group.rows), [rows, list]);
  const grid = gridOf(ordered.length, { width, height, gap: 8, minWidth: 200 });
  const { shown, pages, page: current } = pageOf(ordered, grid.perPage, page);
  const keys = useSame(shown.map(({ termId }) => termId));
  const ask = layerFor((grid.height - LINE) * devicePixelRatio);
  usePictures(
    desk.watch.pictures,
    'wall',
    useMemo(() => keys.map((key) => ({ key, ask })), [keys, ask]),
  );
  useEffect(() => {
    desk.showing(ordered.map(({ termId }) => termId));
  }, [desk, ordered]);

  const videos = new Map(tiles.filter(({ kind }) => kind === 'camera').map((tile) => [tile.termId, tile]));
  return (
    <div className="desk-wall" data-testid="desk-wall">
      <div ref={area} className="desk-wall-area">
        {deferred !== null && ordered.length === 0 && <NobodyShown isEmpty={rows.length === 0} />}
        {width > 0 && (
          <ul aria-label={t('list.title')} style={{ width: grid.columns * (grid.width + 8) - 8 }}>
            {shown.map((row) => (
              <WallTile
                key={row.termId}
                row={row}
                video={videos.get(row.termId)?.video ?? null}
                width={grid.width}
                height={grid.height}
                rights={rights}
                selected={selection.ids.has(row.termId)}
              />
            ))}
          </ul>
        )}
      </div>
      {pages > 1 && <WallPager page={current} pages={pages} onPage={setPage} />}
    </div>
  );
}

function WallPager({ page, pages, onPage }: { page: number; pages: number; onPage: (page: number) => void }) {
  const t = useT();
  return (
    <nav className="desk-pager" aria-label={t('wall.pages')}>
      <ActionButton
        bare
        icon="previous"
        label={t('wall.previous')}
        idle={page === 0 ? t('wall.first') : null}
        data-testid="desk-wall-previous"
        onAction={() => onPage(page - 1)}
      />
      <span aria-live="polite">{t('wall.page', { page: page + 1, pages })}</span>
      <ActionButton
        bare
        icon="next"
        label={t('wall.next')}
        idle={page === pages - 1 ? t('wall.last') : null}
        data-testid="desk-wall-next"
        onAction={() => onPage(page + 1)}
      />
    </nav>
  );
}

interface WallTileProps {
  row: TerminalRow;
  video: Tile['video'];
  width: number;
  height: number;
  rights: Rights;
  selected: boolean;
}

const WallTile = memo(function WallTile({ row, video, width, height, rights, selected }: WallTileProps) {
  const t = useT();
  const desk = useDesk();
  const [menu, setMenu] = useState<HTMLElement | null>(null);
  const { termId, name } = row;
  const press = (event: MouseEvent) => {
    if (event.target instanceof HTMLElement && event.target.closest('button, input') !== null) return;
    desk.pick(termId, event.shiftKey ? 'range' : event.ctrlKey || event.metaKey ? 'toggle' : 'only');
  };
  const classes = [
    'desk-tile',
    row.speaking ? 'desk-tile-speaking' : '',
    row.onAir ? 'desk-tile-air' : '',
    selected ? 'desk-tile-selected' : '',
  ];
  return (
    <li
      className={classes.filter(Boolean).join(' ')}
      style={{ width, height }}
      data-testid={`tile-${termId}`}
      data-term={termId}
      onClick={press}
    >
      <div className="desk-tile-picture">
        {video === null ? (
          <span className="desk-avatar" style={{ background: colourOf(termId) }} aria-hidden="true">
            {initialsOf(name)}
          </span>
        ) : (
          <Video video={video} aspect={width / (height - LINE)} label={name} />
        )}
        <PickBox row={row} selected={selected} />
        <TileMarks row={row} />
      </div>
      <div className="desk-tile-line">
        <span className="desk-name" title={name}>
          {name}
        </span>
        <Quality quality={row.quality} loss={row.loss} />
        <MicrophoneButton row={row} rights={rights} tabbable />
        <CameraButton row={row} rights={rights} tabbable />
        <OnAirButton row={row} rights={rights} tabbable />
        <ActionButton
          bare
          icon="more"
          size={18}
          label={t('list.more', { name })}
          aria-haspopup="dialog"
          aria-expanded={menu !== null}
          onAction={(button) => setMenu((open) => (open === null ? button : null))}
        />
        {menu !== null && <TerminalMenu row={row} rights={rights} anchor={menu} onClose={() => setMenu(null)} />}
      </div>
    </li>
  );
});

function TileMarks({ row }: { row: TerminalRow }) {
  const t = useT();
  const role = roleOf(row);
  return (
    <span className="desk-tile-marks">
      {row.handRaisedAt !== null && (
        <span className="desk-hand" title={t('list.handUp')}>
          <Icon name="hand" size={18} />
          <span className="visually-hidden">{t('list.handUp')}</span>
        </span>
      )}
      {row.late && <span className="desk-state desk-state-late">{t('state.late')}</span>}
      {role !== 'member' && <span className={`desk-role desk-role-${role}`}>{t(`role.${role}`)}</span>}
    </span>
  );
}

function PickBox({ row: { termId, name }, selected }: Pick<WallTileProps, 'row' | 'selected'>) {
  const t = useT();
  const desk = useDesk();
  return (
    <input
      type="checkbox"
      className="desk-tile-pick"
      checked={selected}
      aria-label={t('list.select', { name })}
      onChange={() => desk.pick(termId, 'toggle')}
    />
  );
}
