/**
 * One count of what has arrived: `stream` is whose and what it is, `counter` the connection's own, which only grows.
 */
export interface Arrival {
  stream: string;
  counter: string;
  count: number;
}

/**
 * How long nothing arrived of streams that were arriving, whichever connection brings them: what a terminal that goes
 * over to another media room measures. It is told of counters at times, in ms of any one clock.
 */
export class ArrivalGaps {
  readonly #counts = new Map<string, number>();
  /** When each stream arrived last, and its longest silence. */
  readonly #streams = new Map<string, { at: number; longest: number }>();

  see(at: number, arrivals: Iterable<Arrival>): void {
    for (const { stream, counter, count } of arrivals) {
      const before = this.#counts.get(counter);
      this.#counts.set(counter, count);
      // A counter that is new may begin with what came before it was looked at.
      const hasArrived = before === undefined ? count > 0 && this.#streams.has(stream) : count > before;
      if (!hasArrived) continue;
      const known = this.#streams.get(stream);
      this.#streams.set(stream, { at, longest: Math.max(known?.longest ?? 0, known ? at - known.at : 0) });
    }
  }

  /** Streams that have arrived at all. */
  get streams(): string[] {
    return [...this.#streams.keys()];
  }

  /**
   * The longest silence of any stream until `at`, ms; undefined where none has arrived. Streams that `isOver` are as
   * they were last seen.
   */
  longest(at: number, isOver: (stream: string) => boolean = () => false): number | undefined {
    if (this.#streams.size === 0) return undefined;
    return Math.round(
      Math.max(
        ...[...this.#streams].map(([stream, { at: last, longest }]) =>
          isOver(stream) ? longest : Math.max(longest, at - last),
        ),
      ),
    );
  }
}
