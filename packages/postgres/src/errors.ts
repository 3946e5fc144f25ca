/** PostgreSQL cannot run until a person does something about it; the message is one sentence or two that say what. */
export class PostgresUnusable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PostgresUnusable';
  }
}

/** The disk that the database lies on has no room left; PostgreSQL runs again once it has. */
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

/** Below this much free space PostgreSQL is not started: its next segment of the write-ahead log has 16 MB. */
export const MEGABYTES_NEEDED = 32;
