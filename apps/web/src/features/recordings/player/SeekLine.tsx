import { positionOf, type RecordingTimeline } from '@rmeet/contract';
import { useRef, useState, type CSSProperties, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';
import { useT } from '../texts.ts';
import { clockWords } from '../words.ts';
import { chapterAt, useChapterWords } from './chapters.ts';
import { nextKept, seamsOf } from './line.ts';
import type { Player } from './player.ts';
import { usePlayerState } from './usePlayer.ts';

/** The percentage of the line that a position is at. */
export const shareOf = (position: number, length: number): string => `${length === 0 ? 0 : (position / length) * 100}%`;

interface SeekLineProps {
  player: Player;
  chapters: RecordingTimeline['chapters'];
  /** What lies on the line: what an edit leaves out. */
  children?: ReactNode;
}

/** The line to seek on: what is played and loaded, chapters, what is left out, and the time under the pointer. */
export function SeekLine({ player, chapters, children }: SeekLineProps) {
  const t = useT();
  const state = usePlayerState(player);
  const { kept, length, position } = player;
  const words = useChapterWords();
  const [pointed, setPointed] = useState<number | null>(null);
  const line = useRef<HTMLDivElement>(null);
  const chapter = chapterAt(chapters, state.clock);

  const point = ({ clientX }: PointerEvent) => {
    const box = line.current?.getBoundingClientRect();
    if (box) setPointed(Math.max(0, Math.min((clientX - box.left) / box.width, 1)) * length);
  };
  // The range's own steps are too small for a long recording; Home and End stay.
  const keyDown = (event: KeyboardEvent) => {
    const by = {
      ArrowLeft: -5_000,
      ArrowDown: -5_000,
      ArrowRight: 5_000,
      ArrowUp: 5_000,
      PageUp: 60_000,
      PageDown: -60_000,
    }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    player.skip(by);
  };
  return (
    <div ref={line} className="seek" onPointerMove={point} onPointerLeave={() => setPointed(null)}>
      <div className="seek-track">
        <span className="seek-loaded" style={{ width: shareOf(positionOf(kept, state.loaded), length) }} />
        <span className="seek-played" style={{ width: shareOf(position, length) }} />
      </div>
      {children}
      <Marks player={player} chapters={chapters} />
      <input
        type="range"
        min={0}
        max={Math.max(1, Math.round(length))}
        step={100}
        value={Math.round(position)}
        aria-label={t('player.seek')}
        aria-valuetext={[
          t('player.timeOf', { time: clockWords(position), length: clockWords(length) }),
          ...(chapter ? [words(chapter)] : []),
        ].join(', ')}
        data-testid="seek"
        onKeyDown={keyDown}
        onChange={({ target }) => player.seek(Number(target.value))}
      />
      {pointed !== null && <Preview player={player} position={pointed} chapters={chapters} />}
    </div>
  );
}

/** Chapters, and where something is left out. */
function Marks({ player: { kept, length }, chapters }: SeekLineProps) {
  return (
    <>
      {chapters
        .filter(({ at }) => nextKept(kept, at) !== null)
        .map(({ at, kind, text }) => (
          <i
            key={`${at} ${kind} ${text}`}
            className={`seek-chapter seek-${kind}`}
            style={{ left: shareOf(positionOf(kept, at), length) }}
          />
        ))}
      {seamsOf(kept).map((at) => (
        <i key={at} className="seek-seam" style={{ left: shareOf(positionOf(kept, at), length) }} />
      ))}
    </>
  );
}

interface PreviewProps {
  player: Player;
  position: number;
  chapters: RecordingTimeline['chapters'];
}

function Preview({ player: { kept, length }, position, chapters }: PreviewProps) {
  const words = useChapterWords();
  const chapter = chapters.findLast(({ at }) => positionOf(kept, at) <= position);
  return (
    <div className="seek-preview" style={{ '--at': shareOf(position, length) } as CSSProperties}>
      {clockWords(position)}
      {chapter && <small>{words(chapter)}</small>}
    </div>
  );
}
