import { SCREEN_MODELS } from '@rmeet/conference';
import type { RecordingTimeline } from '@rmeet/contract';
import { useT, type RecordingTexts } from '../texts.ts';
import { lastAt } from './floor.ts';

type Chapter = RecordingTimeline['chapters'][number];

/** The chapter that a time by the clock lies in. */
export const chapterAt = (chapters: readonly Chapter[], time: number): Chapter | undefined => lastAt(chapters, time);

/** What a chapter is called. */
export function useChapterWords(): (chapter: Chapter) => string {
  const t = useT();
  return ({ kind, text }) => {
    if (text === '') return t(`chapter.${kind}`);
    if (kind === 'layout') return layoutWords(text, t);
    return kind === 'topic' ? text : t(`chapterOf.${kind}`, { text });
  };
}

/** Layouts are called as at the desk; other names are those of scenes. */
function layoutWords(text: string, t: RecordingTexts): string {
  const model = SCREEN_MODELS.find((one) => one === text);
  if (model === undefined) return t('chapterOf.scene', { text });
  const name =
    model === 'AUTO' || model === 'PIP' || model === 'CUSTOM'
      ? t(`layout.${model}`)
      : model === '1+N'
        ? model
        : t('layout.seats', { count: Number(model) });
  return t('chapterOf.layout', { text: name });
}
