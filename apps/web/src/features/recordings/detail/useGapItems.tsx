import { GAP_REASONS, type RecordingTimeline } from '@rmeet/contract';
import { useT } from '../texts.ts';
import { clockWords } from '../words.ts';
import type { TimedItem } from './TimedList.tsx';

/** Where something is missing, and why, for a list of what happened when. */
export function useGapItems(gaps: RecordingTimeline['gaps']): TimedItem[] {
  const t = useT();
  return gaps.map(({ from, to, reason }) => {
    const known = GAP_REASONS.find((one) => one === reason) ?? 'recorder';
    return {
      key: `${from} gap`,
      at: from,
      content: (
        <span className="chapter" data-kind="gap">
          {t(`gap.${known}`, { time: clockWords(Math.max(1_000, to - from)) })}
        </span>
      ),
    };
  });
}
