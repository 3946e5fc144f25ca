import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { API_BASE, contract, type Route, type Routes } from '../src/index.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const text = (path: string): string => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '');
const declared = Object.values(contract as Record<string, Routes>)
  .flatMap((routes) => Object.values(routes))
  .flatMap((route: Route) =>
    [route.path, ...(route.aliases ?? [])].map((path) => `${route.method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`),
  );

/** Titles of tests and their groups in a source; parts joined by `+` are one title. */
function titlesIn(source: string): string[] {
  const literal = /(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`)/.source;
  const titles = source.matchAll(
    new RegExp(String.raw`\b(?:test|describe)(?:\.\w+)*\(\s*(${literal}(?:\s*\+\s*${literal})*)`, 'g'),
  );
  return [...titles].map(([, title = '']) =>
    title
      .replaceAll(/(['"`])\s*\+\s*['"`]/g, '')
      .slice(1, -1)
      .replaceAll(String.raw`\'`, "'"),
  );
}

/** Whether the title of a test in the file that a cell names contains `name`; `-` is none. */
function isThere(cell: string, folder: string): boolean {
  if (cell === '-') return true;
  const [, file = '', name = ''] = /^`([^`]+)`: (.+)$/.exec(cell) ?? [];
  return titlesIn(text(join(folder, file))).some((title) => title.includes(name));
}

describe.each<{ document: string; inputs: readonly string[]; leastCalls: number; leastScreens: number }>([
  {
    document: 'docs/scheduling-rows.md',
    inputs: ['apps/server/test/modules/scheduling-inputs.test.ts'],
    leastCalls: 26,
    leastScreens: 6,
  },
  {
    document: 'docs/desk-rows.md',
    inputs: ['apps/server/test/modules/desk-inputs.test.ts'],
    leastCalls: 20,
    leastScreens: 0,
  },
  {
    document: 'docs/recording-rows.md',
    inputs: ['apps/server/test/modules/recording-inputs.test.ts'],
    leastCalls: 7,
    leastScreens: 8,
  },
  {
    document: 'docs/live-rows.md',
    inputs: ['apps/server/test/modules/live-inputs.test.ts'],
    leastCalls: 7,
    leastScreens: 4,
  },
  {
    document: 'docs/access-rows.md',
    inputs: ['apps/server/test/modules/access-inputs.test.ts'],
    leastCalls: 13,
    leastScreens: 4,
  },
  {
    document: 'docs/around-rows.md',
    inputs: ['around-inputs', 'start-page-inputs'].map((name) => `apps/server/test/modules/${name}.test.ts`),
    leastCalls: 75,
    leastScreens: 14,
  },
])('$document', ({ document, inputs, leastCalls, leastScreens }) => {
  const [calls = [], screens = []] = text(document)
    .split('## Screens')
    .map((part) =>
      part
        .split('\n')
        .filter((line) => /^\| [`n]/.test(line))
        .map((line) => line.slice(2, -2).split(' | ')),
    );

  test('names calls of the contract by method and path, each tested with wrong input', () => {
    expect(calls.length).toBeGreaterThanOrEqual(leastCalls);
    const inputTitles = inputs.flatMap((file) => titlesIn(text(file)));
    for (const [call = ''] of calls) {
      const [method, path = ''] = call.replaceAll('`', '').split(' ');
      expect(declared, call).toContain(`${method} ${path.startsWith('/') ? path : `${API_BASE}/${path}`}`);
      expect(inputTitles, call).toContain(`${method} ${path}`);
    }
  });

  test('names existing tests', () => {
    expect(screens.length).toBeGreaterThanOrEqual(leastScreens);
    for (const [row = '', , server = '', page = ''] of [...calls, ...screens]) {
      expect(isThere(server, 'apps/server/test/modules'), `${row}: ${server}`).toBe(true);
      expect(isThere(page, 'e2e'), `${row}: ${page}`).toBe(true);
    }
  });
});
