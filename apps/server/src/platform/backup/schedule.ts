import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { Config } from '../config/index.ts';
import { isDiskFull } from '../durable/index.ts';
import type { Jobs } from '../jobs/types.ts';
import type { Log } from '../log/log.ts';
import { EXIT_CANNOT_START } from '../process/index.ts';
import { NoRoomForBackup } from './backup.ts';

const PROGRAM = fileURLToPath(new URL('../../backup.ts', import.meta.url));
const NAME = /^rmeet-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z\.backup$/;

/** Name of a scheduled backup; names sort by time. */
export function nameOf(time: Date): string {
  return `rmeet-${time.toISOString().slice(0, 19).replaceAll(':', '-')}Z.backup`;
}

/** Deletes the oldest scheduled backups, so that `keep` remain. Files with other names stay. */
export async function rotate(folder: string, keep: number): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => NAME.test(name)).toSorted();
  const old = names.slice(0, Math.max(0, names.length - keep));
  for (const name of old) await rm(join(folder, name), { force: true });
  return old;
}

/** It was not written, or recordings were not copied, and a person has to act; the message says how. */
class Failed extends Error {}

/** It prints little; what it says of its progress is for terminals. */
const OUTPUT_BYTES = 2 ** 24;
/** A copy of many recordings takes hours; longer jobs count as dead. Seconds. */
const EXPIRES_AFTER = 23 * 3_600;

/** Writes a backup in its own process, so that requests are still served; returns that process's output. */
async function write(folder: string, path: string, files: string | undefined): Promise<string> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const args = [PROGRAM, path, ...(files === undefined ? [] : ['--files', files])];
    const options = { env: process.env, maxBuffer: OUTPUT_BYTES };
    return (await promisify(execFile)(process.execPath, args, options)).stdout.trim();
  } catch (error) {
    if (isDiskFull(error)) throw new Failed(new NoRoomForBackup(folder).message, { cause: error });
    const { code, stderr = '' } = error as { code?: unknown; stderr?: string };
    throw code === EXIT_CANNOT_START ? new Failed(stderr.trim(), { cause: error }) : error;
  }
}

/**
 * Scheduled backups into a folder, keeping the newest. If a failure needs a person to act, it is logged and the backup
 * is tried again at its next time.
 */
export function scheduleBackups(jobs: Jobs, { backups }: Config, log: Log): void {
  if (!backups) return;
  const { folder, schedule, keep, files } = backups;
  // Only once a new backup is there: if it fails, no old one may be lost.
  const keepNewest = async (path: string, said: string): Promise<void> => {
    log.info({ path, removed: await rotate(folder, keep) }, said);
  };
  jobs.define('backup', z.object({}), async () => {
    const path = join(folder, nameOf(new Date()));
    try {
      await keepNewest(path, await write(folder, path, files));
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      // Recordings are copied afterwards.
      if (existsSync(path)) await keepNewest(path, `${path} is written`);
      log.error({ path }, error.message);
    }
  });
  jobs.every('backup', schedule, { expiresAfter: EXPIRES_AFTER });
}
