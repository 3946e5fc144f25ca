/**
 * Lets this process outlive its output: without listeners, a full disk under standard output or error (ENOSPC), or a
 * reader that is gone (EPIPE), ends it at the next line it writes.
 */
export function surviveLostOutput(): void {
  // There is nowhere to say it; the log counts its own lines (output.ts).
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}
