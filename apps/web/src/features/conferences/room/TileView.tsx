import { memo, type CSSProperties } from 'react';
import type { Tile } from '../../../call/index.ts';
import { Icon } from '../icons.tsx';
import { colourOf, initialsOf } from '../model/initials.ts';
import { useT } from '../texts.ts';
import { Video } from '../Video.tsx';

interface TileViewProps {
  tile: Tile;
  width: number;
  height: number;
  pinned: boolean;
  onPin: (key: string | null) => void;
}

/** One person, or one shared screen. */
export const TileView = memo(function TileView({ tile, width, height, pinned, onPin }: TileViewProps) {
  const t = useT();
  const name = tile.kind === 'screen' ? screenName(tile, t) : tile.own ? t('room.you', { name: tile.name }) : tile.name;
  const small = width < 200;
  const classes = ['tile', tile.speaking ? 'tile-speaking' : '', small ? 'tile-small' : '', tile.kind === 'screen' ? 'tile-screen' : ''];
  const style: CSSProperties = { width, height };
  return (
    <li className={classes.filter(Boolean).join(' ')} style={style} data-testid={`tile-${tile.key}`} data-speaking={tile.speaking}>
      {tile.video === null ? <Avatar tile={tile} size={Math.min(width, height)} /> : <Video video={tile.video} whole={tile.kind === 'screen'} aspect={width / height} label={name} />}
      <div className="tile-label">
        {tile.kind === 'camera' && tile.connected && !tile.microphoneOn && <Sign icon="micOff" text={t('room.muted')} danger />}
        <span className="tile-name" title={name}>{name}</span>
        {!tile.connected && <span className="tile-connecting">{t('room.connecting')}</span>}
        {tile.quality === 'poor' && <Sign icon="weak" text={t('room.qualityPoor')} />}
        {tile.quality === 'lost' && <Sign icon="weak" text={t('room.qualityLost')} danger />}
      </div>
      {tile.handRaisedAt !== null && tile.kind === 'camera' && (
        <div className="tile-hand">
          <Sign icon="hand" text={t('room.handUp')} />
        </div>
      )}
      <button
        type="button"
        className="tile-pin"
        aria-pressed={pinned}
        aria-label={t(pinned ? 'room.unpin' : 'room.pin', { name })}
        title={t(pinned ? 'room.unpin' : 'room.pin', { name })}
        onClick={() => onPin(pinned ? null : tile.key)}
      >
        <Icon name="pin" size={18} />
      </button>
    </li>
  );
});

function screenName(tile: Tile, t: ReturnType<typeof useT>): string {
  return tile.own ? t('room.ownScreen') : t('room.screenOf', { name: tile.name });
}

function Avatar({ tile, size }: { tile: Tile; size: number }) {
  const diameter = Math.max(36, Math.min(140, Math.round(size * 0.45)));
  const style: CSSProperties = { width: diameter, height: diameter, fontSize: Math.round(diameter * 0.38), background: colourOf(tile.termId) };
  return (
    <div className="tile-avatar" style={style} aria-hidden="true">
      {initialsOf(tile.name)}
    </div>
  );
}

function Sign({ icon, text, danger = false }: { icon: 'micOff' | 'weak' | 'hand'; text: string; danger?: boolean }) {
  return (
    <span className={danger ? 'tile-sign tile-sign-danger' : 'tile-sign'} title={text}>
      <Icon name={icon} size={16} />
      <span className="visually-hidden">{text}</span>
    </span>
  );
}
