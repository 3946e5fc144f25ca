import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A mistake a programmer could make, as a patch of the tree. */
export interface Fault {
  /** Name of its file, without the extension. */
  name: string;
  path: string;
  digest: string;
  /** A description, and its visible effect. */
  what: string;
  seen: string;
  /** The files it changes. */
  files: string[];
}

/** All faults of this folder, in order. */
export function readFaults(): Fault[] {
  const folder = import.meta.dirname;
  return readdirSync(folder)
    .filter((file) => file.endsWith('.patch'))
    .toSorted()
    .map((file) => {
      const path = join(folder, file);
      const text = readFileSync(path, 'utf8');
      const line = (begin: string): string => new RegExp(`^${begin}: +(.+)$`, 'm').exec(text)?.[1] ?? '';
      return {
        name: file.replace(/\.patch$/, ''),
        path,
        digest: createHash('sha256').update(text).digest('hex').slice(0, 12),
        what: line('Fault'),
        seen: line('Seen'),
        files: [...text.matchAll(/^\+\+\+ b\/(.+)$/gm)].map(([, changed]) => changed ?? ''),
      };
    });
}

/** A line for each fault that lacks a description, or that the tree has outgrown. */
export function faultBreaches(root: string): string[] {
  return readFaults().flatMap(({ name, path, what, seen }) => {
    if (what === '' || seen === '') return [`${name}: describe the fault and what is seen of it`];
    const { status } = spawnSync('git', ['apply', '--check', path], { cwd: root });
    return status === 0 ? [] : [`${name}: does not apply any more, change the patch`];
  });
}
