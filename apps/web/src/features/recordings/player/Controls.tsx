import { useRef, useState, type RefObject } from 'react';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Popover } from '../../../ui/Popover.tsx';
import { Select } from '../../../ui/Select.tsx';
import { useT } from '../texts.ts';
import { KEY_HELP } from './keys.ts';
import { RATES, type Player } from './player.ts';
import type { FullScreen } from '../../../ui/player/useFullScreen.ts';
import { usePlayerState } from './usePlayer.ts';

interface Switch {
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

interface ControlsProps {
  player: Player;
  video: RefObject<HTMLVideoElement | null>;
  full: FullScreen;
  /** Null: there are none. */
  captions: Switch | null;
  seen: Switch | null;
  /** A picture that floats above other windows has no watermark. */
  mayPictureIn: boolean;
  onLink: () => void;
}

/** The buttons of the player. */
// oxlint-disable-next-line max-lines-per-function -- plain JSX of one row
export function Controls({ player, video, full, captions, seen, mayPictureIn, onLink }: ControlsProps) {
  const t = useT();
  const { isPlaying, isEnded, rate, status } = usePlayerState(player);
  const isOff = status === 'empty' || status === 'refused';
  return (
    <div className="player-controls">
      <IconButton
        icon={isPlaying ? 'pause' : 'play'}
        label={t(isPlaying ? 'player.pause' : isEnded ? 'player.replay' : 'player.play')}
        disabled={isOff}
        data-testid="play"
        onClick={() => player.toggle()}
      />
      <IconButton icon="back" label={t('player.back')} disabled={isOff} onClick={() => player.skip(-10_000)} />
      <IconButton icon="forward" label={t('player.forward')} disabled={isOff} onClick={() => player.skip(10_000)} />
      <Volume player={player} />
      <span className="player-space" />
      {seen && (
        <button
          type="button"
          className="player-seen"
          aria-pressed={seen.isOn}
          title={t('player.seenHint')}
          data-testid="as-seen"
          onClick={() => seen.onChange(!seen.isOn)}
        >
          {t('player.seen')}
        </button>
      )}
      {captions && (
        <IconButton
          icon="subtitles"
          label={t('player.captions')}
          aria-pressed={captions.isOn}
          data-testid="captions"
          onClick={() => captions.onChange(!captions.isOn)}
        />
      )}
      <Select
        label={t('player.rate')}
        value={String(rate)}
        options={RATES.map((one) => ({ value: String(one), label: t('player.times', { rate: one }) }))}
        onChange={(value) => player.setRate(Number(value))}
        data-testid="rate"
      />
      <IconButton icon="link" label={t('player.link')} data-testid="copy-second" onClick={onLink} />
      {mayPictureIn && document.pictureInPictureEnabled && (
        <IconButton
          icon="pictureIn"
          label={t('player.pictureIn')}
          className="player-wide"
          disabled={status !== 'ready'}
          data-testid="picture-in"
          onClick={() => togglePictureIn(video.current)}
        />
      )}
      <Keys />
      {full.isPossible && (
        <IconButton
          icon={full.isOn ? 'fullScreenEnd' : 'fullScreen'}
          label={t(full.isOn ? 'player.fullScreenEnd' : 'player.fullScreen')}
          data-testid="full-screen"
          onClick={full.toggle}
        />
      )}
    </div>
  );
}

function togglePictureIn(video: HTMLVideoElement | null): void {
  const change = document.pictureInPictureElement ? document.exitPictureInPicture() : video?.requestPictureInPicture();
  // Refused while there is no picture yet.
  change?.catch(() => undefined);
}

function Volume({ player }: { player: Player }) {
  const t = useT();
  const { volume, isMuted } = usePlayerState(player);
  const isOff = isMuted || volume === 0;
  return (
    <>
      <IconButton
        icon={isOff ? 'soundOff' : 'sound'}
        label={t(isOff ? 'player.unmute' : 'player.mute')}
        data-testid="mute"
        onClick={() => player.toggleMuted()}
      />
      <input
        type="range"
        className="player-volume"
        min={0}
        max={1}
        step={0.05}
        value={isMuted ? 0 : volume}
        aria-label={t('player.volume')}
        data-testid="volume"
        onKeyDown={(event) => event.stopPropagation()}
        onChange={({ target }) => player.setVolume(Number(target.value))}
      />
    </>
  );
}

/** The help of the keys. */
function Keys() {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLSpanElement>(null);
  return (
    <span ref={button} className="player-wide">
      <IconButton
        icon="keyboard"
        label={t('player.keys')}
        aria-expanded={isOpen}
        data-testid="keys"
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen && (
        <Popover
          label={t('player.keys')}
          anchor={() => button.current?.querySelector('button') ?? null}
          onClose={() => setOpen(false)}
          testId="keys-help"
        >
          <dl className="player-keys" tabIndex={0}>
            {KEY_HELP.map(([keys, what]) => (
              <div key={keys}>
                <dt>
                  <kbd>{keys === 'Space' ? t('key.space') : keys}</kbd>
                </dt>
                <dd>{t(`key.${what}`)}</dd>
              </div>
            ))}
          </dl>
        </Popover>
      )}
    </span>
  );
}
