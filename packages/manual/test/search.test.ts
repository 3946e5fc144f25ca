import { describe, expect, test } from 'vitest';
import { readFileSync } from 'node:fs';
import { buildIndex, searchManual, type PassageText } from '../src/search.ts';
import { manualIndex, MANUAL_LANGUAGES, type ManualLanguage } from '../src/index.ts';

interface Question {
  ask: string;
  page: string;
  passage: string;
  /** Not looked at when the search and the words of pages are tuned. */
  heldOut: boolean;
}

const questionsOf = (language: ManualLanguage): Question[] =>
  JSON.parse(readFileSync(new URL(`questions.${language}.json`, import.meta.url), 'utf8')) as Question[];

/** How many questions have the right page, and the right passage, as first result. */
function measure(language: ManualLanguage, heldOut: boolean) {
  const questions = questionsOf(language).filter((question) => question.heldOut === heldOut);
  const first = questions.map(({ ask }) => searchManual(manualIndex(language), ask)[0]?.passage);
  return {
    questions: questions.length,
    pages: questions.filter(({ page }, at) => first[at]?.page === page).length,
    passages: questions.filter(({ page, passage }, at) => first[at]?.page === page && first[at]?.passage === passage)
      .length,
  };
}

describe('The search of the manual', () => {
  test.each([
    ['zh', false, 19, 19],
    ['zh', true, 18, 18],
    ['en', false, 19, 18],
    ['en', true, 16, 15],
  ] as const)('finds the answers in %s (held out: %s)', (language, heldOut, pages, passages) => {
    const measured = measure(language, heldOut);
    // oxlint-disable-next-line no-console -- the measured figures
    console.log(`manual search ${language} ${heldOut ? 'held out' : 'tuned'}: ${JSON.stringify(measured)}`);
    expect(measured.questions).toBe(20);
    expect(measured.pages).toBeGreaterThanOrEqual(pages);
    expect(measured.passages).toBeGreaterThanOrEqual(passages);
  });

  test.each(MANUAL_LANGUAGES)('has a passage for each of the 40 questions in %s', (language) => {
    const known = new Set(manualIndex(language).entries.map(({ passage: { page, passage } }) => `${page}#${passage}`));
    const questions = questionsOf(language);
    expect(questions).toHaveLength(40);
    for (const { page, passage } of questions) expect(known).toContain(`${page}#${passage}`);
  });

  test('finds a word while it is typed, in other forms, and in full-width letters', () => {
    const first = (query: string) => searchManual(manualIndex('en'), query)[0]?.passage.passage;
    expect(first('capti')).toBe('captions');
    expect(first('recording a meeting')).toBe(first('record meetings'));
    expect(first('ＷｅＣｏｍ')).toBe('add');
  });

  test('finds nothing for words that the manual does not have, and for an empty question', () => {
    for (const query of ['', '   ', '？！', 'xylophone quux', '👍']) {
      expect(searchManual(manualIndex('en'), query)).toEqual([]);
      expect(searchManual(manualIndex('zh'), query)).toEqual([]);
    }
  });

  test('answers a long text in time', () => {
    const text = '会议 meeting '.repeat(2_000);
    const from = performance.now();
    expect(searchManual(manualIndex('zh'), text).length).toBeGreaterThan(0);
    expect(performance.now() - from).toBeLessThan(1_000);
  });

  test('finds nothing without passages', () => {
    const none: PassageText[] = [];
    expect(searchManual(buildIndex(none), 'meeting')).toEqual([]);
  });
});
