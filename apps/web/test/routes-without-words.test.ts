import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { routesWithoutWords } from '../tools/routes-without-words.ts';

const id = '/repo/packages/contract/src/meetings/things.ts';
const transform = (code: string, file = id): string | null => {
  const run = routesWithoutWords().transform as (code: string, id: string) => { code: string } | null;
  return run(code, file)?.code ?? null;
};

test('a route keeps its method and path', () => {
  const code = `export const things = {
    list: route({
      method: 'GET', path: \`\${BASE}/things\`, ...manages, summary: 'All, of (it)',
      input: { query: z.object({ method: z.string() }) }, example: { data: [1] },
    }),
    drop: route({
      method: 'DELETE',
      path: '/things',
      data: z.null(),
    }),
  };`;
  expect(transform(code)?.replace(/\s+/g, ' ')).toBe(
    "export const things = { list: route({ method: 'GET', path: `${BASE}/things`, }), drop: route({ method: " +
      "'DELETE', path: '/things', }), };",
  );
});

test('a route with files keeps this flag, too', () => {
  const code =
    "export const things = { add: route({ method: 'POST', path: " +
    "'/things', summary: 'Adds', multipart: files, input: {} }) };";
  expect(transform(code)?.replace(/\s+/g, ' ')).toBe(
    "export const things = { add: route({ method: 'POST', path: '/things', multipart: files, }) };",
  );
});

test('a function that declares routes passes on only method and path', () => {
  const code = `const command = ({ method, path, ...more }) => route({ method, path, ...more, audit: true });
    export const things = { mute: command({ method: 'POST', path: '/mute', summary: 'Mutes', example: {} }) };`;
  expect(transform(code)?.replace(/\s+/g, ' ')).toBe(
    'const command = ({ method, path, ...more }) => route({ method, path, }); export const things = { mute: ' +
      "command({ method: 'POST', path: '/mute', }) };",
  );
});

test.each<[string, string, string]>([
  ['a spread in the place of both', "route({ ...shared, summary: 'All' })", 'method and path'],
  ['a method that comes by a spread', "route({ ...reads, path: '/things' })", 'method'],
  ['a path that comes by a spread', "command({ method: 'GET', ...ofThings })", 'path'],
  ['a computed name', "command({ method: 'GET', [path]: '/things' })", 'path'],
  ['a definition made elsewhere', 'route(definition)', 'method and path'],
])('%s would lose the route in browsers, and stops the build', (_, call, lacking) => {
  expect(() => transform(`export const first = 1;\nexport const things = { list: ${call} };`)).toThrow(
    `${id}:2: a route says its ${lacking} by a property of its own`,
  );
});

test("a shorthand or quoted property counts as the route's own", () => {
  expect(transform('route({ method, path })')).toBe('route({ method, path })');
  expect(transform("route({ 'method': 'GET', \"path\": '/things' })")).toBe(
    "route({ 'method': 'GET', \"path\": '/things' })",
  );
});

test('an unused constant made by a call is removed', () => {
  expect(transform("export const more = some.extend({ a: 1 });\nconst kinds = new Set(['a']), size = 3;")).toBe(
    'export const more = /* @__PURE__ */ (() => (some.extend({ a: 1 })))();\n' +
      "const kinds = /* @__PURE__ */ (() => (new Set(['a'])))(), size = 3;",
  );
});

test.each(['contract', 'conference'])('every file of %s can be transformed', (name) => {
  const folder = join(import.meta.dirname, '../../../packages', name, 'src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  expect(files.length).toBeGreaterThan(15);
  for (const file of files) expect(() => transform(readFileSync(join(folder, file), 'utf8')), file).not.toThrow();
});

test('other files and other calls stay unchanged', () => {
  expect(transform('route({ method: 1, summary: 2 })', '/repo/apps/web/src/things.ts')).toBeNull();
  expect(transform('other({ summary: 2 })')).toBe('other({ summary: 2 })');
});
