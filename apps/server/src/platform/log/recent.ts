/** Lines of this process's log that are kept in memory, for diagnostics. */
const KEPT = 2_000;
/** Longer lines are cut, so that memory stays small. */
const LINE = 4_000;

const lines: string[] = [];

/** Keeps a line that was written to the log. */
export function rememberLine(line: string): void {
  lines.push(line.trimEnd().slice(0, LINE));
  if (lines.length > KEPT) lines.splice(0, lines.length - KEPT);
}

/** The last lines of this process's log, oldest first. */
export const recentLines = (count: number): string[] => lines.slice(-count);
