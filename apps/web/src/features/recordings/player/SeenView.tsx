import type { RecordingTrack } from '@rmeet/contract';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useT } from '../texts.ts';
import { Follower } from './follower.ts';
import type { Player } from './player.ts';
import { seenAt, type Seen, type SeenCell } from './seen.ts';
import { usePlayerState } from './usePlayer.ts';

/** The meeting as it was seen: the pictures of its terminals, arranged for the viewer's screen. */
export function SeenView({ player, seen }: { player: Player; seen: Seen }) {
  const t = useT();
  const { clock } = usePlayerState(player);
  const box = useRef<HTMLDivElement>(null);
  const [screen, setScreen] = useState({ width: 0, height: 0 });
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setScreen({ width: element.clientWidth, height: element.clientHeight }));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const cells = useMemo(() => (screen.width === 0 ? [] : seenAt(seen, clock, screen)), [seen, clock, screen]);
  return (
    <div ref={box} className="seen" role="group" aria-label={t('player.seen')} data-testid="seen">
      {cells.map((cell) => (
        <SeenTile key={`${cell.key} ${cell.track?.id ?? ''}`} cell={cell} player={player} />
      ))}
      {cells.length === 0 && <p className="player-note">{t('player.seenNobody')}</p>}
    </div>
  );
}

function SeenTile({ cell, player }: { cell: SeenCell; player: Player }) {
  const { key, name, x, y, width, height, kind, isOnAir, track } = cell;
  const percent = (share: number): string => `${share * 100}%`;
  return (
    <figure
      className="seen-tile"
      data-onair={isOnAir}
      data-kind={kind}
      data-key={key}
      data-testid="seen-tile"
      style={{ left: percent(x), top: percent(y), width: percent(width), height: percent(height) }}
    >
      <span className="seen-card" aria-hidden="true">
        {/\S/u.exec(name)?.[0].toUpperCase()}
      </span>
      {track !== null && <Picture track={track} player={player} />}
      <figcaption>{name}</figcaption>
    </figure>
  );
}

/** The picture; the name card below it shows until it can be drawn, and where it cannot. */
function Picture({ track, player }: { track: RecordingTrack; player: Player }) {
  const video = useRef<HTMLVideoElement>(null);
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    if (video.current === null) return undefined;
    return new Follower(player, track, video.current).start(() => setBroken(true));
  }, [player, track]);
  return <video ref={video} muted playsInline disablePictureInPicture hidden={isBroken} tabIndex={-1} />;
}
