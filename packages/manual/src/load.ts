import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { MANUAL_PAGES, type ManualLanguage } from './page-ids.ts';
import { parsePage, plainText, type Page } from './parse.ts';
import { buildIndex, type ManualIndex, type PassageText } from './search.ts';

const FOLDER = fileURLToPath(new URL('../pages', import.meta.url));

/** All pages of the manual in a language, in reading order. */
export function loadPages(language: ManualLanguage): Page[] {
  return MANUAL_PAGES.map((id) => parsePage(id, readFileSync(`${FOLDER}/${language}/${id}.md`, 'utf8')));
}

/** What a search reads of pages: one entry for each passage. */
export function passageTexts(pages: readonly Page[]): PassageText[] {
  return pages.flatMap((page) =>
    page.passages.map((passage) => ({
      page: page.id,
      passage: passage.id,
      pageTitle: page.title,
      pageWords: page.words,
      title: passage.title,
      words: passage.words,
      text: plainText(passage.body),
    })),
  );
}

const loaded = new Map<ManualLanguage, ManualIndex>();

/** The manual in a language, ready to be searched; read once. */
export function manualIndex(language: ManualLanguage): ManualIndex {
  const known = loaded.get(language);
  if (known) return known;
  const index = buildIndex(passageTexts(loadPages(language)));
  loaded.set(language, index);
  return index;
}
