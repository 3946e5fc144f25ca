import { spawn, type SpawnOptions } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { statfs } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { commandFor, type RunsAs } from './account.ts';
import { MEGABYTES_NEEDED, PostgresUnusable } from './errors.ts';
import { environmentOf, type Programs } from './programs.ts';
import { DatabaseDamaged, troubleOf } from './troubles.ts';

/** The account that owns everything in the database; clients that reach the socket use it without a password. */
export const USER = 'rmeet';

/** The parts of every data folder of PostgreSQL. */
const PARTS = ['PG_VERSION', 'base', 'global/pg_control', 'pg_wal', 'pg_xact'];

/**
 * Rejects a data folder that these programs cannot use, before they change it.
 *
 * @throws PostgresUnusable, DatabaseDamaged
 */
export function checkFolder(folder: string, { major }: Programs): void {
  const missing = PARTS.filter((part) => !existsSync(join(folder, part)));
  if (missing.length > 0)
    throw new DatabaseDamaged(folder, `${missing.join(', ')} ${missing.length > 1 ? 'are' : 'is'} missing`);
  const version = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim();
  if (!/^\d+$/.test(version)) throw new DatabaseDamaged(folder, 'PG_VERSION holds no version');
  if (Number(version) === major) return;
  throw new PostgresUnusable(
    Number(version) < major
      ? `The database in ${folder} is of PostgreSQL ${version}, and this version of Rmeet brings ${major}. Write ` +
          'a backup with the version of Rmeet that you had (npm run backup -- <file>), move the folder aside, ' +
          'then bring it in with this one: npm run restore -- <file>.'
      : `The database in ${folder} is of PostgreSQL ${version}, which is newer than the ${major} that this ` +
          'version of Rmeet brings. Install the newer version of Rmeet again.',
  );
}

/** Whether the disk of a folder has enough space for PostgreSQL to continue. */
export async function hasRoom(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize >= MEGABYTES_NEEDED * 2 ** 20;
}

export const isEmptyOrMissing = (folder: string): boolean => !existsSync(folder) || readdirSync(folder).length === 0;

const passwordFile = (folder: string): string => `${folder}.password`;

/** The password of `USER`, if the database listens on a port that other accounts of the machine can reach (Windows). */
export function passwordOf(folder: string): string | undefined {
  return existsSync(passwordFile(folder)) ? readFileSync(passwordFile(folder), 'utf8').trim() : undefined;
}

/** How connections authenticate: by access to the socket, or by a password created here. */
function authentication(folder: string): string[] {
  if (process.platform !== 'win32') return ['--auth', 'trust'];
  if (passwordOf(folder) === undefined)
    writeFileSync(passwordFile(folder), randomBytes(24).toString('hex'), { mode: 0o600 });
  return ['--auth', 'scram-sha-256', '--pwfile', passwordFile(folder)];
}

/**
 * Creates a database in a folder that does not exist yet. It appears under its name only when it is complete, so that
 * an interrupted start leaves nothing that looks like a database.
 *
 * @throws PostgresUnusable
 */
export async function makeFolder(
  programs: Programs,
  as: RunsAs,
  folder: string,
  { isDurable }: { isDurable: boolean },
): Promise<void> {
  const [parent, name] = [dirname(folder), basename(folder)];
  for (const left of readdirSync(parent))
    if (left.startsWith(`${name}.new-`)) rmSync(join(parent, left), { recursive: true });
  const making = join(parent, `${name}.new-${process.pid}`);
  mkdirSync(making, { mode: 0o700 });
  if (as.kind === 'account') chownSync(making, as.uid, as.gid);
  // The builtin locale sorts by code points and never changes with the system's libraries, which would corrupt indexes.
  const { command, args, ids } = commandFor(as, join(programs.bin, 'initdb'), [
    '--pgdata',
    making,
    '--username',
    USER,
    ...authentication(folder),
    '--encoding',
    'UTF8',
    '--no-instructions',
    ...(programs.major >= 17
      ? ['--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8']
      : ['--locale', 'C.UTF-8']),
    ...(isDurable ? ['--data-checksums'] : ['--no-sync']),
  ]);
  const { code, output } = await run(command, args, {
    ...ids,
    cwd: parent,
    env: { ...process.env, ...environmentOf(programs), LC_ALL: 'C' },
  });
  if (code === 0) {
    renameSync(making, folder);
    if (isDurable && process.platform !== 'win32') flushFolder(parent);
    return;
  }
  rmSync(making, { recursive: true, force: true });
  const trouble = troubleOf(folder, output.split('\n'));
  throw trouble && !(trouble instanceof DatabaseDamaged)
    ? trouble
    : new PostgresUnusable(
        `PostgreSQL could not make its database in ${folder}: ${output.trim() || `initdb ended with ${code}`}`,
      );
}

/** initdb has flushed its files; this flushes the new name. */
function flushFolder(path: string): void {
  const folder = openSync(path, 'r');
  fsyncSync(folder);
  closeSync(folder);
}

/** Runs a program to its end; `output` is its error output. */
async function run(
  command: string,
  args: string[],
  options: SpawnOptions,
): Promise<{ code: number | string | null; output: string }> {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.on('error', (error) => {
    output += error.message;
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { code: code ?? signal, output };
}
