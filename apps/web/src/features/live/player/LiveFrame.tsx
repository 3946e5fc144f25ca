import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { useFullScreen } from '../../../ui/player/useFullScreen.ts';
import { useResting } from '../../../ui/player/useResting.ts';
import { Watermark } from '../../../ui/player/Watermark.tsx';
import { useT } from '../texts.ts';
import { LiveControls } from './LiveControls.tsx';
import { LivePlayer, type LiveState } from './livePlayer.ts';
import '../../../ui/player-icons.tsx';
import './player.css';

interface LiveFrameProps {
  /** Of the playlist, and of the list of qualities of a broadcast; without a signature. */
  address: string;
  qualities: string | null;
  sign: () => string;
  /** Not a replay. */
  isLive: boolean;
  subject: string;
  /** Over the picture; null: none. */
  watermark: string | null;
  /** There is more than one picture to choose. */
  hasQualities: boolean;
}

/** Plays a broadcast or its replay, with its controls over the picture. */
export function LiveFrame({ address, qualities, sign, isLive, subject, watermark, hasQualities }: LiveFrameProps) {
  const t = useT();
  const frame = useRef<HTMLElement>(null);
  const video = useRef<HTMLVideoElement>(null);
  const player = useMemo(
    () => new LivePlayer({ address, qualities, sign, isLive }),
    [address, qualities, sign, isLive],
  );
  const state = useSyncExternalStore(player.subscribe, player.get);
  const full = useFullScreen(frame);
  const isResting = useResting(frame, state.isPlaying);
  useEffect(() => (video.current === null ? undefined : player.open(video.current)), [player]);
  return (
    <section ref={frame} className="live-player" aria-label={t('player.label', { subject })} data-resting={isResting}>
      <video
        ref={video}
        playsInline
        disablePictureInPicture={watermark !== null}
        data-testid="live-video"
        onClick={() => player.toggle()}
      />
      {watermark !== null && <Watermark name={watermark} />}
      <Overlay player={player} state={state} isLive={isLive} />
      <LiveControls
        player={player}
        state={state}
        isLive={isLive}
        video={video}
        full={full}
        // A picture that floats above other windows has no watermark.
        mayPictureIn={watermark === null}
        hasQualities={hasQualities}
      />
    </section>
  );
}

interface OverlayProps {
  player: LivePlayer;
  state: LiveState;
  isLive: boolean;
}

/** What lies over the picture: waiting, why nothing plays, and the sound that browsers allow only after a press. */
function Overlay({ player, state, isLive }: OverlayProps) {
  const t = useT();
  const { status, isPlaying, isMuted, isStalled, isAwaited } = state;
  if (status === 'failed')
    return (
      <div className="live-player-note" role="alert" data-testid="live-failed">
        <p>{t('player.failed')}</p>
        <Button onClick={() => player.tryAgain()}>{t('player.again')}</Button>
      </div>
    );
  if (isAwaited)
    return (
      <div className="live-player-note" role="status" data-testid="live-awaited">
        <p>{t('player.awaited')}</p>
        <p>{t('player.awaitedHint')}</p>
      </div>
    );
  if (status === 'connecting')
    return (
      <div className="live-player-note" role="status" data-testid="live-connecting">
        <span className="live-player-turn" aria-hidden="true" />
        <p>{t(isLive ? 'player.connecting' : 'player.loading')}</p>
      </div>
    );
  if (!isPlaying && !isStalled)
    return (
      <button
        type="button"
        className="live-player-large"
        aria-label={t('player.play')}
        data-testid="live-play-large"
        onClick={() => player.play()}
      >
        <Icon name="play" size={36} />
      </button>
    );
  return (
    <>
      {isStalled && (
        <span className="live-player-turn live-player-stalled" role="status" aria-label={t('player.wait')} />
      )}
      {isLive && isMuted && (
        <button
          type="button"
          className="live-player-sound"
          data-testid="live-sound"
          onClick={() => player.setMuted(false)}
        >
          <Icon name="soundOff" size={20} />
          {t('player.soundOn')}
        </button>
      )}
    </>
  );
}
