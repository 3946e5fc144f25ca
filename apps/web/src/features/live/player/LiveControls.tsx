import { BROADCAST_QUALITIES } from '@rmeet/contract';
import type { RefObject } from 'react';
import { IconButton } from '../../../ui/IconButton.tsx';
import type { FullScreen } from '../../../ui/player/useFullScreen.ts';
import { useT } from '../texts.ts';
import type { LivePlayer, LiveState } from './livePlayer.ts';

interface LiveControlsProps {
  player: LivePlayer;
  state: LiveState;
  isLive: boolean;
  video: RefObject<HTMLVideoElement | null>;
  full: FullScreen;
  mayPictureIn: boolean;
  /** There is more than one picture to choose. */
  hasQualities: boolean;
}

/** The buttons at the bottom of the picture. */
export function LiveControls({ player, state, isLive, video, full, mayPictureIn, hasQualities }: LiveControlsProps) {
  const t = useT();
  const { isPlaying, status } = state;
  return (
    <div className="live-controls">
      {!isLive && <Seek player={player} state={state} />}
      <div className="live-controls-row">
        <IconButton
          icon={isPlaying ? 'pause' : 'play'}
          label={t(isPlaying ? 'player.pause' : 'player.play')}
          data-testid="live-play"
          onClick={() => player.toggle()}
        />
        <Volume player={player} state={state} />
        {isLive && <Edge player={player} state={state} />}
        <span className="live-controls-space" />
        {isLive && hasQualities && state.canChoose && <QualityChoice player={player} state={state} />}
        {mayPictureIn && document.pictureInPictureEnabled && (
          <IconButton
            icon="pictureIn"
            label={t('player.pictureIn')}
            disabled={status !== 'ready'}
            data-testid="live-picture-in"
            onClick={() => togglePictureIn(video.current)}
          />
        )}
        <FullScreenButton full={full} video={video} />
      </div>
    </div>
  );
}

/** Phones of Apple fill the screen only with the video itself. */
type PhoneVideo = HTMLVideoElement & { webkitEnterFullscreen?: () => void };

function FullScreenButton({ full, video }: Pick<LiveControlsProps, 'full' | 'video'>) {
  const t = useT();
  const phone = () => {
    const element: PhoneVideo | null = video.current;
    element?.webkitEnterFullscreen?.();
  };
  const isPhone = !full.isPossible && 'webkitEnterFullscreen' in HTMLVideoElement.prototype;
  if (!full.isPossible && !isPhone) return null;
  return (
    <IconButton
      icon={full.isOn ? 'fullScreenEnd' : 'fullScreen'}
      label={t(full.isOn ? 'player.fullScreenEnd' : 'player.fullScreen')}
      data-testid="live-full"
      onClick={() => (full.isPossible ? full.toggle() : phone())}
    />
  );
}

function togglePictureIn(video: HTMLVideoElement | null): void {
  const change = document.pictureInPictureElement ? document.exitPictureInPicture() : video?.requestPictureInPicture();
  // Refused while there is no picture yet.
  change?.catch(() => undefined);
}

function Volume({ player, state: { isMuted, volume } }: Pick<LiveControlsProps, 'player' | 'state'>) {
  const t = useT();
  return (
    <>
      <IconButton
        icon={isMuted ? 'soundOff' : 'sound'}
        label={t(isMuted ? 'player.unmute' : 'player.mute')}
        data-testid="live-mute"
        onClick={() => player.setMuted(!isMuted)}
      />
      <input
        type="range"
        className="live-volume"
        min={0}
        max={1}
        step={0.05}
        value={isMuted ? 0 : volume}
        aria-label={t('player.volume')}
        data-testid="live-volume"
        onChange={({ target }) => player.setVolume(Number(target.value))}
      />
    </>
  );
}

/** So far behind it is still what is shown now. */
const LIVE_WITHIN = 10;

/** How far behind the broadcast it is, and the way back to it. */
function Edge({ player, state: { behind, isPlaying, status } }: Pick<LiveControlsProps, 'player' | 'state'>) {
  const t = useT();
  if (status !== 'ready') return null;
  const isLate = (behind ?? 0) > LIVE_WITHIN || !isPlaying;
  const seconds = behind === null ? null : Math.round(behind);
  return (
    <>
      <span className="live-edge" data-late={isLate} data-testid="live-behind">
        {seconds === null ? t('player.live') : t('player.behind', { count: seconds })}
      </span>
      {isLate && (
        <button type="button" className="live-back" data-testid="live-back" onClick={() => player.toLive()}>
          {t('player.toLive')}
        </button>
      )}
    </>
  );
}

/** Which picture is played. */
function QualityChoice({ player, state: { quality } }: Pick<LiveControlsProps, 'player' | 'state'>) {
  const t = useT();
  return (
    <select
      className="live-quality"
      value={quality ?? ''}
      aria-label={t('player.quality')}
      data-testid="live-quality"
      onChange={({ target }) => player.choose(BROADCAST_QUALITIES.find((one) => one === target.value) ?? null)}
    >
      <option value="">{t('player.qualities.auto')}</option>
      {BROADCAST_QUALITIES.map((one) => (
        <option key={one} value={one}>
          {t(`player.qualities.${one}`)}
        </option>
      ))}
    </select>
  );
}

function Seek({ player, state: { position, length } }: Pick<LiveControlsProps, 'player' | 'state'>) {
  const t = useT();
  return (
    <div className="live-seek">
      <span>{clock(position)}</span>
      <input
        type="range"
        min={0}
        max={Math.max(1, Math.floor(length))}
        step={1}
        value={Math.floor(position)}
        aria-label={t('player.position')}
        aria-valuetext={t('player.at', { time: clock(position), length: clock(length) })}
        data-testid="live-seek"
        onChange={({ target }) => player.seek(Number(target.value))}
      />
      <span>{clock(length)}</span>
    </div>
  );
}

/** `4:05`, `1:02:09`. */
function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  const two = (value: number): string => String(value).padStart(2, '0');
  const [h, m, s] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60];
  return `${h > 0 ? `${h}:${two(m)}` : m}:${two(s)}`;
}
