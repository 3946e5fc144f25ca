import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApi, type Api } from './api.ts';
import { createDatabase, type TestDatabase } from './database.ts';
import { freePort } from './port.ts';
import { copySeededData } from './seeded.ts';
import { until } from './wait.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/** What the supervisor writes to `<data>/run.json`. */
export interface RunFile {
  supervisorPid: number;
  serverPid: number;
  port: number;
  /** The embedded database's first process. */
  databasePid?: number;
  /** The embedded engine's processes; none with LIVEKIT_URL. Those after the first start once the server is ready. */
  media: { pid?: number; port: number; udpPort: number }[];
  /** The recorder processes that were needed so far; without `pid` while they rest. */
  recorders: { pid?: number; standbyPid?: number }[];
}

type ProcessName = 'supervisor' | 'server' | 'media' | 'database' | 'recorder';

/** The product, running as its own processes. */
export interface RunningServer {
  url: string;
  port: number;
  data: string;
  /** Its database on the tests' PostgreSQL server; undefined with the embedded one. */
  databaseUrl: string | undefined;
  supervisor: ChildProcess;
  /** The current process ids; they change when the supervisor restarts a process. */
  run(): RunFile;
  /**
   * Kills a process with SIGKILL, as in a crash; `media` and `recorder` kill all of theirs.
   * @returns the pid of the first process killed
   */
  kill(which: ProcessName): number;
  /** Everything the processes printed. */
  log(): string;
  api: Api;
  ready(): Promise<void>;
  stop(): Promise<void>;
}

export interface StartOptions {
  /** Further environment; these values take precedence. */
  env?: NodeJS.ProcessEnv;
  /** An existing data folder; it is not removed at the end. */
  data?: string;
  port?: number;
  /** The file handle for standard output and error; `log` is empty then. */
  output?: number;
}

/** A media engine of the test matrix, passed on to the product. */
function engineEnvironment(): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {};
  const pairs = [
    ['LIVEKIT_URL', 'RMEET_TEST_LIVEKIT_URL'],
    ['LIVEKIT_API_KEY', 'RMEET_TEST_LIVEKIT_API_KEY'],
    ['LIVEKIT_API_SECRET', 'RMEET_TEST_LIVEKIT_API_SECRET'],
    ['RMEET_SIGNALLING', 'RMEET_TEST_SIGNALLING'],
    ['RMEET_MEDIA_TRANSPORT', 'RMEET_TEST_TRANSPORT'],
  ] as const;
  for (const [name, source] of pairs) if (process.env[source]) env[name] = process.env[source];
  return env;
}

/**
 * Starts supervisor, server and media process on free ports with a separate data folder, and waits until they are
 * ready. Without own data, they start with a copy of the run's seeded data, if there is any.
 */
export async function startServer(options: StartOptions = {}): Promise<RunningServer> {
  const data = options.data ?? mkdtempSync(join(tmpdir(), 'rmeet-data-'));
  const wantsDatabase = options.env?.['DATABASE_URL'] === undefined;
  const adminUrl = wantsDatabase ? process.env['RMEET_TEST_DATABASE_URL'] : undefined;
  const isOrdinary = options.data === undefined && wantsDatabase && options.env?.['RMEET_SEED'] === undefined;
  const seeded = isOrdinary ? await copySeededData(data, adminUrl) : undefined;
  const database = seeded ? seeded.database : adminUrl === undefined ? undefined : await createDatabase(adminUrl);
  return startOn(data, database, options);
}

/** The environment of the product: without the settings of the tests. */
function productEnvironment(
  data: string,
  port: number,
  database: TestDatabase | undefined,
  env: NodeJS.ProcessEnv | undefined,
): NodeJS.ProcessEnv {
  const all: NodeJS.ProcessEnv = {
    ...process.env,
    RMEET_HOST: '127.0.0.1',
    RMEET_PORT: String(port),
    RMEET_DATA: data,
    RMEET_MEDIA_PORT: '0',
    // The port is one for the machine, and other servers run beside this one.
    RMEET_INGEST_PORT: '0',
    // Identity providers of the tests.
    RMEET_SSO_HOSTS: '127.0.0.1',
    // slapd.ts
    RMEET_DIRECTORY_HOSTS: '127.0.0.1',
    // Language models and outside pages of the tests.
    RMEET_ASSISTANT_HOSTS: '127.0.0.1',
    ...(database ? { DATABASE_URL: database.url } : {}),
    ...engineEnvironment(),
    ...env,
  };
  for (const name of Object.keys(all))
    if (name.startsWith('RMEET_TEST_') || name === 'RMEET_MANUAL_PICTURES') delete all[name];
  return all;
}

/** Kills one of the processes with SIGKILL. @returns the pid of the first process killed */
function killProcess({ supervisorPid, serverPid, databasePid, media, recorders }: RunFile, which: ProcessName): number {
  const pids = {
    supervisor: [supervisorPid],
    server: [serverPid],
    database: databasePid === undefined ? [] : [databasePid],
    media: media.flatMap((one) => one.pid ?? []),
    recorder: recorders.flatMap((one) => one.pid ?? []),
  }[which];
  const [pid] = pids;
  if (pid === undefined) throw new Error(`no ${which} process runs`);
  for (const one of pids) process.kill(one, 'SIGKILL');
  return pid;
}

/** Waits until the server answers. @throws Error with the log if the supervisor has ended */
async function untilReady(url: string, supervisor: ChildProcess, log: () => string): Promise<void> {
  await until(
    `${url}/readyz answers 200`,
    async () => {
      if (supervisor.exitCode !== null) return true;
      return (await fetch(`${url}/readyz`)).status === 200;
    },
    { within: 60_000 },
  );
  if (supervisor.exitCode !== null) throw new Error(`the supervisor ended with code ${supervisor.exitCode}:\n${log()}`);
}

/** `stop` drops the database, and removes the data folder unless it was given. */
async function startOn(
  data: string,
  database: TestDatabase | undefined,
  options: StartOptions,
): Promise<RunningServer> {
  const port = options.port ?? (await freePort());
  const env = productEnvironment(data, port, database, options.env);
  const supervisor = spawn(process.execPath, [join(root, 'apps', 'server', 'src', 'supervisor.ts')], {
    cwd: root,
    env,
    stdio: ['ignore', options.output ?? 'pipe', options.output ?? 'pipe'],
  });
  let log = '';
  for (const stream of [supervisor.stdout, supervisor.stderr])
    stream?.on('data', (chunk: Buffer) => {
      log += chunk.toString();
    });

  const url = `http://127.0.0.1:${port}`;
  const ready = (): Promise<void> => untilReady(url, supervisor, () => log);
  const stop = async (): Promise<void> => {
    if (supervisor.exitCode === null && supervisor.signalCode === null) {
      const exit = new Promise((resolve) => supervisor.once('exit', resolve));
      supervisor.kill('SIGTERM');
      await exit;
    }
    await database?.drop();
    if (options.data === undefined) rmSync(data, { recursive: true, force: true });
  };
  const run = (): RunFile => JSON.parse(readFileSync(join(data, 'run.json'), 'utf8')) as RunFile;
  try {
    await ready();
  } catch (error) {
    await stop();
    throw new Error(`${String(error)}\n${log}`, { cause: error });
  }
  return {
    url,
    port,
    data,
    databaseUrl: env['DATABASE_URL'] || undefined,
    supervisor,
    run,
    kill: (which) => killProcess(run(), which),
    log: () => log,
    api: createApi(url),
    ready,
    stop,
  };
}
