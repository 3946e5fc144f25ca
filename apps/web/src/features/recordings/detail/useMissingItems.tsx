import { GAP_REASONS, type RecordingTimeline } from '@rmeet/contract';
import { useT } from '../texts.ts';
import { clockWords } from '../words.ts';
import type { TimedItem } from './TimedList.tsx';

/** Where something is missing, and why, for a list of what happened when. */
export function useMissingItems({
  gaps,
  cards = [],
}: Pick<RecordingTimeline, 'gaps'> & Partial<Pick<RecordingTimeline, 'cards'>>): TimedItem[] {
  const t = useT();
  const lengthOf = ({ from, to }: { from: number; to: number }): string => clockWords(Math.max(1_000, to - from));
  const itemOf = (key: string, at: number, words: string): TimedItem => ({
    key,
    at,
    content: (
      <span className="chapter" data-kind="gap">
        {words}
      </span>
    ),
  });
  return [
    ...gaps.map((gap) => {
      const known = GAP_REASONS.find((one) => one === gap.reason) ?? 'recorder';
      return itemOf(`${gap.from} gap`, gap.from, t(`gap.${known}`, { time: lengthOf(gap) }));
    }),
    ...cards.map((card) =>
      itemOf(`${card.from} card`, card.from, t(`card.${card.reason}`, { name: card.name, time: lengthOf(card) })),
    ),
  ];
}
