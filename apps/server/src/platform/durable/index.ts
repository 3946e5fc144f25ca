import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';

export { isDiskFull } from './full.ts';

/** Windows cannot flush folders; its file systems save names by themselves. */
const canFlushFolders = process.platform !== 'win32';

/**
 * Writes a file that only its owner can read. After this returns, the file exists and is complete, even after a power
 * loss.
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

/** Makes created and removed names in the folder survive a power loss. */
export async function flushFolder(path: string): Promise<void> {
  if (!canFlushFolders) return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
