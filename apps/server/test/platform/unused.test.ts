import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Packages that serve ways to sign in which most servers do not use. */
const UNUSED = [
  '@node-saml',
  '@xmldom',
  '@peculiar',
  '@simplewebauthn',
  'ldapts',
  'openid-client',
  'sm-crypto-v2',
  'xml-crypto',
];

test('a server that starts loads no package of what is not configured', () => {
  const modules = join(import.meta.dirname, '..', '..', 'src', 'modules', 'index.ts');
  const script = `
    import { registerHooks } from 'node:module';
    const loaded = new Set();
    registerHooks({ load(url, context, next) {
      const name = /.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1];
      if (name) loaded.add(name);
      return next(url, context);
    } });
    await import(${JSON.stringify(modules)});
    console.log(JSON.stringify([...loaded]));
    process.exit(0);
  `;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(stderr).toBe('');
  const loaded = JSON.parse(stdout) as string[];
  expect(loaded).toContain('drizzle-orm');
  expect(loaded.filter((name) => UNUSED.some((unused) => name.startsWith(unused)))).toEqual([]);
});
