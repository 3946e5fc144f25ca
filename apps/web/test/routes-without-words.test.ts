import { expect, test } from 'vitest';
import { routesWithoutWords } from '../tools/routes-without-words.ts';

const id = '/repo/packages/contract/src/things.ts';
const transform = (code: string, file = id): string | null => {
  const run = routesWithoutWords().transform as (code: string, id: string) => { code: string } | null;
  return run(code, file)?.code ?? null;
};

test('of a route its method and path are left', () => {
  const code = `export const things = {
    list: route({ method: 'GET', path: \`\${BASE}/things\`, ...manages, summary: 'All, of (it)', input: { query: z.object({ method: z.string() }) }, example: { data: [1] } }),
    drop: route({
      method: 'DELETE',
      path: '/things',
      data: z.null(),
    }),
  };`;
  expect(transform(code)?.replace(/\s+/g, ' ')).toBe(
    "export const things = { list: route({ method: 'GET', path: `${BASE}/things`, }), drop: route({ method: 'DELETE', path: '/things', }), };",
  );
});

test('of a route that takes files this is left, too', () => {
  const code = "export const things = { add: route({ method: 'POST', path: '/things', summary: 'Adds', multipart: files, input: {} }) };";
  expect(transform(code)?.replace(/\s+/g, ' ')).toBe("export const things = { add: route({ method: 'POST', path: '/things', multipart: files, }) };");
});

test('a function that declares routes of one kind passes on method and path alone', () => {
  const code = `const command = ({ method, path, ...more }) => route({ method, path, ...more, audit: true });
    export const things = { mute: command({ method: 'POST', path: '/mute', summary: 'Mutes', example: {} }) };`;
  expect(transform(code)?.replace(/\s+/g, ' ')).toBe(
    "const command = ({ method, path, ...more }) => route({ method, path, }); export const things = { mute: command({ method: 'POST', path: '/mute', }) };",
  );
});

test('other files, and other calls, stay as they are', () => {
  expect(transform('route({ method: 1, summary: 2 })', '/repo/apps/web/src/things.ts')).toBeNull();
  expect(transform('other({ summary: 2 })')).toBe('other({ summary: 2 })');
});
