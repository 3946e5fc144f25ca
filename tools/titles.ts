import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { sourceFiles } from './files.ts';

/** Words that make a title hard to read for readers who are not native speakers (CONTRIBUTING.md). */
const AVOIDED = /\b(?:whoever|somebody|nobody|anybody|everybody|newcomers?|anew|(?:is|are) told)\b/i;
const TESTS = /^(?:e2e|soak|(?:apps|packages)\/\w+\/test|tools\/test)\//;

const literal = /(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`)/.source;
/** A call of a test function, perhaps with a table or a condition before the title. */
const call = /(?:\b(?:test|it|describe|step)(?:\.\w+)*(?:\([^()]*\))?|\]\))/.source;
const titled = new RegExp(String.raw`${call}\(\s*(${literal}(?:\s*\+\s*${literal})*)`, 'g');

/** The titles of tests, groups and steps in a source that contain an avoided word, with the word and its line. */
export function avoidedWords(source: string): { line: number; word: string }[] {
  return [...source.matchAll(titled)].flatMap((match) => {
    const [word] = AVOIDED.exec(match[1]?.replaceAll(/(['"`])\s*\+\s*['"`]/g, '') ?? '') ?? [];
    const end = match.index + match[0].length;
    return word === undefined ? [] : [{ line: source.slice(0, end).split('\n').length, word }];
  });
}

/** Every test title that contains an avoided word. */
export function titleBreaches(root: string): string[] {
  return [...sourceFiles(root, /\.tsx?$/)]
    .filter((path) => TESTS.test(relative(root, path)))
    .flatMap((path) =>
      avoidedWords(readFileSync(path, 'utf8')).map(
        ({ line, word }) => `${relative(root, path)}:${line}: use plain words for "${word}" in a test title`,
      ),
    );
}
