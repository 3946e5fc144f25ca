import type { RecordingTimeline } from '@rmeet/contract';
import { TimedList, type TimedItem } from '../detail/TimedList.tsx';
import { useMissingItems } from '../detail/useMissingItems.tsx';
import { useChapterWords } from '../player/chapters.ts';
import type { Player } from '../player/player.ts';
import { useT } from '../texts.ts';

/** The chapters, below the player. */
export function SharedChapters({
  player,
  timeline: { chapters, gaps },
}: {
  player: Player;
  timeline: Pick<RecordingTimeline, 'chapters' | 'gaps'>;
}) {
  const t = useT();
  const words = useChapterWords();
  const missing = useMissingItems({ gaps });
  const items = chapters.map((chapter): TimedItem => ({
    key: `${chapter.at} ${chapter.kind} ${chapter.text}`,
    at: chapter.at,
    content: words(chapter),
  }));
  if (items.length + missing.length === 0) return null;
  return (
    <section className="shared-chapters">
      <h2>{t('side.chapters')}</h2>
      <TimedList
        label={t('side.chapters')}
        player={player}
        items={[...items, ...missing].toSorted((one, other) => one.at - other.at)}
        testId="chapters"
      />
    </section>
  );
}
