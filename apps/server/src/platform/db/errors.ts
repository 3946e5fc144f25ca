/** SQLSTATE and constraint of a failed statement, for any driver and any wrapping by Drizzle. */
export interface SqlError {
  /** SQLSTATE, five characters (PostgreSQL manual, appendix A). */
  code: string;
  constraint: string | undefined;
  message: string;
}

/** The database's own error inside `error`, or undefined if it is of another kind. */
export function sqlError(error: unknown): SqlError | undefined {
  for (let current = error, depth = 0; current instanceof Error && depth < 5; current = current.cause, depth += 1) {
    const { code, constraint } = current as Error & { code?: unknown; constraint?: unknown };
    if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) {
      return { code, constraint: typeof constraint === 'string' ? constraint : undefined, message: current.message };
    }
  }
  return undefined;
}

/** Whether `error` means that a row with this key exists already; only for that constraint, if it is named. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const found = sqlError(error);
  return found?.code === '23505' && (constraint === undefined || found.constraint === constraint);
}

/**
 * Whether `error` means that a row refers to a missing one, or that a row was to be deleted that others refer to; only
 * for that constraint, if it is named.
 */
export function isForeignKeyViolation(error: unknown, constraint?: string): boolean {
  const found = sqlError(error);
  return found?.code === '23503' && (constraint === undefined || found.constraint === constraint);
}

/** PostgreSQL found that one of its pages or files is damaged or missing. */
export class DatabaseDamaged extends Error {
  /**
   * @param name the folder of the embedded database, or DATABASE_URL
   * @param words PostgreSQL's message
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
 * Whether `error` means that files of the database are damaged: data_corrupted, index_corrupted, io_error, or one of
 * its own files that cannot be opened (undefined_file; PostgreSQL manual, appendix A).
 */
export function isDamage(error: unknown): boolean {
  const { code = '', message = '' } = sqlError(error) ?? {};
  return (
    ['XX001', 'XX002', '58030'].includes(code) ||
    (code === '58P01' && /"(?:base|global|pg_[a-z]+)[/"]|status of transaction/.test(message))
  );
}
