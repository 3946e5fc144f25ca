/**
 * Which big runs of the matrix are still proven: tools/proven.json stores, by name, a hash of the files that a run
 * covers, as of its last success. While they are the same, the matrix skips it. `npm run test:matrix -- --record`
 * updates the file.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Names of big runs with the hash of what they cover. */
export type Proven = Record<string, string>;

const FILE = join('tools', 'proven.json');

function git(root: string, args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync('git', args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });
  if (status !== 0) throw new Error(`git ${args[0]} failed: ${stderr || String(error)}`);
  return stdout;
}

/**
 * A hash of the names and contents of the committed files in `covers` (paths from the root, files or folders);
 * undefined if one of them has been changed since the last commit, or if this is not a git checkout. Throws on a path
 * without a file.
 */
export function hashOf(root: string, covers: readonly string[]): string | undefined {
  if (spawnSync('git', ['rev-parse', '--is-inside-work-tree'], { cwd: root }).status !== 0) return undefined;
  const {
    status,
    stdout: listed,
    stderr,
  } = spawnSync('git', ['ls-files', '--stage', '--error-unmatch', '--', ...covers], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });
  if (status !== 0) throw new Error(`A big run covers what is no file: ${stderr.split('\n')[0]}`);
  if (git(root, ['status', '--porcelain', '--', ...covers]) !== '') return undefined;
  return createHash('sha256').update(listed).digest('hex');
}

export function readProven(root: string): Proven {
  return JSON.parse(readFileSync(join(root, FILE), 'utf8')) as Proven;
}

/** Whether a run that covers these files passed on their current state. */
export function isProven(root: string, name: string, covers: readonly string[], proven = readProven(root)): boolean {
  const hash = hashOf(root, covers);
  return hash !== undefined && proven[name] === hash;
}

/**
 * Records that a run passed on the current state of its files; if they have uncommitted changes, nothing is recorded.
 */
export function record(root: string, name: string, covers: readonly string[]): void {
  const hash = hashOf(root, covers);
  if (hash === undefined) return;
  const runs = Object.entries({ ...readProven(root), [name]: hash }).toSorted(([one], [other]) =>
    one.localeCompare(other),
  );
  writeFileSync(join(root, FILE), `${JSON.stringify(Object.fromEntries(runs), null, 2)}\n`);
}
