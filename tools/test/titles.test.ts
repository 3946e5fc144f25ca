import { expect, test } from 'vitest';
import { root } from '../install.mjs';
import { avoidedWords, titleBreaches } from '../titles.ts';

const source = (call: string, title: string): string => `\n${call}(${title}, () => {});`;
const wordsOf = (text: string): string[] => avoidedWords(text).map(({ word }) => word);

test('the titles of all tests use plain words', () => {
  expect(titleBreaches(root)).toEqual([]);
});

test.each(['test', 'it', 'describe', 'test.step', 'test.skipIf(missing)', 'test.each([1, 2])'])(
  'an avoided word in a title of %s is found with its line',
  (call) => {
    expect(avoidedWords(source(call, "'nobody joins'"))).toEqual([{ line: 2, word: 'nobody' }]);
    expect(wordsOf(source(call, "'a joiner ' +\n 'is ' + 'told'"))).toEqual(['is told']);
    expect(wordsOf(source(call, "\n  '%s joins anew'"))).toEqual(['anew']);
  },
);

test('words in the body of a test, and parts of other words, are allowed', () => {
  expect(wordsOf(source('test', "'the host is toldable'"))).toEqual([]);
  expect(wordsOf(source('expect', "'nobody'"))).toEqual([]);
});
