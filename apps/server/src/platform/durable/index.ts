import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';

export { isDiskFull } from './full.ts';

/** Windows flushes no folders; its file systems write names down by themselves. */
const canFlushFolders = process.platform !== 'win32';

/**
 * Writes a file that its owner alone may read. Once this returns it is there, and whole, after a power loss as well.
 */
export function writeDurably(path: string, text: string): void {
  const partial = `${path}.new`;
  try {
    writeFileSync(partial, text, { mode: 0o600, flush: true });
    renameSync(partial, path);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
  if (!canFlushFolders) return;
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Names that were given or taken away in the folder stay so after a power loss. */
export async function flushFolder(path: string): Promise<void> {
  if (!canFlushFolders) return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
