import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Paths that ARCHITECTURE.md and README.md name in backquotes and that do not exist. */
export function architectureBreaches(root: string): string[] {
  const breaches: string[] = [];
  for (const document of ['ARCHITECTURE.md', 'README.md', 'CONTRIBUTING.md']) {
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
