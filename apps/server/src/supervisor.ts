import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigError, readConfig, type Config } from './platform/config/index.ts';
import { PostgresUnusable, type PostgresKeeper } from '@rmeet/postgres';
import { DataFolderUnusable, holdDataFolder, keepEmbedded } from './platform/db/embedded.ts';
import { LockTaken } from './platform/db/lock.ts';
import { writeDurably } from './platform/durable/index.ts';
import { surviveLostOutput } from './platform/log/survive.ts';
import {
  ASSIGNMENT,
  environmentOfProcesses,
  EXIT_CANNOT_START,
  EXIT_CONFIG,
  freeTcpPort,
  freeUdpPort,
  keepRunning,
  type Assignment,
  type Keeper,
  type KeeperOptions,
} from './platform/process/index.ts';

/**
 * What `npm start` runs: owns the embedded database, the server process, the media processes and, while something is
 * recorded, the recorder processes, and starts each again when it ends, so that media survives a server crash and the
 * other way round, and one media process the crash of another. When this process dies, its children end too: they see
 * the channel to it close, and the system tells the database.
 */

/** `<data>/run.json`, for operations and tests. */
interface RunFile {
  supervisorPid: number;
  serverPid?: number;
  /** The embedded database's first process. */
  databasePid?: number;
  port: number;
  /** Empty with LIVEKIT_URL. `port` is for HTTP on the loopback address. */
  media: { pid?: number; port: number; udpPort: number }[];
  /** Recorder processes that run or ran, each with the one that stands by; without a number, there is none now. */
  recorders: { pid?: number; standbyPid?: number }[];
}

/** A supervisor that was just told to stop is gone within this; another one is not waited for longer. */
const LOCK_PATIENCE_MS = 2_000;

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const complain = (line: string): void => void process.stderr.write(`${line}\n`);

