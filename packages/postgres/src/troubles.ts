import { DiskFull, PostgresUnusable } from './errors.ts';

/** Patterns in PostgreSQL's output, and the error for each; `folder` is its data folder. */
const TROUBLES: readonly { pattern: RegExp; error: (folder: string, line: string) => PostgresUnusable }[] = [
  { pattern: /No space left on device|Disk quota exceeded/, error: (folder) => new DiskFull(folder) },
  {
    pattern: /Read-only file system/,
    error: (folder) =>
      new PostgresUnusable(
        `${folder} lies on a file system that is read-only. Mount it writable, or set RMEET_DATA to another folder.`,
      ),
  },
  // This message has no severity.
  {
    pattern: /could not access the server configuration file/,
    error: (folder) => new DatabaseDamaged(folder, 'its configuration file cannot be read'),
  },
  {
    pattern: /data directory .* has invalid permissions/,
    error: (folder) =>
      new PostgresUnusable(
        `Other accounts may read or change ${folder}, so PostgreSQL ` +
          `does not start. Take that away: chmod -R go= ${folder}.`,
      ),
  },
  {
    pattern: /data directory .* has wrong ownership|Permission denied/,
    error: (folder, line) =>
      new PostgresUnusable(
        `PostgreSQL may not read and write all of ${folder} (${line}). Give ` +
          'the folder and everything in it to the account that starts Rmeet.',
      ),
  },
  {
    pattern: /lock file ".*" already exists|pre-existing shared memory block|could not create lock file/,
    error: (folder) =>
      new PostgresUnusable(`Another PostgreSQL runs in ${folder}. Stop it first, or set RMEET_DATA to another folder.`),
  },
  {
    pattern: /error while loading shared libraries|cannot open shared object file|symbol not found|Error relocating/,
    error: (folder, line) =>
      new PostgresUnusable(
        `PostgreSQL's programs cannot be started on this system (${line}). They need glibc 2.17 or newer; Alpine ` +
          'Linux and others with musl have none. Set DATABASE_URL to ' +
          `a PostgreSQL server, 15 or newer. ${folder} is as it was.`,
      ),
  },
  {
    pattern: new RegExp(
      'could not map anonymous shared memory|could not (?:create|open|resize) shared memory segment|' +
        'could not fork|Cannot allocate memory',
    ),
    error: (_, line) => new PostgresUnusable(`There is not enough memory for PostgreSQL (${line}).`),
  },
];

/** The database in this folder cannot be read in its present state. */
export class DatabaseDamaged extends PostgresUnusable {
  constructor(folder: string, words: string) {
    super(
      `The database in ${folder} is damaged (${words}). Nothing in it was changed. Move the folder aside, then ` +
        'bring a backup in: npm run restore -- <file>.',
    );
    this.name = 'DatabaseDamaged';
  }
}

/** The text of a line of PostgreSQL's log, without its severity. */
const wordsOf = (line: string): string =>
  line.replace(/^.*?\b(?:FATAL|PANIC|ERROR|LOG|DETAIL):\s+/, '').replace(/\.$/, '');

/**
 * Why PostgreSQL ended without a request, by its last lines of output; undefined if it was killed, or if its output
 * gives no such reason: then it can be restarted.
 */
export function troubleOf(folder: string, lines: readonly string[]): PostgresUnusable | undefined {
  for (const line of lines.toReversed()) {
    const found = TROUBLES.find(({ pattern }) => pattern.test(line));
    if (found) return found.error(folder, wordsOf(line));
  }
  // A killed process writes no such line; an error that PostgreSQL cannot recover from does.
  const fatal = lines.findLast(
    (line) => /\b(?:FATAL|PANIC):/.test(line) && !/terminating|shutting down|starting up|in recovery mode/.test(line),
  );
  return fatal === undefined ? undefined : new DatabaseDamaged(folder, wordsOf(fatal));
}
