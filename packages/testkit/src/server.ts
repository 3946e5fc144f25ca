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
}

/** The product, running as its own processes. */
export interface RunningServer {
  url: string;
  port: number;
  data: string;
  /** The database of the tests' PostgreSQL server it stands on; undefined with the embedded one. */
  databaseUrl: string | undefined;
  supervisor: ChildProcess;
  /** Process ids as they are now; they change when the supervisor restarts a process. */
  run(): RunFile;
  /**
   * Kills one process with SIGKILL, as a crash would; of media processes all. Answers the pid that died, the first of
   * them.
   */
  kill(which: 'supervisor' | 'server' | 'media' | 'database'): number;
  /** Everything the processes printed. */
  log(): string;
  api: Api;
  ready(): Promise<void>;
  stop(): Promise<void>;
}

export interface StartOptions {
  /** Further environment; values here win. */
  env?: NodeJS.ProcessEnv;
  /** A data folder to use again; it is not removed at the end. */
  data?: string;
  port?: number;
  /** The handle of what standard output and error go to; `log` is empty then. */
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
  ] as const;
  for (const [name, source] of pairs) if (process.env[source]) env[name] = process.env[source];
  return env;
}

/**
 * Starts supervisor, server and media process on free ports with a data folder of their own, and waits until they are
 * ready. Where they begin with nothing of their own, they begin with a copy of the run's seeded data, if it has some.
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

/** Drops the database at the end, and removes the data folder unless it was given. */
async function startOn(
  data: string,
  database: TestDatabase | undefined,
  options: StartOptions,
): Promise<RunningServer> {
  const port = options.port ?? (await freePort());
  const env = {
    ...process.env,
    RMEET_HOST: '127.0.0.1',
    RMEET_PORT: String(port),
    RMEET_DATA: data,
    RMEET_MEDIA_PORT: '0',
    ...(database ? { DATABASE_URL: database.url } : {}),
    ...engineEnvironment(),
    ...options.env,
  };
  // The product knows no setting of the tests.
  for (const name of Object.keys(env)) if (name.startsWith('RMEET_TEST_')) delete (env as NodeJS.ProcessEnv)[name];
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
  const ready = async (): Promise<void> => {
    await until(
      `${url}/readyz answers 200`,
      async () => {
        if (supervisor.exitCode !== null) return true;
        return (await fetch(`${url}/readyz`)).status === 200;
      },
      { within: 60_000 },
    );
    if (supervisor.exitCode !== null) throw new Error(`the supervisor ended with code ${supervisor.exitCode}:\n${log}`);
  };
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
  const kill: RunningServer['kill'] = (which) => {
    const { supervisorPid, serverPid, databasePid, media } = run();
    const pids = {
      supervisor: [supervisorPid],
      server: [serverPid],
      database: databasePid === undefined ? [] : [databasePid],
      media: media.flatMap((one) => one.pid ?? []),
    }[which];
    const [pid] = pids;
    if (pid === undefined) throw new Error(`no ${which} process runs`);
    for (const one of pids) process.kill(one, 'SIGKILL');
    return pid;
  };
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
    kill,
    log: () => log,
    api: createApi(url),
    ready,
    stop,
  };
}
