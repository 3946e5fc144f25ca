import { positionOf, type RecordingTimeline, type Stretch } from '@rmeet/contract';
import { useMemo, useState, type PointerEvent } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { useT } from '../texts.ts';
import { clockWords } from '../words.ts';
import type { Player } from './player.ts';
import { shareOf } from './SeekLine.tsx';
import { usePlayerState } from './usePlayer.ts';

/** Rows that are shown at first. */
const ROWS = 8;
/** A bar is at least this part of the line, to be seen at all. */
const LEAST = 1 / 500;

interface Row {
  termId: string;
  name: string;
  /** Positions. */
  bars: { from: number; to: number }[];
  /** Ms that were spoken. */
  spoken: number;
}

/** Who spoke when, in positions of what is played; who spoke longest first. */
function rowsOf(speaking: RecordingTimeline['speaking'], kept: readonly Stretch[]): Row[] {
  return speaking
    .map(({ termId, name, spans }) => {
      const bars = spans
        .map(({ from, to }) => ({ from: positionOf(kept, from), to: positionOf(kept, to) }))
        .filter(({ from, to }) => to > from);
      return { termId, name, bars, spoken: bars.reduce((sum, { from, to }) => sum + to - from, 0) };
    })
    .filter(({ bars }) => bars.length > 0)
    .toSorted((a, b) => b.spoken - a.spoken);
}

/** Who spoke when, as bars below the seek line; a name leads to the next time they speak. */
export function SpeakerRows({ player, speaking }: { player: Player; speaking: RecordingTimeline['speaking'] }) {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  const rows = useMemo(() => rowsOf(speaking, player.kept), [speaking, player]);
  if (rows.length === 0) return null;
  const more = rows.length - ROWS;
  return (
    <div className="speakers" role="group" aria-label={t('player.speakers')} data-testid="speakers">
      {(isOpen ? rows : rows.slice(0, ROWS)).map((row) => (
        <SpeakerRow key={row.termId} row={row} player={player} />
      ))}
      <Playhead player={player} />
      {more > 0 && (
        <Button kind="quiet" aria-expanded={isOpen} data-testid="speakers-more" onClick={() => setOpen(!isOpen)}>
          {isOpen ? t('player.fewer') : t('player.more', { count: more })}
        </Button>
      )}
    </div>
  );
}

function SpeakerRow({ row: { name, bars, spoken }, player }: { row: Row; player: Player }) {
  const t = useT();
  const { length } = player;
  const jump = () => {
    const now = player.position;
    player.seek((bars.find(({ from }) => from > now + 500) ?? bars[0])?.from ?? 0);
  };
  const press = ({ currentTarget, clientX }: PointerEvent) => {
    const box = currentTarget.getBoundingClientRect();
    player.seek(((clientX - box.left) / box.width) * length);
  };
  const path = bars.map(({ from, to }) => {
    const width = Math.max(to - from, length * LEAST);
    return `M${from} 0h${width}v1h${-width}z`;
  });
  return (
    <div className="speaker" data-testid="speaker">
      <button
        type="button"
        title={t('player.spoke', { name, time: clockWords(spoken) })}
        aria-label={t('player.nextOf', { name, time: clockWords(spoken) })}
        onClick={jump}
      >
        {name}
      </button>
      <svg viewBox={`0 0 ${Math.max(1, length)} 1`} preserveAspectRatio="none" aria-hidden="true" onPointerDown={press}>
        <path d={path.join('')} />
      </svg>
    </div>
  );
}

function Playhead({ player }: { player: Player }) {
  usePlayerState(player);
  return (
    <div className="speakers-head" aria-hidden="true">
      <i style={{ left: shareOf(player.position, player.length) }} />
    </div>
  );
}
