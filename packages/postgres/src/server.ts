import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { commandFor, lookAt, openWay, reachablePrograms, runsAs, type RunsAs } from './account.ts';
import { DiskFull, PostgresUnusable } from './errors.ts';
import { checkFolder, hasRoom, isEmptyOrMissing, makeFolder, passwordOf, USER } from './folder.ts';
import { endLeftOver } from './processes.ts';
import { environmentOf, packagedPrograms, type Programs } from './programs.ts';
import { settingsFor } from './settings.ts';
import { troubleOf } from './troubles.ts';

/** Lines of PostgreSQL's own log that are kept, to say why it ended. */
const LINES_KEPT = 60;
/**
 * Damage after which PostgreSQL goes on running and ends every connection: it is ended itself, so that the reason is
 * told.
 */
const LETS_NOBODY_IN = /FATAL:.*relation mapping file/;
/**
 * An ending PostgreSQL is given this long by a fast shutdown (a checkpoint), then ends at once and recovers at its next
 * start; milliseconds.
 */
const FAST_WITHIN = 3_500;
/** Address of a Unix socket: 108 bytes with the zero at its end on Linux, 104 elsewhere (sockaddr_un). */
const SOCKET_BYTES = 103;
const SOCKET_NAME = '.s.PGSQL.5432';

export interface StartPostgresOptions {
  /** Its data folder; made when missing. The folder above it is there. */
  folder: string;
  /** Others than those of the npm package. */
  programs?: Programs;
  /** Further settings of PostgreSQL, which win. */
  settings?: Readonly<Record<string, string>>;
  /**
   * A TCP port of the loopback address besides the socket, which every account of this machine reaches: for tests, and
   * on Windows.
   */
  port?: number;
  /** The data may be lost in a crash: for tests. */
  isTemporary?: boolean;
}

export interface RunningPostgres {
  /** For node-postgres: over the socket, or the port where there is one. */
  url: string;
  pid: number;
  /** Fulfilled when it has ended, with the reason where it can say one; null when it was stopped. */
  ended: Promise<PostgresUnusable | undefined | null>;
  /** Ends it; what is under way in it is rolled back. */
  stop(): Promise<void>;
}

const foreign = (path: string): PostgresUnusable =>
  new PostgresUnusable(
    `${path} belongs to another account. Remove it, or set RMEET_DATA to a folder with a shorter name.`,
  );

/** Where the socket is: in the data folder, or, where that is too long for an address, in a folder of its own. */
function socketFolder(folder: string, as: RunsAs): string {
  if (Buffer.byteLength(join(folder, SOCKET_NAME)) <= SOCKET_BYTES) return folder;
  const short = join(tmpdir(), `rmeet-${createHash('sha256').update(resolve(folder)).digest('hex').slice(0, 16)}`);
  mkdirSync(short, { recursive: true, mode: 0o700 });
  const owner = as.kind === 'account' ? as.uid : process.getuid?.();
  // Not followed where it is a link: another account may have made it.
  const { uid, isFolder } = lookAt(short);
  if (!isFolder) throw foreign(short);
  if (as.kind === 'account' && uid === process.getuid?.()) chownSync(short, as.uid, as.gid);
  else if (uid !== owner) throw foreign(short);
  chmodSync(short, 0o700);
  return short;
}

function addressOf(
  folder: string,
  as: RunsAs,
  port: number | undefined,
): { url: string; settings: Record<string, string> } {
  if (port !== undefined) {
    const password = passwordOf(folder);
    return {
      url: `postgres://${USER}${password === undefined ? '' : `:${password}`}@127.0.0.1:${port}/postgres`,
      settings: { listen_addresses: '127.0.0.1', port: String(port), unix_socket_directories: folder },
    };
  }
  const sockets = socketFolder(folder, as);
  return {
    url: `postgres://${USER}@localhost/postgres?host=${encodeURIComponent(sockets)}`,
    settings: { listen_addresses: '', port: '5432', unix_socket_directories: sockets, unix_socket_permissions: '0700' },
  };
}

