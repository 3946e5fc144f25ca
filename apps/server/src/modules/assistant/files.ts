import { ASSISTANT_LIMITS, type AssistantFile, type Locale } from '@rmeet/contract';
import { manualIndex, tokensOf } from '@rmeet/manual';
import type { ReadFile } from '../meeting-files/index.ts';

/**
 * A file fits if it has this share of the question, by the weight of words, and at least this weight: two common words
 * of the product, such as "meeting" and "record", are no question about a file.
 */
const SHARE = 0.3;
const WEIGHT = 3.5;
/** Characters of an excerpt before the word that was found. */
const BEFORE = 200;
/** Words that are looked for. */
const MOST_WORDS = 12;

/** The words of a question. */
export const wordsOf = (question: string): string[] => [...new Set(tokensOf(question))].slice(0, MOST_WORDS);

/** How much a word says: much if the manual seldom has it. */
function weigher(locale: Locale): (word: string) => number {
  const { entries, spread } = manualIndex(locale);
  return (word) => Math.log(1 + entries.length / ((spread.get(word) ?? 0) + 0.5));
}

/** The part of a text around the first of the words; its beginning if it has none as it is written. */
function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const at = words.map((word) => lower.indexOf(word)).find((one) => one >= 0) ?? 0;
  const from = Math.max(0, at - BEFORE);
  return text.slice(from, from + ASSISTANT_LIMITS.excerpt).trim();
}

/** Those files that fit a question, the best first, each with the part of its text that fits. */
export function fittingFiles(question: string, locale: Locale, files: readonly ReadFile[]): AssistantFile[] {
  const words = wordsOf(question);
  const weightOf = weigher(locale);
  const sum = (some: readonly string[]): number => some.reduce((total, word) => total + weightOf(word), 0);
  const whole = sum(words);
  return files
    .map((file) => {
      // A name has words between dots, which belong to a word elsewhere.
      const name = file.name.replaceAll('.', ' ');
      const has = new Set(tokensOf(`${name} ${file.folder} ${file.subject} ${file.text}`));
      const hits = words.filter((word) => has.has(word)).toSorted((a, b) => weightOf(b) - weightOf(a));
      return { file, hits, score: sum(hits) };
    })
    .filter(({ score }) => score >= WEIGHT && score >= whole * SHARE)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, ASSISTANT_LIMITS.files)
    .map(({ file: { text, ...file }, hits }) => Object.assign(file, { text: excerptOf(text, hits) }));
}
