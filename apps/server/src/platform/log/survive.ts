/**
 * Lets this process survive the loss of its output: without listeners, a full disk under standard output or error
 * (ENOSPC), or a closed reader (EPIPE), ends it at the next line it writes.
 */
export function surviveLostOutput(): void {
  // There is no place to report it; the log counts its own lines (output.ts).
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}
