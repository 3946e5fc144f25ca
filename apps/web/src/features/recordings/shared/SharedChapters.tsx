import type { RecordingTimeline } from '@rmeet/contract';
import { TimedList } from '../detail/TimedList.tsx';
import { useChapterWords } from '../player/chapters.ts';
import type { Player } from '../player/player.ts';
import { useT } from '../texts.ts';

/** The chapters, below the player. */
export function SharedChapters({ player, chapters }: { player: Player; chapters: RecordingTimeline['chapters'] }) {
  const t = useT();
  const words = useChapterWords();
  if (chapters.length === 0) return null;
  return (
    <section className="shared-chapters">
      <h2>{t('side.chapters')}</h2>
      <TimedList
        label={t('side.chapters')}
        player={player}
        items={chapters.map((chapter) => ({
          key: `${chapter.at} ${chapter.kind} ${chapter.text}`,
          at: chapter.at,
          content: words(chapter),
        }))}
        testId="chapters"
      />
    </section>
  );
}
