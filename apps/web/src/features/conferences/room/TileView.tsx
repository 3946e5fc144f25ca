import type { LayoutCell } from '@rmeet/conference';
import { memo, useCallback, type CSSProperties, type ReactNode } from 'react';
import type { Tile } from '../../../call/index.ts';
import { Icon } from '../../../ui/icons.tsx';
import { colourOf, initialsOf } from '../shared/initials.ts';
import { useT, type T } from '../texts.ts';
import { Video } from '../shared/Video.tsx';
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
  onPin: ((key: string | null) => void) | null;
  /** The menu of commands for this person. */
  menu?: ((tile: Tile) => ReactNode) | undefined;
  onFrame: (key: string, has: boolean) => void;
}

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
}: TileViewProps) {
  const t = useT();
  const name = nameOf(tile, t);
  const classes = [
    'tile',
    tile.speaking ? 'tile-speaking' : '',
    width < 200 ? 'tile-small' : '',
    tile.kind === 'screen' ? 'tile-screen' : '',
  ];
  const style = tileStyle({ left, top, width, height }, seen ? { seat } : null);
  const { key } = tile;
  const notifyFrame = useCallback((has: boolean) => onFrame(key, has), [onFrame, key]);
  const isPerson = tile.kind === 'camera';
  return (
    <li
      className={classes.filter(Boolean).join(' ')}
      style={style}
      aria-hidden={!seen}
      data-tile={tile.key}
      data-testid={seen ? `tile-${tile.key}` : `ready-${tile.key}`}
      {...(seen ? { 'data-area': area, 'data-seat': seat } : {})}
      data-own={tile.own}
      data-speaking={tile.speaking}
    >
      {tile.video === null ? (
        <Avatar tile={tile} size={Math.min(width, height)} />
      ) : (
        <Video video={tile.video} whole={!isPerson} aspect={width / height} label={name} onFrame={notifyFrame} />
      )}
      <div className="tile-label">
        {isPerson && <PersonSigns tile={tile} />}
        <span className="tile-name" title={name}>
          {name}
        </span>
        <ConnectionSigns tile={tile} />
      </div>
      {isPerson && <PersonExtras tile={tile} menu={seen ? menu : undefined} />}
      {onPin !== null && <PinButton name={name} pinned={pinned} onPin={(pin) => onPin(pin ? tile.key : null)} />}
    </li>
  );
});

/** Unseen tiles are decoded but hidden; later seats lie above the seats that contain them. */
function tileStyle({ left, top, width, height }: TilePlace, seen: { seat: number | undefined } | null): CSSProperties {
  const transform = `translate(${left}px, ${top}px)`;
  return seen === null
    ? { width, height, transform, visibility: 'hidden' }
    : { width, height, transform, zIndex: seen.seat };
}

/** On a person's picture: a raised hand with its place, the menu of commands, and on the own one what is held. */
function PersonExtras({ tile, menu }: Pick<TileViewProps, 'tile' | 'menu'>) {
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
      {menu?.(tile)}
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

function PinButton({ name, pinned, onPin }: { name: string; pinned: boolean; onPin: (pin: boolean) => void }) {
  const t = useT();
  const label = t(pinned ? 'room.unpin' : 'room.pin', { name });
  return (
    <button
      type="button"
      className="tile-pin"
      aria-pressed={pinned}
      aria-label={label}
      title={label}
      onClick={() => onPin(!pinned)}
    >
      <Icon name="pin" size={18} />
    </button>
  );
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
