import type { RecordingTimeline } from '@rmeet/contract';
import { useT } from '../texts.ts';
import { lastAt } from './floor.ts';

type Chapter = RecordingTimeline['chapters'][number];

/** The chapter that a time by the clock lies in. */
export const chapterAt = (chapters: readonly Chapter[], time: number): Chapter | undefined => lastAt(chapters, time);

/** What a chapter is called. */
export function useChapterWords(): (chapter: Chapter) => string {
  const t = useT();
  return ({ kind, text }) => {
    if (kind === 'topic' && text !== '') return text;
    // The layout that follows the meeting has no name for people.
    return text === '' || (kind === 'layout' && text === 'AUTO')
      ? t(`chapter.${kind}`)
      : t(`chapterOf.${kind}`, { text });
  };
}
