import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { PostgresUnusable } from './errors.ts';
import { environmentOf, type Programs } from './programs.ts';

/**
 * PostgreSQL refuses to run as root. Three ways to start its programs:
 * - `own`: with the account of this process, which is not root.
 * - `namespace`: in a user namespace where no id is mapped. The programs see the id 65534, and the account's files keep
 *   their owner, so that a clone and a data folder that only root may enter work (user_namespaces(7), "Unmapped user
 *   and group IDs").
 * - `account`: an account without rights, if user namespaces are disabled. The data folder must be accessible to it.
 */
export type RunsAs = { kind: 'own' } | { kind: 'namespace' } | { kind: 'account'; uid: number; gid: number };

/** nobody and nogroup. */
const UNPRIVILEGED = { uid: 65_534, gid: 65_534 };

/** How to start PostgreSQL in `folder`: for an existing one, with its owner. */
export function runsAs(programs: Programs, folder: string): RunsAs {
  if (process.getuid?.() !== 0) return ordinary(programs);
  const owner = existsSync(folder) ? statSync(folder) : undefined;
  if (owner && owner.uid !== 0) return { kind: 'account', uid: owner.uid, gid: owner.gid };
  if (hasNamespaces(programs)) return { kind: 'namespace' };
  if (owner) {
    throw new PostgresUnusable(
      `${folder} belongs to root, and PostgreSQL does not run as root: user namespaces are off here, or the ` +
        'program unshare is missing. Start Rmeet as an ordinary account that the folder belongs to.',
    );
  }
  return { kind: 'account', ...UNPRIVILEGED };
}

/** With this process' account, which must have a name; in a namespace its id has one (nobody). */
function ordinary(programs: Programs): RunsAs {
  try {
    userInfo();
    return { kind: 'own' };
  } catch (cause) {
    if (hasNamespaces(programs)) return { kind: 'namespace' };
    throw new PostgresUnusable(
      `PostgreSQL wants its account to have a name, and the account ${process.getuid?.()} that starts Rmeet has ` +
        'none in /etc/passwd. Give it one, or start Rmeet as another account.',
      { cause },
    );
  }
}

function hasNamespaces(programs: Programs): boolean {
  const tried = spawnSync('unshare', ['--user', join(programs.bin, 'postgres'), '--version'], {
    env: { ...process.env, ...environmentOf(programs) },
    stdio: 'ignore',
  });
  return tried.status === 0;
}

/** The object at a path; links are not followed. */
export function lookAt(path: string): { uid: number; isFolder: boolean } {
  const found = lstatSync(path);
  return { uid: found.uid, isFolder: found.isDirectory() };
}

/** Whether an account that is neither owner nor in the group may traverse the folder. */
function mayPass(folder: string): boolean {
  return (statSync(folder).mode & 0o001) !== 0 && (dirname(folder) === folder || mayPass(dirname(folder)));
}

/**
 * Makes the data folder traversable for the account, and for no other one.
 *
 * @throws PostgresUnusable if a folder above it is not traversable
 */
export function openWay(dataFolder: string, { gid }: { gid: number }): void {
  if (!mayPass(dirname(dataFolder))) {
    throw new PostgresUnusable(
      `PostgreSQL does not run as root, and the account it runs as instead cannot reach ${dataFolder}, because ` +
        'user namespaces are off here, or the program unshare is missing. Set RMEET_DATA to a folder that every ' +
        'account can reach, such as /var/lib/rmeet, or start Rmeet as an ordinary account.',
    );
  }
  chownSync(dataFolder, -1, gid);
  chmodSync(dataFolder, 0o710);
}

/**
 * Programs that the account can read: those of the package, or a copy in the temporary folder if the package is not
 * accessible.
 */
export function reachablePrograms(programs: Programs): Programs {
  if (mayPass(programs.bin)) return programs;
  const root = dirname(programs.bin);
  const copy = join(tmpdir(), `rmeet-postgres-${programs.major}-${statSync(programs.bin).mtimeMs}`);
  if (!existsSync(copy)) copyTo(copy, root, programs.libraries);
  // A folder with this name, or a link, created by another account could contain that account's programs.
  const { uid, isFolder } = lookAt(copy);
  if (!isFolder || uid !== process.getuid?.())
    throw new PostgresUnusable(`${copy} belongs to another account. Remove it.`);
  return { ...programs, bin: join(copy, basename(programs.bin)), libraries: undefined };
}

function copyTo(copy: string, root: string, libraries: string | undefined): void {
  const making = mkdtempSync(`${copy}-`);
  cpSync(root, making, { recursive: true, verbatimSymlinks: true });
  if (libraries !== undefined) cpSync(libraries, join(making, 'lib'), { recursive: true, dereference: true });
  chmodSync(making, 0o755);
  try {
    renameSync(making, copy);
  } catch (error) {
    rmSync(making, { recursive: true });
    if (!existsSync(copy)) throw error;
  }
}

/**
 * A command line of PostgreSQL for `spawn`, which makes it run as `as`, and end with this process if the system
 * supports that.
 */
export function commandFor(
  as: RunsAs,
  program: string,
  args: readonly string[],
  { endsWithParent = false } = {},
): { command: string; args: string[]; ids: { uid?: number; gid?: number } } {
  const words = [
    ...(as.kind === 'namespace' ? ['unshare', '--user'] : []),
    // PR_SET_PDEATHSIG, which the change of namespace or account would clear (prctl(2)); SIGINT is PostgreSQL's fast
    // shutdown.
    ...(endsWithParent && hasSetpriv() ? ['setpriv', '--pdeathsig', 'INT'] : []),
    program,
    ...args,
  ];
  const [command = program, ...rest] = words;
  return { command, args: rest, ids: as.kind === 'account' ? { uid: as.uid, gid: as.gid } : {} };
}

let setpriv: boolean | undefined;
function hasSetpriv(): boolean {
  setpriv ??= spawnSync('setpriv', ['--pdeathsig', 'INT', 'true'], { stdio: 'ignore' }).status === 0;
  return setpriv;
}
