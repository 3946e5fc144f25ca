import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const skipped = new Set(['node_modules', 'dist', 'data', 'test-results', '.git']);

/** All TypeScript and JavaScript sources of the tree, or all files with other names. */
export function* sourceFiles(folder: string, names = /\.(ts|tsx|mjs)$/): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (skipped.has(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sourceFiles(path, names);
    else if (names.test(entry.name)) yield path;
  }
}
