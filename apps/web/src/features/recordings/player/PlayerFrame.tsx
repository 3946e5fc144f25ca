import type { RecordingTimeline } from '@rmeet/contract';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { copyText } from '../../../lib/clipboard.ts';
import { Button } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { useT } from '../texts.ts';
import { clockWords } from '../words.ts';
import { Controls } from './Controls.tsx';
import { floorOf } from './floor.ts';
import type { Player, PlayerState } from './player.ts';
import { SeekLine } from './SeekLine.tsx';
import { statesOf, type Seen } from './seen.ts';
import { SeenView } from './SeenView.tsx';
import { SpeakerRows } from './SpeakerRows.tsx';
import { useFullScreen } from '../../../ui/player/useFullScreen.ts';
import { usePlayerState } from './usePlayer.ts';
import { usePlayerKeys } from './usePlayerKeys.ts';
import { useResting } from '../../../ui/player/useResting.ts';
import { Watermark } from '../../../ui/player/Watermark.tsx';
import '../../../ui/player-icons.tsx';
import './player.css';

/** What the player knows of the meeting; links without sign-in know less. */
type Shown = Pick<RecordingTimeline, 'chapters' | 'speaking' | 'gaps'> &
  Partial<Pick<RecordingTimeline, 'captions' | 'control'>>;

interface PlayerFrameProps {
  player: Player;
  subject: string;
  shown: Shown;
  /** Over the picture; null: none. */
  watermark: string | null;
  /** On the seek line, and below it: how an edit is made. */
  onLine?: ReactNode;
  below?: ReactNode;
}

/** The player: picture, controls, seek line, and who spoke when. Keys work wherever the focus is on the page. */
// oxlint-disable-next-line max-lines-per-function -- plain JSX of one frame
export function PlayerFrame({ player, subject, shown, watermark, onLine, below }: PlayerFrameProps) {
  const t = useT();
  const frame = useRef<HTMLElement>(null);
  const video = useRef<HTMLVideoElement>(null);
  const [isSeen, setSeen] = useState(false);
  const [hasCaptions, setCaptions] = useState(true);
  const full = useFullScreen(frame);
  const { isPlaying } = usePlayerState(player);
  // An edit needs its fields; else the picture has the whole screen.
  const isOver = full.isOn && onLine === undefined;
  const isResting = useResting(frame, isOver && isPlaying);
  const { tracks } = player.played.recording;
  const { captions = [], control, speaking } = shown;
  const seen = useMemo(
    (): Seen => ({ tracks, states: control ? statesOf(control) : [], floor: floorOf(speaking) }),
    [tracks, control, speaking],
  );
  const maySee = tracks.some(({ kind }) => kind === 'camera');

  useEffect(() => (video.current === null ? undefined : player.open(video.current)), [player]);
  usePlayerKeys(player, { fullScreen: full.toggle, captions: () => setCaptions(!hasCaptions) });

  return (
    <section
      ref={frame}
      className="player"
      aria-label={t('player.label', { subject })}
      data-full={full.isOn}
      data-over={isOver}
      data-resting={isResting}
      data-popovers
    >
      <div className="player-picture" data-seen={isSeen}>
        <video
          ref={video}
          playsInline
          disablePictureInPicture={watermark !== null}
          controlsList="nodownload"
          data-testid="player-video"
          onClick={() => player.toggle()}
        />
        {isSeen && <SeenView player={player} seen={seen} />}
        {hasCaptions && <Caption player={player} captions={captions} />}
        {watermark !== null && <Watermark name={watermark} />}
        <Overlay player={player} />
      </div>
      <div className="player-panel">
        <Controls
          player={player}
          video={video}
          full={full}
          captions={captions.length === 0 ? null : { isOn: hasCaptions, onChange: setCaptions }}
          seen={maySee ? { isOn: isSeen, onChange: setSeen } : null}
          mayPictureIn={watermark === null}
          onLink={() => void copyText(linkTo(player.clockNow), () => t('player.linkCopied'))}
        />
        <div className="player-line">
          <Time player={player} />
          <SeekLine player={player} chapters={shown.chapters}>
            {onLine}
          </SeekLine>
        </div>
        {!full.isOn && <SpeakerRows player={player} speaking={speaking} />}
        {!isOver && below}
      </div>
    </section>
  );
}

/** This page, at a second. */
function linkTo(time: number): string {
  return `${location.href.split('?')[0]}?t=${Math.floor(time / 1_000)}`;
}

function Time({ player }: { player: Player }) {
  usePlayerState(player);
  const { position, length } = player;
  return (
    <span className="player-time" data-testid="player-time">
      <b>{clockWords(position)}</b>
      {` / ${clockWords(length)}`}
    </span>
  );
}

function Caption({ player, captions }: { player: Player; captions: RecordingTimeline['captions'] }) {
  const { clock } = usePlayerState(player);
  const shown = captions.findLast(({ from, to }) => from <= clock && (to === null || clock < to));
  if (shown === undefined) return null;
  return (
    <p className="player-caption" data-testid="caption">
      {shown.text}
    </p>
  );
}

/** What lies over the picture: the large button to play, waiting, and why nothing plays. */
function Overlay({ player }: { player: Player }) {
  const t = useT();
  const { status, isPlaying, isWaiting, isEnded } = usePlayerState(player);
  // A pause shows the picture, so the large button is there only before the first start.
  const [isBegun, setBegun] = useState(false);
  if (isPlaying && !isBegun) setBegun(true);
  if (status !== 'loading' && status !== 'ready') return <Failure status={status} />;
  if (status === 'loading' || (isWaiting && isPlaying))
    return <span className="player-waiting" role="status" aria-label={t('player.loading')} />;
  if (isPlaying || (isBegun && !isEnded)) return null;
  return (
    <button
      type="button"
      className="player-large"
      aria-label={t(isEnded ? 'player.replay' : 'player.play')}
      data-testid="player-large"
      onClick={() => player.play()}
    >
      <Icon name={isEnded ? 'back' : 'play'} size={36} />
    </button>
  );
}

function Failure({ status }: { status: Exclude<PlayerState['status'], 'loading' | 'ready'> }) {
  const t = useT();
  const mayPass = status === 'broken' || status === 'unavailable';
  return (
    <div className="player-failure" role="alert" data-testid="player-failure">
      <p>{t(`player.${status}`)}</p>
      {mayPass && <Button onClick={() => location.reload()}>{t('player.again')}</Button>}
    </div>
  );
}
