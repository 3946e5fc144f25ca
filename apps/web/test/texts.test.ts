import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sourceFiles, sourcePath } from './support.ts';

type Tree = { [key: string]: string | Tree };

const read = (path: string): Promise<string> => readFile(sourcePath(path), 'utf8');
const localeFolders = [...new Set((await sourceFiles('.json')).filter((path) => dirname(path).endsWith('locales')).map(dirname))];
const components = await sourceFiles('.tsx');

function leaves(tree: Tree, path = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, value] of Object.entries(tree)) {
    const here = path === '' ? key : `${path}.${key}`;
    if (typeof value === 'string') found.set(here, value);
    else for (const [below, text] of leaves(value, here)) found.set(below, text);
  }
  return found;
}

const textsOf = async (folder: string, language: 'zh' | 'en'): Promise<Map<string, string>> =>
  leaves(JSON.parse(await read(`${folder}/${language}.json`)) as Tree);
const places = (text: string | undefined): string[] => [...(text ?? '').matchAll(/\{\{(\w+)\}\}/g)].map(([place]) => place).sort();
/** English may have forms of number that Chinese lacks. */
const withoutPlural = (key: string): string => key.replace(/_(zero|one|two|few|many|other)$/, '');

describe.each(localeFolders)('the texts of %s', (folder) => {
  test('are there in both languages, with the same places to fill', async () => {
    const [zh, en] = await Promise.all([textsOf(folder, 'zh'), textsOf(folder, 'en')]);
    expect(new Set([...en.keys()].map(withoutPlural))).toEqual(new Set([...zh.keys()].map(withoutPlural)));
    for (const [key, text] of zh) {
      expect(text.trim(), key).not.toBe('');
      if (en.has(key)) expect(places(en.get(key)), key).toEqual(places(text));
    }
  });

  test('are in the language they say', async () => {
    for (const [key, text] of await textsOf(folder, 'en')) {
      if (basename(key) !== 'language.zh') expect(text, key).not.toMatch(/\p{Script=Han}/u);
    }
  });
});

/** Text between tags, and text given to attributes that people read or hear. */
const SEEN = [/>\s*([^<>{}=;()]*\p{L}{2}[^<>{}=;()]*)\s*<\//gu, /\b(?:title|alt|label|placeholder|aria-label|aria-description|hint)="([^"]*\p{L}[^"]*)"/gu];

describe('components', () => {
  test.each(components)('%s has no text of its own', async (path) => {
    const code = (await read(path)).replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
    expect(code.match(/.*\p{Script=Han}.*/u)?.[0]).toBeUndefined();
    expect(SEEN.flatMap((pattern) => [...code.matchAll(pattern)].map(([, text]) => text?.trim()))).toEqual([]);
  });
});
