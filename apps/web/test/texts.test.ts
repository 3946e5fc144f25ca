import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { parseSync } from 'vite';
import { describe, expect, test } from 'vitest';
import { sourceFiles, sourcePath } from './support.ts';

type Tree = { [key: string]: string | Tree };

const read = (path: string): Promise<string> => readFile(sourcePath(path), 'utf8');
const localeFolders = [
  ...new Set((await sourceFiles('.json')).filter((path) => dirname(path).endsWith('locales')).map(dirname)),
];
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
const places = (text: string | undefined): string[] =>
  [...(text ?? '').matchAll(/\{\{(\w+)\}\}/g)].map(([place]) => place).sort();
/** English may have plural forms that Chinese lacks. */
const withoutPlural = (key: string): string => key.replace(/_(zero|one|two|few|many|other)$/, '');

/** Words that docs/glossary.md forbids, from its last column. */
async function wordsNotUsed(): Promise<string[]> {
  const glossary = await readFile(join(import.meta.dirname, '..', '..', '..', 'docs', 'glossary.md'), 'utf8');
  const [, table = ''] = glossary.split('## Words of the pages');
  const rows = table
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2);
  return rows.flatMap((row) =>
    (row.split('|')[4] ?? '')
      .split(',')
      .map((word) => word.trim().toLowerCase())
      .filter((word) => word !== ''),
  );
}
const notUsed = await wordsNotUsed();

describe.each(localeFolders)('the texts of %s', (folder) => {
  test('exist in both languages, with the same placeholders', async () => {
    const [zh, en] = await Promise.all([textsOf(folder, 'zh'), textsOf(folder, 'en')]);
    expect(new Set([...en.keys()].map(withoutPlural))).toEqual(new Set([...zh.keys()].map(withoutPlural)));
    for (const [key, text] of zh) {
      expect(text.trim(), key).not.toBe('');
      if (en.has(key)) expect(places(en.get(key)), key).toEqual(places(text));
    }
  });

  test('use the words of the glossary', async () => {
    for (const language of ['zh', 'en'] as const) {
      for (const [key, text] of await textsOf(folder, language))
        for (const word of notUsed) expect(text.toLowerCase(), key).not.toContain(word);
    }
  });

  test('are in their language', async () => {
    for (const [key, text] of await textsOf(folder, 'en')) {
      if (basename(key) !== 'language.zh') expect(text, key).not.toMatch(/\p{Script=Han}/u);
    }
  });
});

test('the glossary lists words that texts must not use', () => {
  expect(notUsed).toContain('全员静音');
});

/** Attributes whose value is visible or read by screen readers. */
const SEEN_ATTRIBUTES = new Set([
  'title',
  'alt',
  'label',
  'placeholder',
  'hint',
  'aria-label',
  'aria-description',
  'aria-roledescription',
  'aria-valuetext',
]);
/** Names and the first line of a key are the same in every language. */
const NAMES = new Set(['Rmeet', 'curl', '-----BEGIN PUBLIC KEY-----']);
/** So are examples of addresses and networks, from the ranges that RFC 2606, 5737 and 3849 keep for them. */
const EXAMPLE = /^(?:https?:\/\/)?(?:[\w-]+\.)*example\.org(?:\/\S*)?$|^192\.0\.2\.\S+\s2001:db8:\S+$/;

interface Node {
  type: string;
  [property: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

function* nodesOf(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const item of value) yield* nodesOf(item);
  else if (isNode(value)) {
    yield value;
    for (const child of Object.values(value)) yield* nodesOf(child);
  }
}

/** The literal text in a node; templates without their placeholders. */
function wordsIn(node: unknown): string[] {
  if (!isNode(node)) return [];
  if (node.type === 'JSXExpressionContainer') return wordsIn(node['expression']);
  if (node.type === 'ConditionalExpression') return [...wordsIn(node['consequent']), ...wordsIn(node['alternate'])];
  if (node.type === 'LogicalExpression') return wordsIn(node['right']);
  if (node.type === 'TemplateLiteral')
    return (node['quasis'] as { value: { raw: string } }[]).map(({ value }) => value.raw);
  return typeof node['value'] === 'string' ? [node['value']] : [];
}

/**
 * Text written directly into a component: between tags, or in an attribute that is visible or read by screen readers.
 */
function ownTexts(code: string): string[] {
  const found = [...nodesOf(parseSync('component.tsx', code).program)].flatMap((node) => {
    if (node.type === 'JSXElement' || node.type === 'JSXFragment')
      return (node['children'] as unknown[]).flatMap(wordsIn);
    const isSeen = node.type === 'JSXAttribute' && SEEN_ATTRIBUTES.has(String((node['name'] as Node)['name']));
    return isSeen ? wordsIn(node['value']) : [];
  });
  const isWord = (text: string): boolean => /\p{L}/u.test(text) && !NAMES.has(text) && !EXAMPLE.test(text);
  return found.map((text) => text.trim()).filter(isWord);
}

test('text written into a component is found', () => {
  const code =
    '<p title="A title" id="x">Between {open ? "Yes" : t("no")} {`${n} people`} {"Rmeet"} <B label={t("x")} /></p>';
  expect(ownTexts(code)).toEqual(['Between', 'Yes', 'people', 'A title']);
});

describe('components', () => {
  test.each(components)('%s has no text of its own', async (path) => {
    const code = await read(path);
    expect(code.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '').match(/.*\p{Script=Han}.*/u)?.[0]).toBeUndefined();
    expect(ownTexts(code)).toEqual([]);
  });
});

/**
 * Literal keys in a component: `t('list.empty')` with `const t = useTexts('meetings')`. The compiler checks composed
 * keys.
 */
function namedKeys(code: string): { namespace: string; key: string }[] {
  const namespaces = new Map<string, string>();
  const found: { namespace: string; key: string }[] = [];
  // A name belongs to the function it is in: the nearest one above counts.
  for (const match of code.matchAll(/const (\w+) = useTexts\('(\w+)'\)|\b(\w+)\('([\w.]+)'/g)) {
    const [, name, namespace = '', called = '', key = ''] = match;
    if (name !== undefined) namespaces.set(name, namespace);
    else if (namespaces.has(called)) found.push({ namespace: namespaces.get(called) ?? '', key });
  }
  return found;
}

test('every key in the code has its text', async () => {
  const known = new Map<string, Set<string>>();
  for (const folder of localeFolders) {
    const namespace = folder.startsWith('lib/') ? 'common' : basename(dirname(folder));
    known.set(namespace, new Set([...(await textsOf(folder, 'zh')).keys()].map(withoutPlural)));
  }
  const named = await Promise.all(
    [...components, ...(await sourceFiles('.ts'))].map(async (path) => namedKeys(await read(path))),
  );
  expect(named.flat().length).toBeGreaterThan(100);
  expect(named.flat().filter(({ namespace, key }) => !known.get(namespace)?.has(key))).toEqual([]);
});
