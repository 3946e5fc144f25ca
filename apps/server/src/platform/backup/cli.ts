import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ConfigError, readConfig, type Config } from '../config/index.ts';
import { PostgresUnusable } from '@rmeet/postgres';
import { DatabaseNewer, DatabaseTooOld, DataFolderUnusable, LockTaken } from '../db/index.ts';
import { NoApplicationRole } from '../db/row-security.ts';
import { createLog, type Log } from '../log/log.ts';
import { EXIT_CANNOT_START, EXIT_CONFIG } from '../process/index.ts';
import { NoRoomForBackup, NothingThere } from './backup.ts';
import { StorageUnavailable, StorageUnusable } from '../storage/index.ts';
import { BackupUnreadable } from './format.ts';
import { CopyIncomplete } from './recordings.ts';
import { RestoreRefused } from './restore.ts';

/** The version in the product's package.json. */
export async function ownVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return version;
}

/**
 * A path relative to the directory where the user typed it: npm changes the working directory and reports the original
 * one.
 */
export function pathGiven(path: string): string {
  return resolve(process.env['INIT_CWD'] ?? process.cwd(), path);
}

/** A place for copies of files: `s3://bucket/prefix`, or a folder, relative to where the user typed it. */
export const placeGiven = (place: string): string => (place.startsWith('s3://') ? place : pathGiven(place));

/** The program was called with wrong arguments. */
export class WrongUse extends Error {
  constructor(usage: string) {
    super(usage);
    this.name = 'WrongUse';
  }
}

const readable = [
  StorageUnavailable,
  StorageUnusable,
  CopyIncomplete,
  WrongUse,
  NoApplicationRole,
  NothingThere,
  NoRoomForBackup,
  BackupUnreadable,
  RestoreRefused,
  DatabaseNewer,
  DatabaseTooOld,
  LockTaken,
  DataFolderUnusable,
  PostgresUnusable,
];

/** Runs a command-line program: prints its result, or one sentence if it failed. */
export async function runProgram(work: (config: Config, log: Log) => Promise<string>): Promise<void> {
  try {
    const config = readConfig(process.env);
    process.stdout.write(`${await work(config, createLog('backup', 'warn'))}\n`);
  } catch (error) {
    const sentences = sentencesOf(error);
    if (!sentences) throw error;
    process.stderr.write(`${sentences.join('\n')}\n`);
    process.exitCode = error instanceof ConfigError ? EXIT_CONFIG : EXIT_CANNOT_START;
  }
}

/** The message for the user of the program; undefined for an unexpected failure. */
function sentencesOf(error: unknown): string[] | undefined {
  if (error instanceof ConfigError) return error.lines;
  const { code, path, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' && path !== undefined) return [`There is no ${path}.`];
  if (code === 'EEXIST' && path !== undefined) return [`${path} is there already. Choose another name.`];
  return readable.some((kind) => error instanceof kind) ? [message] : undefined;
}
