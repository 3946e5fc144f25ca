import { positionOf } from '@rmeet/contract';
import { useEffect, useRef, type ReactNode } from 'react';
import { nextKept } from '../player/line.ts';
import type { Player } from '../player/player.ts';
import { usePlayerState } from '../player/usePlayer.ts';
import { clockWords } from '../words.ts';

export interface TimedItem {
  key: string;
  at: number;
  content: ReactNode;
}

interface TimedListProps {
  label: string;
  player: Player;
  /** In order of time. */
  items: readonly TimedItem[];
  testId: string;
}

/** What happened when: a press leads there, and the list follows what is played unless it is being read. */
export function TimedList({ label, player, items, testId }: TimedListProps) {
  const { clock } = usePlayerState(player);
  const list = useRef<HTMLOListElement>(null);
  // What is left out of the recording cannot be played.
  const shown = items.filter(({ at }) => nextKept(player.kept, at) !== null);
  const current = shown.findLast(({ at }) => at <= clock)?.key;
  useEffect(() => {
    const element = list.current;
    const row = element?.querySelector<HTMLElement>('[aria-current]');
    if (current === undefined || !element || !row || element.matches(':hover, :focus-within')) return;
    // Only the list scrolls, not the page.
    element.scrollTop = row.offsetTop - element.clientHeight / 2;
  }, [current]);
  return (
    <ol ref={list} className="timed" aria-label={label} data-testid={testId}>
      {shown.map(({ key, at, content }) => (
        <li key={key}>
          <button
            type="button"
            aria-current={key === current ? 'true' : undefined}
            data-testid={`${testId}-item`}
            onClick={() => player.seekTo(at)}
          >
            <time>{clockWords(positionOf(player.kept, at))}</time>
            <span>{content}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}
