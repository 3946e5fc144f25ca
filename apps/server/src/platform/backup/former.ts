import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, existsSync } from 'node:fs';
import { cp, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { drizzle as drizzleOver } from 'drizzle-orm/node-postgres';
import type { Config } from '../config/index.ts';
import { EMBEDDED_FOLDER, FORMER_FOLDER, holdDataFolder } from '../db/embedded.ts';
import type { Drizzle } from '../db/scope.ts';
import type { Log } from '../log/log.ts';
import { dump } from './dump.ts';
import { writeBackup } from './format.ts';
import { restore, RestoreRefused } from './restore.ts';

/**
 * The package that reads the databases of earlier versions. It is no longer part of Rmeet and is installed only for the
 * migration.
 */
const PACKAGE = '@electric-sql/pglite';
const VERSION = '0.5.16';
const INTEGRITY = 'sha512-Nj8KcIsJL748W408U2N8q4+9IlONdpRIU8MJypIAAINMJ5nqKyqpX7Mgg/5XKkXiAib3AoZGR6hnJFlrlLBrcg==';

/** The folder for all work until the move is complete; the next move removes what an interrupted one left there. */
const WORKSHOP = 'moving';
/** Where the former database is kept. */
const KEPT = `${FORMER_FOLDER}.former`;

interface FormerDatabase {
  query(statement: string, parameters?: unknown[], options?: { rowMode?: 'array' }): Promise<{ rows: unknown[] }>;
  close(): Promise<void>;
}

/** Installs the package in its own folder, as npm's lock file describes it. */
async function install(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const dependencies = { [PACKAGE]: VERSION };
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'move', version: '0.0.0', dependencies }));
  await writeFile(
    join(folder, 'package-lock.json'),
    JSON.stringify({
      name: 'move',
      version: '0.0.0',
      lockfileVersion: 3,
      packages: {
        '': { name: 'move', version: '0.0.0', dependencies },
        [`node_modules/${PACKAGE}`]: { version: VERSION, integrity: INTEGRITY },
      },
    }),
  );
  const npm = process.env['npm_execpath'];
  const args = ['ci', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  const [command, all] = npm === undefined ? ['npm', args] : [process.execPath, [npm, ...args]];
  const child = spawn(command, all, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) {
    throw new RestoreRefused(
      `${PACKAGE} ${VERSION}, which reads the former database, could not be installed; the lines above say why. ` +
        'Where the package registry is out of reach, install it elsewhere and name its folder: npm run ' +
        `move-database -- --with <folder of ${PACKAGE}>.`,
    );
  }
}

async function open(packageFolder: string, database: string): Promise<FormerDatabase> {
  const load = async (path: string): Promise<Record<string, unknown>> =>
    (await import(pathToFileURL(join(packageFolder, 'dist', path)).href)) as Record<string, unknown>;
  const [{ PGlite }, { btree_gist }, { pg_trgm }] = await Promise.all([
    load('index.js'),
    load('contrib/btree_gist.js'),
    load('contrib/pg_trgm.js'),
  ]);
  return (PGlite as { create(options: object): Promise<FormerDatabase> }).create({
    dataDir: database,
    extensions: { btree_gist, pg_trgm },
  });
}

/** Drizzle on the former database's single connection; only `query` is used. */
function drizzleOf(database: FormerDatabase): Drizzle {
  const query = ({ text, rowMode }: { text: string; rowMode?: 'array' }, parameters: unknown[]): unknown =>
    database.query(text, parameters, rowMode ? { rowMode } : {});
  return drizzleOver({ client: { query } as never });
}

export interface MoveOptions {
  /** Folder of the package that reads the former database; if undefined, it is installed from the registry. */
  packageFolder: string | undefined;
  version: string;
  log: Log;
}

/**
 * Moves the database of an earlier version into the one of this version (the embedded one, or that of DATABASE_URL),
 * and keeps the former one unchanged. All or nothing: until everything is moved, the former one stays in its place.
 *
 * @returns how many rows were moved
 * @throws RestoreRefused, LockTaken (a server runs here), or the error of the file system or the database
 */
export async function moveFormerDatabase(
  config: Config,
  { packageFolder, version, log }: MoveOptions,
): Promise<number> {
  const { dataFolder, secretKey, databaseUrl } = config;
  const [former, target, workshop] = [FORMER_FOLDER, EMBEDDED_FOLDER, WORKSHOP].map((name) =>
    join(dataFolder, name),
  ) as [string, string, string];
  if (!existsSync(join(former, 'PG_VERSION')))
    throw new RestoreRefused(`There is no database of an earlier version in ${dataFolder}.`);
  if (databaseUrl === undefined && existsSync(target))
    throw new RestoreRefused(`There is a database of this version in ${target} already. Move it aside first.`);
  const lock = await holdDataFolder(dataFolder);
  try {
    await rm(workshop, { recursive: true, force: true });
    await mkdir(workshop, { mode: 0o700 });
    if (packageFolder === undefined) await install(join(workshop, 'package'));
    // Opening changes it: a copy is opened, which shares its blocks if the file system supports that.
    const copy = join(workshop, 'copy');
    await cp(former, copy, { recursive: true, mode: constants.COPYFILE_FICLONE });
    const backup = join(workshop, 'former.backup');
    const writer = writeBackup(backup);
    const database = await open(packageFolder ?? join(workshop, 'package', 'node_modules', PACKAGE), copy);
    await database.query('begin');
    await dump(drizzleOf(database), {
      writer,
      dataFolder,
      hasOwnKey: secretKey !== undefined,
      version,
      storage: null,
    });
    await writer.end();
    await database.close();
    const { rows } = await restore(
      databaseUrl === undefined ? { ...config, dataFolder: workshop } : config,
      backup,
      { replace: false },
      log,
    );
    if (databaseUrl === undefined) await rename(join(workshop, EMBEDDED_FOLDER), target);
    await rename(former, join(dataFolder, KEPT));
    await rm(workshop, { recursive: true, force: true });
    return rows;
  } finally {
    await lock.release();
  }
}
