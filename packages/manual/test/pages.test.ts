import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { PERMISSIONS } from '@rmeet/contract';
import { loadPages, MANUAL_LANGUAGES, MANUAL_PAGES, type ManualLanguage } from '../src/index.ts';
import { parsePage, plainText } from '../src/parse.ts';
import { pictureFiles, pictureSizes } from '../src/pictures.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const WEB = at('../../../apps/web/src');
const BUILT_IN = at('../../../apps/server/src/modules/accounts/permissions/built-in.ts');

function valuesOf(texts: unknown): string[] {
  if (typeof texts === 'string') return [texts];
  return typeof texts === 'object' && texts !== null ? Object.values(texts).flatMap(valuesOf) : [];
}

/** Every text of the web app's pages in a language, and the names of menu entries and permissions. */
function textsOfProduct(language: ManualLanguage): Set<string> {
  const files = readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith(`locales/${language}.json`),
  );
  const menus = [...readFileSync(BUILT_IN, 'utf8').matchAll(new RegExp(`\\b${language}: '([^']+)'`, 'g'))];
  return new Set([
    ...files.flatMap((path) => valuesOf(JSON.parse(readFileSync(`${WEB}/${path}`, 'utf8')))),
    ...menus.map(([, name = '']) => name),
    ...Object.values(PERMISSIONS).map((permission) => permission[language]),
  ]);
}

/** Pictures that pages of a language name, with their alternative texts. */
const picturesOf = (language: ManualLanguage): { page: string; name: string; alt: string }[] =>
  loadPages(language).flatMap(({ id, intro, passages }) =>
    [...[intro, ...passages.map(({ body }) => body)].join('\n').matchAll(/!\[([^\]]*)\]\(([^)]*)\)/g)].map(
      ([, alt = '', name = '']) => ({ page: id, name, alt }),
    ),
  );

const bold = (markdown: string): string[] => [...markdown.matchAll(/\*\*(.+?)\*\*/g)].map(([, text = '']) => text);

describe('The pages of the manual', () => {
  test.each(MANUAL_LANGUAGES)('have no file beside those of the list in %s', (language) => {
    const files = readdirSync(at(`../pages/${language}`)).map((name) => name.replace(/\.md$/, ''));
    expect(files.toSorted()).toEqual([...MANUAL_PAGES].toSorted());
  });

  test('have the same passages, audiences and pictures in both languages', () => {
    const [zh, en] = [loadPages('zh'), loadPages('en')];
    const shapeOf = ({ id, audience, intro, passages }: (typeof zh)[number]) => ({
      id,
      audience,
      passages: passages.map((passage) => passage.id),
      pictures: [intro, ...passages.map(({ body }) => body)].flatMap((text) => text.match(/\]\([a-z0-9-]+\)/g) ?? []),
    });
    expect(zh.map(shapeOf)).toEqual(en.map(shapeOf));
  });

  test.each(MANUAL_LANGUAGES)('name only pictures that exist, each with an alternative text in %s', (language) => {
    const files = readdirSync(at(`../pictures/${language}`));
    const named = picturesOf(language);
    expect(named.filter(({ name }) => !files.includes(`${name}.webp`))).toEqual([]);
    expect(named.filter(({ alt }) => alt.trim().length < 6)).toEqual([]);
    expect(named.filter(({ alt }) => /\p{Script=Han}/u.test(alt) !== (language === 'zh'))).toEqual([]);
    for (const { name } of named) expect(pictureSizes(language)(name)?.width).toBeGreaterThanOrEqual(1_000);
    // No picture is kept that no page shows.
    expect(named.map(({ name }) => `${name}.webp`).toSorted()).toEqual(files.toSorted());
    expect(named.length).toBeGreaterThanOrEqual(20);
  });

  test('have pictures of at most 3 MB in all', () => {
    const sizes = pictureFiles('zh')
      .concat(pictureFiles('en'))
      .map(({ content }) => content.length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(3_000_000);
  });

  test.each(MANUAL_LANGUAGES)('name buttons and fields as the product does in %s', (language) => {
    const known = textsOfProduct(language);
    const unknown = loadPages(language).flatMap(({ id, intro, passages }) =>
      [{ id: 'intro', body: intro }, ...passages].flatMap((passage) =>
        bold(passage.body)
          .filter((text) => !known.has(text))
          .map((text) => `${id}#${passage.id}: ${text}`),
      ),
    );
    expect(unknown).toEqual([]);
  });

  test.each(MANUAL_LANGUAGES)('have passages with a title and a text of their own in %s', (language) => {
    for (const { id, passages } of loadPages(language)) {
      expect(passages.length, id).toBeGreaterThan(0);
      expect(new Set(passages.map((passage) => passage.id)).size, id).toBe(passages.length);
      for (const { body } of passages) expect(plainText(body).length, id).toBeGreaterThan(10);
    }
  });

  test.each([
    ['no title', 'for: everyone\n---\n'],
    ['no end of the head', 'title: A\nfor: everyone\n'],
    ['an unknown audience', 'title: A\nfor: cats\n---\n'],
    ['a heading without an anchor', 'title: A\nfor: everyone\n---\n## B\ntext'],
    ['a wrong line at the beginning', 'title A\n---\n'],
  ])('are refused with %s', (_what, text) => {
    expect(() => parsePage('start', `---\n${text}`)).toThrow('The page start has');
  });
});
