import { loadavg } from 'node:os';

type Cell = string | number;

function text(cell: Cell): string {
  return typeof cell === 'number' && !Number.isInteger(cell) ? cell.toFixed(1) : String(cell);
}

/** Prints a table line by line; the headers determine the widths. */
export function table(heads: readonly string[]): (cells: readonly Cell[]) => void {
  const widths = heads.map((head) => Math.max(head.length, 6));
  const line = (cells: readonly Cell[]): void =>
    console.log(cells.map((cell, i) => text(cell).padStart(widths[i] ?? 0)).join('  '));
  line(heads);
  return line;
}

/** The machine's load over the last minute: shown with figures taken on a busy machine. */
export function load(): string {
  return `load average ${loadavg()[0]?.toFixed(2)}`;
}
