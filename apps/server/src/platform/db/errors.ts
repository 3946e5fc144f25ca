/** SQLSTATE and constraint of a failed statement, whichever driver ran it and however Drizzle wrapped it. */
export interface SqlError {
  /** SQLSTATE, five characters (PostgreSQL manual, appendix A). */
  code: string;
  constraint: string | undefined;
  message: string;
}

/** The database's own error inside `error`, or undefined when it is of another kind. */
export function sqlError(error: unknown): SqlError | undefined {
  for (let current = error, depth = 0; current instanceof Error && depth < 5; current = current.cause, depth += 1) {
    const { code, constraint } = current as Error & { code?: unknown; constraint?: unknown };
    if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) {
      return { code, constraint: typeof constraint === 'string' ? constraint : undefined, message: current.message };
    }
  }
  return undefined;
}

/** Whether `error` says that a row with this key exists already; of that constraint, when it is named. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const found = sqlError(error);
  return found?.code === '23505' && (constraint === undefined || found.constraint === constraint);
}

/**
 * Whether `error` says that a row refers to one that is not there, or that one still referred to was to be deleted; by
 * that constraint, when it is named.
 */
export function isForeignKeyViolation(error: unknown, constraint?: string): boolean {
  const found = sqlError(error);
  return found?.code === '23503' && (constraint === undefined || found.constraint === constraint);
}

/** PostgreSQL found a page or a file of its own that is not as it was written, or is gone. */
export class DatabaseDamaged extends Error {
  /**
   * @param name the folder of the embedded database, or DATABASE_URL
   * @param words what PostgreSQL says
   */
  constructor(name: string, words: string, options?: ErrorOptions) {
    super(
      `The database of ${name} is damaged (${words}). Stop Rmeet, keep a copy of the damaged database, then bring ` +
        'a backup in: npm run restore -- <file>.',
      options,
    );
    this.name = 'DatabaseDamaged';
  }
}

/**
 * Whether `error` says that files of the database are damaged: data_corrupted, index_corrupted, io_error, or a file of
 * its own that cannot be opened (undefined_file; PostgreSQL manual, appendix A).
 */
export function isDamage(error: unknown): boolean {
  const { code = '', message = '' } = sqlError(error) ?? {};
  return (
    ['XX001', 'XX002', '58030'].includes(code) ||
    (code === '58P01' && /"(?:base|global|pg_[a-z]+)[/"]|status of transaction/.test(message))
  );
}
