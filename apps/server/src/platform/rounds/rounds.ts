export interface RoundsOptions {
  /** One round. */
  run: () => Promise<void>;
  /** Ms from the end of a round to the next one. */
  interval: () => number;
  /** Called for the first of several rounds that fail; the next round tries again. */
  onFailure: (error: unknown) => void;
  /** Called for the first round that succeeds after those. */
  onRecovery?: () => void;
}

/** Runs the same work again and again, one round after the other. */
export class Rounds {
  readonly #options: RoundsOptions;
  #timer: NodeJS.Timeout | undefined;
  #current: Promise<void> = Promise.resolve();
  #isStopped = true;
  #isFailing = false;

  constructor(options: RoundsOptions) {
    this.#options = options;
  }

  /** Begins with a round at once. */
  start(): void {
    this.#isStopped = false;
    this.#next();
  }

  /** Resolves when the current round is over. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#current;
  }

  #next(): void {
    this.#current = this.#round();
  }

  async #round(): Promise<void> {
    const { run, interval, onFailure, onRecovery } = this.#options;
    try {
      await run();
      if (this.#isFailing) onRecovery?.();
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) onFailure(error);
      this.#isFailing = true;
    }
    if (!this.#isStopped) this.#timer = setTimeout(() => this.#next(), interval());
  }
}
