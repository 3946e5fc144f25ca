import { claimNext, LEASE, newCredential } from '../control/leases.ts';
import { Run, type RunDeps } from './run.ts';

/** How often recordings without a recorder are looked for. */
const CLAIM_EVERY = 500;
/** A clock that is this much off between two rounds was set. */
const CLOCK_SET = 1_000;

export interface RecordersOptions extends RunDeps {
  /** How long the process stays without a recording; null: always. Ms. */
  idleMs: number | null;
  /** Called once it has been idle for that long. */
  onIdle: () => void;
}

/** The recordings of one process: takes those that have no recorder, and follows each until its end. */
export class Recorders {
  readonly #options: RecordersOptions;
  readonly #runs = new Map<Run, Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #current: Promise<void> = Promise.resolve();
  #isStopped = false;
  #isFailing = false;
  #busyAt = performance.now();
  /** Difference between the clock and the time that only runs forward. */
  #offset: number | undefined;
  /** Nothing is taken before: leases look wrong for a moment after the clock was set. */
  #notBefore = 0;

  constructor(options: RecordersOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#runs.size;
  }

  start(): void {
    this.#current = this.#round();
  }

  /** Takes every recording that is free; one round. */
  async claim(): Promise<void> {
    const { db, now, log } = this.#options;
    this.#checkClock();
    if (performance.now() < this.#notBefore) return;
    for (;;) {
      const credential = newCredential();
      const own = [...this.#runs.keys()].map(({ id }) => id);
      const row = await db.platform((tx) => claimNext(tx, credential.holder, own, now()));
      if (!row) return;
      log.info({ recordingId: row.id, state: row.state }, 'A recorder takes a recording');
      const run = new Run(this.#options, row, credential);
      this.#runs.set(
        run,
        run.run().finally(() => {
          this.#runs.delete(run);
          this.#busyAt = performance.now();
        }),
      );
      // Others take their share.
      if (this.#runs.size > 1) return;
    }
  }

  /** Gives all recordings back; what is written is kept for the next recorder. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#current;
    await Promise.allSettled([...this.#runs.keys()].map((run) => run.leave()));
  }

  async #round(): Promise<void> {
    const { log, idleMs, onIdle } = this.#options;
    try {
      await this.claim();
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) log.warn({ error }, 'Recordings could not be looked for; it is retried');
      this.#isFailing = true;
    }
    if (this.#runs.size > 0) this.#busyAt = performance.now();
    if (this.#isStopped) return;
    if (idleMs !== null && performance.now() - this.#busyAt >= idleMs) onIdle();
    else this.#timer = setTimeout(() => this.start(), CLAIM_EVERY);
  }

  #checkClock(): void {
    const offset = this.#options.now().getTime() - performance.now();
    if (this.#offset !== undefined && Math.abs(offset - this.#offset) > CLOCK_SET)
      this.#notBefore = performance.now() + LEASE;
    this.#offset = offset;
  }
}
