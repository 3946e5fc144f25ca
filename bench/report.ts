/** One figure of a benchmark; a case with peers contains the engine's name, such as `janus 1x30@1000`. */
export interface Figure {
  case: string;
  figure: string;
  value: number;
  unit: string;
}

export type Report = (figure: Figure) => void;

/**
 * A benchmark: reports figures while it runs and returns a sentence as summary. `args` are the arguments after its
 * name.
 */
export type Benchmark = (report: Report, args: readonly string[]) => Promise<string>;

/** The median. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** The value below which a given share of the values is. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
