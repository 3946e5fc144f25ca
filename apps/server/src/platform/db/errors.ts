/** SQLSTATE and constraint of a failed statement, whichever driver ran it and however Drizzle wrapped it. */
export interface SqlError {
  /** SQLSTATE, five characters (PostgreSQL manual, appendix A). */
  code: string;
  constraint: string | undefined;
}

/** The database's own error inside `error`, or undefined when it is of another kind. */
export function sqlError(error: unknown): SqlError | undefined {
  for (let current = error, depth = 0; current instanceof Error && depth < 5; current = current.cause, depth += 1) {
    const { code, constraint } = current as Error & { code?: unknown; constraint?: unknown };
    if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) {
      return { code, constraint: typeof constraint === 'string' ? constraint : undefined };
    }
  }
  return undefined;
}

/** Whether `error` says that a row with this key exists already; of that constraint, when it is named. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const found = sqlError(error);
  return found?.code === '23505' && (constraint === undefined || found.constraint === constraint);
}

/** Whether `error` says that a row refers to one that is not there, or that one still referred to was to be deleted; by that constraint, when it is named. */
export function isForeignKeyViolation(error: unknown, constraint?: string): boolean {
  const found = sqlError(error);
  return found?.code === '23503' && (constraint === undefined || found.constraint === constraint);
}
