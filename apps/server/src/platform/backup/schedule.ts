import { execFile } from 'node:child_process';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { Config } from '../config/index.ts';
import type { Jobs } from '../jobs/types.ts';
import type { Log } from '../log/log.ts';

const PROGRAM = fileURLToPath(new URL('../../backup.ts', import.meta.url));
const NAME = /^rmeet-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z\.backup$/;

/** Name of a scheduled backup; names sort by time. */
export function nameOf(time: Date): string {
  return `rmeet-${time.toISOString().slice(0, 19).replaceAll(':', '-')}Z.backup`;
}

/** Deletes the oldest scheduled backups, so that `keep` remain. Files of other names stay. */
export async function rotate(folder: string, keep: number): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => NAME.test(name)).toSorted();
  const old = names.slice(0, Math.max(0, names.length - keep));
  for (const name of old) await rm(join(folder, name), { force: true });
  return old;
}

/** Backups by the clock into a folder, the newest kept. A process of its own writes them, so that requests go on being answered. */
export function scheduleBackups(jobs: Jobs, { backups }: Config, log: Log): void {
  if (!backups) return;
  const { folder, schedule, keep } = backups;
  jobs.define('backup', z.object({}), async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, nameOf(new Date()));
    const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, path], { env: process.env });
    const removed = await rotate(folder, keep);
    log.info({ path, removed }, stdout.trim());
  });
  jobs.every('backup', schedule);
}
