import { expect, test } from 'vitest';
import { requestKeyword, keywordShown, newSearch, type Search } from '../src/ui/searchState.ts';

const typing = (search: Search, typed: string): Search => ({ ...search, typed });

test('keywords requested here that arrive late leave the typed text', () => {
  let search = requestKeyword(typing(newSearch(''), 'K'), 'K');
  search = requestKeyword(typing(search, 'Ka'), 'Ka');
  search = typing(search, 'Kay');
  search = keywordShown(search, 'K');
  expect(search.typed).toBe('Kay');
  search = keywordShown(search, 'Ka');
  expect(search).toEqual({ typed: 'Kay', keyword: 'Ka', requested: [] });
});

test('of several requested keywords only the last may arrive', () => {
  const search = keywordShown(requestKeyword(requestKeyword(typing(newSearch(''), 'Kay'), 'K'), 'Ka'), 'Ka');
  expect(search).toEqual({ typed: 'Kay', keyword: 'Ka', requested: [] });
});

test('a keyword set elsewhere replaces the typed text', () => {
  const search = keywordShown(requestKeyword(typing(newSearch(''), 'Kay'), 'Kay'), 'Kay');
  expect(keywordShown(search, '')).toEqual(newSearch(''));
  // If the user goes back once more, the keyword also counts as set elsewhere.
  expect(keywordShown(keywordShown(search, ''), 'Kay').typed).toBe('Kay');
});
