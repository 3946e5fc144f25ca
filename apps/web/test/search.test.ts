import { expect, test } from 'vitest';
import { ask, come, searchFor, type Search } from '../src/ui/searchState.ts';

const typing = (search: Search, typed: string): Search => ({ ...search, typed });

test('what was asked for here comes late, one after the other, and leaves what is typed', () => {
  let search = ask(typing(searchFor(''), 'K'), 'K');
  search = ask(typing(search, 'Ka'), 'Ka');
  search = typing(search, 'Kay');
  search = come(search, 'K');
  expect(search.typed).toBe('Kay');
  search = come(search, 'Ka');
  expect(search).toEqual({ typed: 'Kay', keyword: 'Ka', asked: [] });
});

test('of several that were asked for, the last may come alone', () => {
  const search = come(ask(ask(typing(searchFor(''), 'Kay'), 'K'), 'Ka'), 'Ka');
  expect(search).toEqual({ typed: 'Kay', keyword: 'Ka', asked: [] });
});

test('a keyword from elsewhere takes the place of what is typed', () => {
  const search = come(ask(typing(searchFor(''), 'Kay'), 'Kay'), 'Kay');
  expect(come(search, '')).toEqual(searchFor(''));
  // Gone back to once more, it is not what was asked for, either.
  expect(come(come(search, ''), 'Kay').typed).toBe('Kay');
});
