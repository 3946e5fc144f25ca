import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The documents whose paths are checked: those in the root, and all under docs. */
function documents(root: string): string[] {
  const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
  const checked = pages.filter((page) => page.endsWith('.md')).map((page) => join('docs', page));
  return ['ARCHITECTURE.md', 'README.md', 'CONTRIBUTING.md', ...checked];
}

/** Paths in backquotes in the documents that do not exist. */
export function architectureBreaches(root: string): string[] {
  const breaches: string[] = [];
  for (const document of documents(root)) {
    const text = existsSync(join(root, document)) ? readFileSync(join(root, document), 'utf8') : null;
    if (text === null) {
      breaches.push(`${document} is missing`);
      continue;
    }
    for (const [, path] of text.matchAll(/`((?:apps|packages|e2e|bench|soak|tools|docs)(?:\/[\w.-]+)*\/?)`/g)) {
      if (path !== undefined && !existsSync(join(root, path)))
        breaches.push(`${document} names ${path}, which does not exist`);
    }
  }
  return breaches;
}
