/** PostgreSQL cannot run until a person acts; the message says how, in one or two sentences. */
export class PostgresUnusable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PostgresUnusable';
  }
}

/** The disk of the database is full; PostgreSQL runs again once it has space. */
export class DiskFull extends PostgresUnusable {
  constructor(folder: string, options?: ErrorOptions) {
    super(
      `The disk of ${folder} is full. Free some space there ` +
        `(${MEGABYTES_NEEDED} MB at least); nothing that was stored is lost.`,
      options,
    );
    this.name = 'DiskFull';
  }
}

/** Below this much free space, PostgreSQL is not started: its next segment of the write-ahead log needs 16 MB. */
export const MEGABYTES_NEEDED = 32;
