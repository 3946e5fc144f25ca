import { ASSISTANT_LIMITS, type AssistantPassage, type Locale } from '@rmeet/contract';
import { manualAddress, manualIndex, searchManual, type Found } from '@rmeet/manual';

/** Passages that are much worse than the best one say nothing of the question. */
const WORST = 0.45;

/** What of the caller's own rights and settings bears on a question. */
export type Topic = 'booking' | 'rooms' | 'admit' | 'record' | 'contacts';

const TOPICS: Record<string, readonly Topic[]> = {
  'trouble#cannot-book': ['booking', 'contacts'],
  'trouble#no-permission': ['contacts'],
  'occupancy#book': ['booking', 'rooms'],
  'host#admit': ['admit'],
  'join#waiting': ['admit'],
  'host#record': ['record'],
  'recordings#find': ['record'],
  'assistant#desk': ['contacts'],
};
/** Every passage of these pages. */
const PAGE_TOPICS: Record<string, readonly Topic[]> = { book: ['booking'], resources: ['booking'] };

const topicsOf = ({ passage: { page, passage } }: Found): readonly Topic[] =>
  TOPICS[`${page}#${passage}`] ?? PAGE_TOPICS[page] ?? [];

/** The passages of the manual that answer a question, the best first, and the topics that they belong to. */
export function findPassages(question: string, locale: Locale): { passages: AssistantPassage[]; topics: Set<Topic> } {
  const found = searchManual(manualIndex(locale), question, ASSISTANT_LIMITS.passages);
  const best = found[0]?.score ?? 0;
  const near = found.filter(({ score }) => score >= best * WORST);
  return {
    passages: near.map(({ passage: { page, passage, pageTitle, title, text } }) => ({
      page,
      passage,
      pageTitle,
      title,
      text,
      address: manualAddress(locale, page, passage),
    })),
    topics: new Set(near.flatMap(topicsOf)),
  };
}
