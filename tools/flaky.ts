import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** A test file that fails sometimes. */
interface KnownFlaky {
  /** Its path from the root of the repository. */
  file: string;
  /** Why it fails, as far as known, and since when. */
  cause: string;
}

/** The files known to be flaky. Each is a bug to fix: a name is removed together with its cause. */
export const knownFlaky: readonly KnownFlaky[] = [];

const MOST_KNOWN = 5;

/** Errors in the list: too many names, names without a file, duplicates, no cause. */
export function flakyBreaches(root: string, list: readonly KnownFlaky[] = knownFlaky): string[] {
  const breaches =
    list.length > MOST_KNOWN
      ? [`tools/flaky.ts names ${list.length} files; at most ${MOST_KNOWN} may be known to be flaky`]
      : [];
  for (const [index, { file, cause }] of list.entries()) {
    if (!existsSync(join(root, file))) breaches.push(`tools/flaky.ts names ${file}, which does not exist`);
    if (list.findIndex((other) => other.file === file) < index) breaches.push(`tools/flaky.ts names ${file} twice`);
    if (cause.trim() === '') breaches.push(`tools/flaky.ts says nothing about the cause of ${file}`);
  }
  return breaches;
}