/** Whether something listens at the address. */
async function answers(settings: Record<string, string>): Promise<boolean> {
  const { listen_addresses: host, port, unix_socket_directories: folder = '' } = settings;
  const socket = host ? connect(Number(port), host) : connect(join(folder, SOCKET_NAME));
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

export interface PreparedPostgres {
  /** Where it will be reached. */
  url: string;
  /** Whether one takes connections there. */
  isRunning(): Promise<boolean>;
  /**
   * Starts it and waits until it takes connections.
   *
   * @throws PostgresUnusable with what a person can do about it; Error when it was killed meanwhile
   */
  start(): Promise<RunningPostgres>;
}

/**
 * Finds out how PostgreSQL is run in a folder, which is made at its start where there is none. One at a time may start
 * it in a folder: that is what the caller's lock is for.
 *
 * @throws PostgresUnusable with what a person can do about it
 */
export async function preparePostgres({
  folder,
  programs: given = packagedPrograms(),
  settings = {},
  port,
  isTemporary = false,
}: StartPostgresOptions): Promise<PreparedPostgres> {
  const as = runsAs(given, folder);
  if (as.kind === 'account') openWay(dirname(folder), as);
  const programs = as.kind === 'account' ? reachablePrograms(given) : given;
  const { url, settings: ofAddress } = addressOf(folder, as, port);
  const all = {
    ...settingsFor(programs.major),
    ...ofAddress,
    ...(isTemporary ? { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' } : {}),
    ...settings,
  };
  return {
    url,
    isRunning: () => answers(ofAddress),
    async start() {
      if (!(await hasRoom(dirname(folder)))) throw new DiskFull(dirname(folder));
      if (isEmptyOrMissing(folder)) await makeFolder(programs, as, folder, { isDurable: !isTemporary });
      checkFolder(folder, programs);
      await endLeftOver(folder);
      // Left by one that was killed. Its number may be another program's by now, which PostgreSQL would take for its
      // own kind.
      rmSync(join(ofAddress['unix_socket_directories'] ?? folder, `.s.PGSQL.${ofAddress['port']}.lock`), {
        force: true,
      });
      const { command, args, ids } = commandFor(
        as,
        join(programs.bin, 'postgres'),
        ['-D', folder, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
        { endsWithParent: true },
      );
      // In a process group of its own: Ctrl-C is for the supervisor, which ends the database last.
      const child = spawn(command, args, {
        ...ids,
        cwd: folder,
        detached: process.platform !== 'win32',
        stdio: ['ignore', 'ignore', 'pipe'],
        env: { ...process.env, ...environmentOf(programs) },
      });
      return watch(child, { folder, url, programs });
    },
  };
}

/** Prepares and starts it; throws like both. */
export async function startPostgres(options: StartPostgresOptions): Promise<RunningPostgres> {
  return (await preparePostgres(options)).start();
}

async function watch(
  child: ChildProcess,
  { folder, url, programs }: { folder: string; url: string; programs: Programs },
): Promise<RunningPostgres> {
  const lines: string[] = [];
  const ready = Promise.withResolvers<void>();
  let isStopping = false;
  createInterface({ input: child.stderr! }).on('line', (line) => {
    lines.push(line);
    if (lines.length > LINES_KEPT) lines.shift();
    if (line.includes('ready to accept connections')) ready.resolve();
    if (LETS_NOBODY_IN.test(line)) child.kill('SIGQUIT');
  });
  const { promise: ended, resolve: end } = Promise.withResolvers<PostgresUnusable | undefined | null>();
  child.once('error', (error) => {
    lines.push(error.message);
    if (child.pid === undefined)
      end(troubleOf(folder, lines) ?? new PostgresUnusable(`PostgreSQL could not be started: ${error.message}`));
  });
  // `close` follows once everything that it printed is read.
  // One that was killed has no trouble of its own, whatever connections were told before; after a PANIC it aborts by
  // SIGABRT.
  child.once('close', () =>
    end(isStopping ? null : child.signalCode === 'SIGKILL' ? undefined : troubleOf(folder, lines)),
  );
  const failed = ended.then((reason) => {
    throw (
      reason ??
      new Error(
        'PostgreSQL ended while it was starting ' +
          `(${child.signalCode ?? `code ${child.exitCode}`}): ${lines.slice(-3).join(' ')}`,
      )
    );
  });
  failed.catch(() => undefined); // later it is `ended` that tells
  await Promise.race([ready.promise, failed]);
  return {
    url,
    pid: child.pid!,
    ended,
    async stop() {
      isStopping = true;
      // Windows has no signals; a process that is killed there recovers at its next start.
      if (process.platform === 'win32')
        spawn(join(programs.bin, 'pg_ctl'), ['stop', '--pgdata', folder, '--mode', 'fast', '--no-wait'], {
          stdio: 'ignore',
        });
      else child.kill('SIGINT');
      const force = setTimeout(() => child.kill('SIGQUIT'), FAST_WITHIN);
      await ended;
      clearTimeout(force);
    },
  };
}
