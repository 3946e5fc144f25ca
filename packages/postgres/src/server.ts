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

/** Number of lines kept of PostgreSQL's own log, to report why it ended. */
const LINES_KEPT = 60;
/**
 * Damage after which PostgreSQL keeps running and ends every connection: it is stopped, so that the reason is reported.
 */
const LETS_NOBODY_IN = /FATAL:.*relation mapping file/;
/**
 * Time for PostgreSQL to end by a fast shutdown (a checkpoint); after that it ends at once and recovers at its next
 * start; milliseconds.
 */
const FAST_WITHIN = 3_500;
/**
 * Maximum length of a Unix socket's address: 108 bytes with the terminating zero on Linux, 104 elsewhere (sockaddr_un).
 */
const SOCKET_BYTES = 103;
const SOCKET_NAME = '.s.PGSQL.5432';

export interface StartPostgresOptions {
  /** Its data folder; created if missing. The folder above it must exist. */
  folder: string;
  /** Other programs than those of the npm package. */
  programs?: Programs;
  /** Further settings of PostgreSQL, which take precedence. */
  settings?: Readonly<Record<string, string>>;
  /**
   * A TCP port of the loopback address in addition to the socket, which every account of this machine can reach: for
   * tests, and on Windows.
   */
  port?: number;
  /** The data may be lost in a crash: for tests. */
  isTemporary?: boolean;
}

export interface RunningPostgres {
  /** For node-postgres: over the socket, or the port if there is one. */
  url: string;
  pid: number;
  /** Fulfilled when it has ended, with the reason if known; null if it was stopped. */
  ended: Promise<PostgresUnusable | undefined | null>;
  /** Ends it; open transactions are rolled back. */
  stop(): Promise<void>;
}

const foreign = (path: string): PostgresUnusable =>
  new PostgresUnusable(
    `${path} belongs to another account. Remove it, or set RMEET_DATA to a folder with a shorter name.`,
  );

/** The folder of the socket: the data folder or, if that path is too long for an address, a separate folder. */
function socketFolder(folder: string, as: RunsAs): string {
  if (Buffer.byteLength(join(folder, SOCKET_NAME)) <= SOCKET_BYTES) return folder;
  const short = join(tmpdir(), `rmeet-${createHash('sha256').update(resolve(folder)).digest('hex').slice(0, 16)}`);
  mkdirSync(short, { recursive: true, mode: 0o700 });
  const owner = as.kind === 'account' ? as.uid : process.getuid?.();
  // Links are not followed: another account may have created one.
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
  /** The address of the server. */
  url: string;
  /** Whether a server accepts connections there. */
  isRunning(): Promise<boolean>;
  /**
   * Starts it and waits until it accepts connections.
   *
   * @throws PostgresUnusable with what a person can do about it; Error if it was killed meanwhile
   */
  start(): Promise<RunningPostgres>;
}

/**
 * Determines how PostgreSQL runs in a folder, which its start creates if missing. Only one process at a time may start
 * it in a folder: the caller's lock ensures that.
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
      // Left by a killed instance. Its number may be another program's by now, which PostgreSQL would mistake for
      // another instance.
      rmSync(join(ofAddress['unix_socket_directories'] ?? folder, `.s.PGSQL.${ofAddress['port']}.lock`), {
        force: true,
      });
      const { command, args, ids } = commandFor(
        as,
        join(programs.bin, 'postgres'),
        ['-D', folder, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
        { endsWithParent: true },
      );
      // In its own process group: Ctrl-C is for the supervisor, which ends the database last.
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

/** Prepares and starts it; throws the errors of both. */
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
  // `close` follows once all its output was read. A killed process has no error of its own, whatever connections
  // reported before; after a PANIC it aborts with SIGABRT.
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
  failed.catch(() => undefined); // later, `ended` reports it
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
