export { loadPages, manualIndex, passageTexts } from './load.ts';
export { MANUAL_LANGUAGES, MANUAL_PAGES, manualAddress, type ManualLanguage, type ManualPage } from './page-ids.ts';
export type { Page } from './parse.ts';
export { searchManual, type Found, type PassageText } from './search.ts';
export { tokensOf } from './words.ts';
