import { readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { sourceFiles } from './files.ts';

/**
 * Which workspaces each may import; every other import between workspaces is a breach (ARCHITECTURE.md, "Import
 * rules").
 */
const workspaces: Record<string, readonly string[]> = {
  'packages/conference': [],
  'packages/contract': ['@rmeet/conference'],
  'packages/documents': ['@rmeet/contract'],
  'packages/rtp': [],
  'packages/rtmp': [],
  'packages/live': [],
  'packages/sfu': ['@rmeet/rtp'],
  'packages/participant': ['@rmeet/conference', '@rmeet/contract', '@rmeet/rtp'],
  'packages/recorder': [
    '@rmeet/conference',
    '@rmeet/contract',
    '@rmeet/live',
    '@rmeet/participant',
    '@rmeet/rtmp',
    '@rmeet/rtp',
  ],
  'packages/postgres': [],
  'packages/manual': [],
  'packages/testkit': [
    '@rmeet/conference',
    '@rmeet/contract',
    '@rmeet/documents',
    '@rmeet/participant',
    '@rmeet/postgres',
    '@rmeet/sfu',
  ],
  'apps/server': [
    '@rmeet/conference',
    '@rmeet/contract',
    '@rmeet/documents',
    '@rmeet/live',
    '@rmeet/manual',
    '@rmeet/postgres',
    '@rmeet/recorder',
    '@rmeet/rtmp',
    '@rmeet/sfu',
  ],
  'apps/web': ['@rmeet/conference', '@rmeet/contract', '@rmeet/documents', '@rmeet/manual'],
};
/** Tests, benchmarks and scenarios may import what product code may not. */
const free = /^(packages\/\w+\/test|apps\/\w+\/test|e2e|bench|soak|tools)\//;

/** Which other parts each part of the web app may import. */
const webLayers: Record<string, readonly string[]> = {
  entries: ['entries', 'features', 'call', 'ui', 'lib'],
  features: ['call', 'ui', 'lib'],
  call: ['call', 'lib'],
  ui: ['ui', 'lib'],
  lib: ['lib'],
};

const importPattern = new RegExp(
  [
    /(?:^|[\s;])(?:import|export)\s[^'"`;]*?from\s*['"]([^'"]+)['"]/,
    /import\(\s*['"]([^'"]+)['"]\s*\)/,
    /^import\s+['"]([^'"]+)['"]/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gm',
);

/** The import specifiers of a source, including dynamic imports and re-exports. */
export function importsOf(text: string): string[] {
  return [...text.matchAll(importPattern)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
}

function checkWorkspace(file: string, target: string): string | null {
  const own = file.split('/').slice(0, 2).join('/');
  if (!target.startsWith('@rmeet/')) return null;
  const name = target.split('/').slice(0, 2).join('/');
  const allowed = workspaces[own];
  if (free.test(file) || allowed === undefined || allowed.includes(name)) return null;
  return `${file} imports ${target}; ${own} may import ${allowed.length > 0 ? allowed.join(', ') : 'no workspace'}`;
}

/** `group/module/file` of a server source; the modules of accounts share a folder. */
const serverPath = /^apps\/server\/src\/(platform|modules\/((?:accounts\/)?[\w-]+)|seed)\/(.*)$/;

/** Layers within a module of the server. */
function checkModule(file: string, target: string, from: string | undefined, to: string | undefined): string | null {
  if (from === 'routes.ts' && to === 'repo.ts') return `${file} imports ${target}; routes call the service`;
  if (from === 'repo.ts' && to === 'service.ts') return `${file} imports ${target}; the service calls the repo`;
  return null;
}

function checkServer(file: string, target: string): string | null {
  const from = serverPath.exec(file);
  const to = serverPath.exec(target);
  if (!from || !to) return null;
  if (from[1] === 'platform' && to[1] !== 'platform') return `${file} imports ${target}; the platform knows no module`;
  if (!from[2]) return null;
  if (from[2] === to[2]) return checkModule(file, target, from[3], to[3]);
  if (to[2] && to[3] !== 'index.ts' && to[3] !== 'tables.ts') {
    return `${file} imports ${target}; another module only through its index.ts`;
  }
  return null;
}

function checkWeb(file: string, target: string): string | null {
  const from = /^apps\/web\/src\/(\w+)\/([\w-]+)/.exec(file);
  const to = /^apps\/web\/src\/(\w+)\/([\w-]+)/.exec(target);
  if (!from?.[1] || !to?.[1]) return null;
  const allowed = webLayers[from[1]];
  if (from[1] === 'features' && to[1] === 'features') {
    return from[2] === to[2] ? null : `${file} imports ${target}; a feature never imports another feature`;
  }
  if (allowed === undefined || allowed.includes(to[1])) return null;
  return `${file} imports ${target}; ${from[1]} may import ${allowed.join(', ')}`;
}

/** Every import that breaks a rule, one line each. */
export function importBreaches(root: string): string[] {
  const breaches: string[] = [];
  for (const path of sourceFiles(root)) {
    const file = relative(root, path);
    for (const specifier of importsOf(readFileSync(path, 'utf8'))) {
      if (specifier.startsWith('.')) {
        const target = normalize(join(dirname(file), specifier));
        if (
          target.startsWith('apps/') &&
          !file.startsWith('apps/') &&
          !file.startsWith('bench/') &&
          !file.startsWith('tools/')
        ) {
          breaches.push(`${file} imports ${target}; nothing imports apps`);
        }
        breaches.push(...[checkServer(file, target), checkWeb(file, target)].filter((breach) => breach !== null));
      } else {
        const breach = checkWorkspace(file, specifier);
        if (breach !== null) breaches.push(breach);
      }
    }
  }
  return breaches;
}
