import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  folder: string;
  /** Uses up the remaining space, to the last byte; the returned function frees it again. */
  fill(): () => void;
  remove(): void;
}

/** A file system in memory of a few kilobytes. */
export function smallDisk(kilobytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'rmeet-small-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k,mode=755`, 'tmpfs', folder], {
    encoding: 'utf8',
  });
  if (mounted.status !== 0) {
    rmSync(folder, { recursive: true });
    throw new Error(`No file system can be mounted: ${mounted.stderr}`);
  }
  return {
    folder,
    fill() {
      const path = join(folder, 'ballast');
      const file = openSync(path, 'w');
      try {
        for (;;) writeSync(file, Buffer.alloc(4_096));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        closeSync(file);
      }
      return () => rmSync(path);
    },
    remove() {
      spawnSync('umount', ['--lazy', folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Why no small disk can be created here; undefined if it can. */
export function smallDiskMissing(): string | undefined {
  if (process.getuid?.() !== 0) return 'it takes root to mount a file system';
  try {
    smallDisk(4).remove();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
