import type { LayoutCell } from '@rmeet/conference';
import { memo, useCallback, useRef, type CSSProperties, type MouseEvent, type ReactNode } from 'react';
import type { Tile } from '../../../call/index.ts';
import { Icon } from '../../../ui/icons.tsx';
import { colourOf, initialsOf } from '../shared/initials.ts';
import { useT, type T } from '../texts.ts';
import { Video } from '../shared/Video.tsx';
import { CornerTools, TileTools, type CornerActions } from './TileTools.tsx';
import { useDragToCorner } from './useDragToCorner.ts';
import { ZoomPane } from './ZoomPane.tsx';
import './tile.css';

/** Pixels relative to the stage. */
export interface TilePlace {
  left: number;
  top: number;
  width: number;
  height: number;
}

interface TileViewProps extends TilePlace {
  tile: Tile;
  /** Undefined while it is only decoded in advance. */
  area: LayoutCell['area'] | undefined;
  seat: number | undefined;
  /** False while the picture is only decoded in advance in its place. */
  seen: boolean;
  pinned: boolean;
  /** Null if pinning is not allowed. */
  onPin: ((key: string, on: boolean) => void) | null;
  /** The menu of commands for this person. */
  menu?: ((tile: Tile) => ReactNode) | undefined;
  onFrame: (key: string, has: boolean) => void;
  /** Shows the own picture as in a mirror. */
  mirror: boolean;
  /** It fills the screen. */
  full: boolean;
  /** For the own picture in a corner; else null. */
  inCorner: CornerActions | null;
}

/** Narrower shared screens have no room for the controls that enlarge them; pixels. */
const LEAST_ZOOMED = 360;

/** One participant, or one shared screen. */
export const TileView = memo(function TileView({
  tile,
  area,
  seat,
  seen,
  left,
  top,
  width,
  height,
  pinned,
  onPin,
  menu,
  onFrame,
  mirror,
  full,
  inCorner,
}: TileViewProps) {
  const t = useT();
  const element = useRef<HTMLLIElement>(null);
  const { offset, handlers } = useDragToCorner(inCorner?.onCorner ?? null);
  const name = nameOf(tile, t);
  return (
    <li
      ref={element}
      className={tileClass(tile, width, { corner: inCorner !== null, dragged: offset !== null })}
      style={tileStyle(moved({ left, top, width, height }, offset), seen ? { seat } : null)}
      {...(seen
        ? { 'data-testid': `tile-${tile.key}`, 'data-area': area, 'data-seat': seat }
        : { 'data-testid': `ready-${tile.key}`, 'aria-hidden': true })}
      data-own={tile.own}
      data-speaking={tile.speaking}
      data-key={tile.key}
      {...handlers}
      onDoubleClick={pressedTwice}
    >
      <Picture tile={tile} name={name} {...{ width, height, seen, mirror, full, onFrame }} />
      <Marks tile={tile} name={name} />
      {inCorner !== null ? (
        <CornerTools {...inCorner} />
      ) : (
        <TileTools
          name={name}
          pinned={pinned}
          onPin={onPin === null ? null : (on) => onPin(tile.key, on)}
          full={full}
          onFull={mayFill(tile) ? () => toggleFull(element.current) : null}
        >
          {seen && tile.kind === 'camera' && menu?.(tile)}
        </TileTools>
      )}
    </li>
  );
});

/** Name and states, over the picture. */
function Marks({ tile, name }: { tile: Tile; name: string }) {
  const isPerson = tile.kind === 'camera';
  return (
    <>
      <div className="tile-label">
        {isPerson && <PersonSigns tile={tile} />}
        <span className="tile-name" title={name}>
          {name}
        </span>
        <ConnectionSigns tile={tile} />
      </div>
      {isPerson && <PersonExtras tile={tile} />}
    </>
  );
}

interface PictureProps extends Pick<
  TileViewProps,
  'tile' | 'width' | 'height' | 'seen' | 'mirror' | 'full' | 'onFrame'
> {
  name: string;
}

/** The video of a camera, or of a screen, which can be enlarged; initials if there is none. */
function Picture({ tile, name, width, height, seen, mirror, full, onFrame }: PictureProps) {
  const { key, video, kind } = tile;
  const notifyFrame = useCallback((has: boolean) => onFrame(key, has), [onFrame, key]);
  if (video === null) return <Avatar tile={tile} size={Math.min(width, height)} />;
  const common = { video, label: name, onFrame: notifyFrame };
  if (kind === 'camera') return <Video {...common} whole={full} aspect={width / height} mirror={mirror} />;
  return (
    <ZoomPane label={name} controls={seen && (full || width >= LEAST_ZOOMED)}>
      <Video {...common} whole />
    </ZoomPane>
  );
}

function tileClass(
  { speaking, kind }: Tile,
  width: number,
  { corner, dragged }: { corner: boolean; dragged: boolean },
): string {
  const classes = [
    'tile',
    speaking && 'tile-speaking',
    width < 200 && 'tile-small',
    kind === 'screen' && 'tile-screen',
    corner && 'tile-corner',
    dragged && 'tile-dragged',
  ];
  return classes.filter(Boolean).join(' ');
}