/** Key and secret of the embedded engine, made once. LiveKit wants 32 bytes of secret at least (HS256). */
async function mediaKeys(dataFolder: string): Promise<{ apiKey: string; apiSecret: string }> {
  const file = join(dataFolder, 'media-keys.json');
  try {
    return JSON.parse(await readFile(file, 'utf8')) as { apiKey: string; apiSecret: string };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const keys = { apiKey: `rmeet-${randomBytes(6).toString('hex')}`, apiSecret: randomBytes(36).toString('base64url') };
  writeDurably(file, JSON.stringify(keys));
  return keys;
}

async function replaceFile(path: string, text: string): Promise<void> {
  try {
    await writeFile(`${path}.new`, text, { mode: 0o600 });
    await rename(`${path}.new`, path);
  } catch (error) {
    complain(`${path} could not be written: ${String(error)}`);
  }
}

/** Ports are chosen here, once, so that a process that is started again comes back on the same ones. */
async function assign(config: Config, databaseUrl: string | undefined): Promise<Assignment> {
  const port = config.port === 0 ? await freeTcpPort() : config.port;
  if (config.livekit) return { port, databaseUrl, media: undefined };
  const { media: settings, logLevel } = config;
  const { udpPort, processes: count } = settings;
  const processes = Array.from({ length: count }, async (_, index) => ({
    port: await freeTcpPort(),
    udpPort: udpPort === 0 ? await freeUdpPort() : udpPort + index,
  }));
  return {
    port,
    databaseUrl,
    media: { ...(await mediaKeys(config.dataFolder)), processes: await Promise.all(processes), settings, logLevel },
  };
}

/** Starts all processes again, one after the other, so that conferences always have somewhere to go. */
async function renewAll(keepers: Iterable<Keeper>): Promise<void> {
  for (const keeper of keepers) await keeper.renew();
  print('All processes have been started again.');
}

// oxlint-disable-next-line max-lines-per-function -- the order of start and stop is one sequence
async function supervise(config: Config): Promise<void> {
  const lock = await holdDataFolder(config.dataFolder, LOCK_PATIENCE_MS);
  const runFile = join(config.dataFolder, 'run.json');
  const run: RunFile = { supervisorPid: process.pid, port: 0, media: [], recorders: [] };
  let writing = Promise.resolve();
  const record = (): void => {
    writing = writing.then(() => replaceFile(runFile, `${JSON.stringify(run)}\n`));
  };

  const keepers: Keeper[] = [];
  const recorders: Keeper[] = [];
  const mediaKeepers: Keeper[] = [];
  let database: PostgresKeeper | undefined;
  let stopping: Promise<void> | undefined;
  const stop = (exitCode: number): void => {
    stopping ??= (async () => {
      await Promise.all(keepers.map((keeper) => keeper.stop()));
      // Last: the others finish what they have begun.
      await database?.stop();
      await writing;
      await rm(runFile, { force: true });
      await lock.release();
      process.exit(exitCode);
    })();
  };
  const onSignal = (): void => {
    if (stopping) keepers.forEach((keeper) => keeper.kill());
    stop(0);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  process.on('SIGHUP', onSignal);
  let renewing: Promise<void> | undefined;
  process.on('SIGUSR2', () => {
    // An upgrade: first the server, which brings the database up to date. Media processes may wait for hours, until
    // their meetings are over.
    renewing ??= renewAll(new Set([...keepers.slice(0, 1), ...recorders, ...keepers])).finally(() => {
      renewing = undefined;
    });
  });

  const giveUp = (error: unknown): void => {
    complain(sentenceOf(error));
    stop(EXIT_CANNOT_START);
  };
  if (config.databaseUrl === undefined && config.role === 'all') {
    const onStarted = (pid: number): void => {
      run.databasePid = pid;
      record();
    };
    try {
      database = await keepEmbedded(config.dataFolder, { onStarted, onTrouble: complain, onGiveUp: giveUp });
    } catch (error) {
      await lock.release();
      throw error;
    }
  }
  const assignment = await assign(config, database?.url);
  const { port, media } = assignment;
  run.port = port;
  run.media = media?.processes.map((one) => ({ ...one })) ?? [];

  const keep = (
    name: string,
    file: string,
    own: Assignment,
    started: (pid: number) => void,
    onReady: (lines: string[]) => void,
    options: Partial<KeeperOptions> = {},
  ): Keeper => {
    const keeper = keepRunning({
      name,
      file: fileURLToPath(new URL(file, import.meta.url)),
      env: { ...environmentOfProcesses(process.env), [ASSIGNMENT]: JSON.stringify(own) },
      onStarted: (pid) => {
        started(pid);
        record();
      },
      onReady,
      onTrouble: (lines) => lines.forEach(complain),
      onGiveUp: stop,
      ...options,
    });
    keepers.push(keeper);
    return keeper;
  };
  const keepRecorder = (index: number): void => {
    const own: RunFile['recorders'][number] = {};
    run.recorders[index] = own;
    const keeper = keep(
      config.recorders.processes > 1 ? `recorder (${index})` : 'recorder',
      './recorder.ts',
      assignment,
      (pid) => {
        own.pid = pid;
      },
      () => undefined,
      {
        isOnDemand: config.role === 'all',
        isOverlapping: true,
        onStandby: (pid) => {
          if (pid === undefined) delete own.standbyPid;
          else own.standbyPid = pid;
          record();
        },
        onEnded: () => {
          delete own.pid;
          record();
        },
        // The product goes on without recordings.
        ...(config.role === 'all' ? { onGiveUp: () => undefined } : {}),
      },
    );
    recorders.push(keeper);
  };
  /** Starts the recorder processes, or those that ended because they had nothing to do. */
  const needRecorder = (): void => {
    if (stopping) return;
    for (const recorder of recorders) recorder.wake();
    while (recorders.length < config.recorders.processes) keepRecorder(recorders.length);
  };
  if (config.role === 'recorder') {
    needRecorder();
    print('This machine records.');
    return;
  }
  const keepMedia = (index: number): void => {
    if (!media || stopping) return;
    const name = media.processes.length > 1 ? `media (${index})` : 'media';
    mediaKeepers[index] = keep(
      name,
      './media.ts',
      { port, databaseUrl: undefined, media: { ...media, index } },
      (pid) => {
        run.media[index]!.pid = pid;
      },
      () => undefined,
    );
  };
  let wasAnnounced = false;
  keep(
    'server',
    './main.ts',
    assignment,
    (pid) => {
      run.serverPid = pid;
    },
    (lines) => {
      if (wasAnnounced) return;
      wasAnnounced = true;
      lines.forEach(print);
      // The first is enough to begin with: the server has the processor for itself while it starts.
      for (let index = 1; index < run.media.length; index += 1) keepMedia(index);
    },
    {
      onRecorderNeeded: needRecorder,
      onMediaConnection(message, connection) {
        const keeper = mediaKeepers[message.process];
        if (keeper) keeper.pass(message, connection);
        else connection.close();
      },
    },
  );
  keepMedia(0);
  database?.ready.catch(giveUp);
}

/** What to tell the person who starts Rmeet. */
function sentenceOf(error: unknown): string {
  const isReadable = [LockTaken, DataFolderUnusable, PostgresUnusable].some((kind) => error instanceof kind);
  return isReadable ? (error as Error).message : String(error);
}

surviveLostOutput();
try {
  await supervise(readConfig(process.env));
} catch (error) {
  if (error instanceof ConfigError) error.lines.forEach(complain);
  else complain(sentenceOf(error));
  process.exit(error instanceof ConfigError ? EXIT_CONFIG : EXIT_CANNOT_START);
}
