/**
 * One counter of received data: `stream` names its owner and kind, `counter` is the connection's own and only grows.
 */
export interface Arrival {
  stream: string;
  counter: string;
  count: number;
}

/**
 * Measures how long nothing arrived of streams that were active, over all connections that carry them: a terminal uses
 * it when it moves to another media room. The caller reports counters with a time, in ms of any one clock.
 */
export class ArrivalGaps {
  readonly #counts = new Map<string, number>();
  /** When each stream arrived last, and its longest silence. */
  readonly #streams = new Map<string, { at: number; longest: number }>();

  see(at: number, arrivals: Iterable<Arrival>): void {
    for (const { stream, counter, count } of arrivals) {
      const before = this.#counts.get(counter);
      this.#counts.set(counter, count);
      // A new counter may start with data that arrived before it was first read.
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
   * The longest silence of any stream until `at`, ms; undefined if none has arrived. Streams that `isOver` keep their
   * last value.
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