/** While it is dragged, a tile is away from its place. */
function moved(place: TilePlace, offset: { x: number; y: number } | null): TilePlace {
  return offset === null ? place : { ...place, left: place.left + offset.x, top: place.top + offset.y };
}

/** Unseen tiles are decoded but hidden; later seats lie above the seats that contain them. */
function tileStyle({ left, top, width, height }: TilePlace, seen: { seat: number | undefined } | null): CSSProperties {
  const transform = `translate(${left}px, ${top}px)`;
  return seen === null
    ? { width, height, transform, visibility: 'hidden' }
    : { width, height, transform, zIndex: seen.seat };
}

/** On a person's picture: a raised hand with its place, and on the own one what the chair has muted. */
function PersonExtras({ tile }: { tile: Tile }) {
  const t = useT();
  const { own, handPlace } = tile;
  return (
    <>
      {own && <Held tile={tile} />}
      {handPlace !== null && (
        <div className="tile-hand">
          <Sign icon="hand" text={t('hands.place', { place: handPlace })} look="plain" />
          <span className="tile-hand-place" aria-hidden="true">
            {handPlace}
          </span>
        </div>
      )}
    </>
  );
}

/** On air, role and muted microphone. */
function PersonSigns({ tile: { onAir, part, connected, muted, microphoneOn } }: { tile: Tile }) {
  const t = useT();
  return (
    <>
      {onAir && <span className="tile-tag tile-tag-on-air">{t('people.onAir')}</span>}
      {part !== null && <span className="tile-tag">{t(`people.${part}`)}</span>}
      {connected && (muted || !microphoneOn) && (
        <Sign icon="micOff" text={t(muted ? 'people.micHeld' : 'room.muted')} look={muted ? 'held' : 'danger'} />
      )}
    </>
  );
}

function ConnectionSigns({ tile: { connected, quality } }: { tile: Tile }) {
  const t = useT();
  return (
    <>
      {!connected && <span className="tile-connecting">{t('room.connecting')}</span>}
      {quality === 'poor' && <Sign icon="weak" text={t('room.qualityPoor')} look="plain" />}
      {quality === 'lost' && <Sign icon="weak" text={t('room.qualityLost')} look="danger" />}
    </>
  );
}

/** Two presses of a button, such as that to zoom, are no double click on the picture. */
function pressedTwice({ target, currentTarget }: MouseEvent<HTMLElement>): void {
  if (target instanceof Element && target.closest('button') === null) toggleFull(currentTarget);
}

/** On iPhones only videos can fill the screen, in the system's player; TypeScript does not know its method. */
type PhoneVideo = HTMLVideoElement & { webkitEnterFullscreen?: () => void };

const mayFill = ({ video }: Tile): boolean =>
  document.fullscreenEnabled || (video !== null && 'webkitEnterFullscreen' in HTMLVideoElement.prototype);

/** Fills the screen with a tile, or leaves full screen. Browsers may refuse, for example in a frame. */
function toggleFull(tile: HTMLElement | null): void {
  if (tile === null) return;
  if (!document.fullscreenEnabled) {
    tile.querySelector<PhoneVideo>('video')?.webkitEnterFullscreen?.();
    return;
  }
  const done = document.fullscreenElement === tile ? document.exitFullscreen() : tile.requestFullscreen();
  done.catch(() => undefined);
}

function nameOf(tile: Tile, t: T): string {
  if (tile.kind === 'screen') return screenName(tile, t);
  return tile.own ? t('room.you', { name: tile.name }) : tile.name;
}

function screenName(tile: Tile, t: T): string {
  return tile.own ? t('room.ownScreen') : t('room.screenOf', { name: tile.name });
}

/** On the user's own picture: why the others do not hear or see them. */
function Held({ tile: { muted, cameraOff } }: { tile: Tile }) {
  const t = useT();
  if (!muted && !cameraOff) return null;
  const why = t(muted && cameraOff ? 'held.both' : muted ? 'held.microphone' : 'held.camera');
  return (
    <p className="tile-held" title={why} data-testid="held">
      {why}
    </p>
  );
}

function Avatar({ tile, size }: { tile: Tile; size: number }) {
  const diameter = Math.max(36, Math.min(140, Math.round(size * 0.45)));
  const style: CSSProperties = {
    width: diameter,
    height: diameter,
    fontSize: Math.round(diameter * 0.38),
    background: colourOf(tile.termId),
  };
  return (
    <div className="tile-avatar" style={style} aria-hidden="true">
      {initialsOf(tile.name)}
    </div>
  );
}

function Sign({
  icon,
  text,
  look,
}: {
  icon: 'micOff' | 'weak' | 'hand';
  text: string;
  look: 'plain' | 'danger' | 'held';
}) {
  return (
    <span className={`tile-sign tile-sign-${look}`} title={text}>
      <Icon name={icon} size={16} />
      <span className="visually-hidden">{text}</span>
    </span>
  );
}
