import { layoutOf, type EmptySeat, type LayoutCell, type WarmPicture } from '@rmeet/conference';
import { useId, useMemo, useRef, type CSSProperties } from 'react';
import type { Tile } from '../../../../call/index.ts';
import { meetingKey } from '../../../../lib/meetingKeys.ts';
import { colourOf, initialsOf } from '../../shared/initials.ts';
import { CaptionsBanner } from '../../shared/CaptionsBanner.tsx';
import { useElementSize, usePresent, useSame } from '../../shared/hooks.ts';
import { usePictures } from '../../shared/use-pictures.ts';
import { useStore } from '../../shared/use-store.ts';
import { Video } from '../../shared/Video.tsx';
import { useDesk, useDeskPart } from '../context.ts';
import { Icon } from '../../../../ui/icons.tsx';
import { layerFor } from '../model/layers.ts';
import { useT } from '../texts.tsx';

/** The screen size of an onlooker, which the preview scales down. */
const SCREEN = { width: 1280, height: 720 };

/** Below this share of the screen, a picture shows only its name. */
const SMALL = 0.25;

/** What all participants currently see, laid out by the same function as in the meeting room. */
export function Preview() {
  const t = useT();
  const id = useId();
  const desk = useDesk();
  const control = useDeskPart(({ state }) => state.control);
  const { tiles, speakers, media, cutOff } = useStore(desk.watch.store);
  const box = useRef<HTMLDivElement>(null);
  const { height } = useElementSize(box);

  const clockAhead = useDeskPart((snapshot) => snapshot.clockAhead ?? 0);
  const { terminals, sharing } = usePresent(tiles);
  const recent = useSame(speakers.recent);
  const layout = useMemo(
    () => layoutOf({ control, terminals, sharing, speakers: recent, me: null, screen: SCREEN }),
    [control, terminals, sharing, recent],
  );
  const { cells, warm, empty } = layout;
  const wanted = useMemo(
    () =>
      [...cells, ...warm].map((cell) => ({ key: cell.key, ask: layerFor(cell.height * height * devicePixelRatio) })),
    [cells, warm, height],
  );
  usePictures(desk.watch.pictures, 'preview', wanted);

  const byKey = new Map(tiles.map((tile) => [tile.key, tile]));
  const name = layout.onAirId === null ? null : (byKey.get(layout.onAirId)?.name ?? null);
  return (
    <section className="desk-preview" aria-labelledby={id} data-testid="desk-preview">
      <header className="desk-side-head">
        <h2 id={id}>{t('preview.title')}</h2>
        <span
          className={name === null ? 'desk-preview-who' : 'desk-preview-who desk-preview-live'}
          data-testid="desk-preview-on-air"
        >
          {name ?? t(`preview.${control.mode}`)}
        </span>
      </header>
      <div ref={box} className="desk-screen">
        {cells.length === 0 && empty.length === 0 && <p className="desk-screen-empty">{t('preview.empty')}</p>}
        {cells.length > 0 && <EncryptedNotice />}
        <ConnectionNotice isCutOff={cutOff} isConnecting={media !== 'connected' && cells.length > 0} />
        {empty.map((seat) => (
          <div key={`seat-${seat.seat}`} className="desk-seat-empty" style={placeOf(seat)} data-seat={seat.seat} />
        ))}
        {cells.map((cell) => (
          <Cell key={cell.key} cell={cell} tile={byKey.get(cell.key)} seen />
        ))}
        {warm
          .filter(({ key }) => !cells.some((cell) => cell.key === key))
          .map((picture) => (
            <Cell key={picture.key} cell={picture} tile={byKey.get(picture.key)} seen={false} />
          ))}
        <CaptionsBanner control={control} termId={null} clockAhead={clockAhead} />
      </div>
    </section>
  );
}

/** Why there are no pictures of an end-to-end encrypted meeting: this browser does not have its key. */
function EncryptedNotice() {
  const t = useT();
  const hasKey = useDeskPart(({ state }) => state.control.e2ee !== true || meetingKey(state.numericId) !== null);
  if (hasKey) return null;
  return (
    <p className="desk-screen-link" role="status" data-testid="desk-encrypted">
      {t('encryption.preview')}
    </p>
  );
}

function ConnectionNotice({ isCutOff, isConnecting }: { isCutOff: boolean; isConnecting: boolean }) {
  const t = useT();
  if (!isCutOff && !isConnecting) return null;
  return (
    <p className="desk-screen-link" role="status" data-testid="desk-preview-link">
      {isCutOff && <span>{t('preview.cutOff')}</span>}
      {isConnecting && <span>{t('preview.connecting')}</span>}
    </p>
  );
}

function placeOf({ x, y, width, height }: Pick<EmptySeat, 'x' | 'y' | 'width' | 'height'>) {
  return { left: `${x * 100}%`, top: `${y * 100}%`, width: `${width * 100}%`, height: `${height * 100}%` };
}

/** A picture in its place, or (not `seen`) decoded for the next turn in the same element that will show it. */
function Cell({
  cell,
  tile,
  seen,
}: {
  cell: WarmPicture & Partial<Pick<LayoutCell, 'seat'>>;
  tile: Tile | undefined;
  seen: boolean;
}) {
  const style: CSSProperties = {
    ...placeOf(cell),
    zIndex: seen ? cell.seat : undefined,
    visibility: seen ? undefined : 'hidden',
  };
  const name = tile?.name ?? '';
  return (
    <div
      className={cell.height < SMALL ? 'desk-cell desk-cell-small' : 'desk-cell'}
      style={style}
      aria-hidden={!seen}
      data-testid={`${seen ? 'desk-preview' : 'desk-preview-ready'}-${cell.key}`}
      data-seat={seen ? cell.seat : undefined}
    >
      {tile?.video ? (
        <Video
          video={tile.video}
          whole={cell.kind === 'screen'}
          aspect={(cell.width * SCREEN.width) / (cell.height * SCREEN.height)}
          label={name}
        />
      ) : cell.height < SMALL ? null : (
        <span className="desk-avatar" style={{ background: colourOf(cell.termId) }} aria-hidden="true">
          {initialsOf(name)}
        </span>
      )}
      <span className="desk-cell-label">
        {tile?.muted && <Icon name="micOff" size={12} />}
        {name}
      </span>
    </div>
  );
}
