/** Rows per statement: the database takes at most 65,535 values at a time. */
const BATCH_SIZE = 2_000;

/** Splits rows into batches for one statement each. */
export function inBatches<T>(rows: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(rows.length / BATCH_SIZE) }, (_, batch) =>
    rows.slice(batch * BATCH_SIZE, (batch + 1) * BATCH_SIZE),
  );
}
