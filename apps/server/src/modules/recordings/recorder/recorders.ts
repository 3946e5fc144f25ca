import { ClockWatch } from '../control/clock-watch.ts';
import { claimNext, newCredential } from '../control/leases.ts';
import { Run, type RunDeps } from './run.ts';

/** How often recordings without a recorder are looked for. */
const CLAIM_EVERY = 500;
/** How soon after it took one a process takes another one; others take their share meanwhile. */
const NEXT_AFTER = 30;

export interface RecordersOptions extends RunDeps {
  /** Whether the process has other work; default: it has none. */
  isNeeded?: () => boolean;
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
  readonly #clock: ClockWatch;

  constructor(options: RecordersOptions) {
    this.#options = options;
    this.#clock = new ClockWatch(options.now);
  }

  get count(): number {
    return this.#runs.size;
  }

  start(): void {
    this.#current = this.#round();
  }

  /** Takes a recording that is free, if there is one. Returns whether there was. */
  async claim(): Promise<boolean> {
    const { db, now, log, live } = this.#options;
    if (!this.#clock.isSettled()) return false;
    const credential = newCredential();
    const own = [...this.#runs.keys()].map(({ id }) => id);
    const claim = await db.platform((tx) => claimNext(tx, credential.holder, own, now(), live?.url));
    if (!claim) return false;
    const { row } = claim;
    log.info({ recordingId: row.id, state: row.state }, 'A recorder takes a recording');
    const run = new Run(this.#options, claim, credential);
    this.#runs.set(
      run,
      run.run().finally(() => {
        this.#runs.delete(run);
        this.#busyAt = performance.now();
      }),
    );
    return true;
  }

  /** Gives all recordings back; what is written is kept for the next recorder. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#current;
    await Promise.allSettled([...this.#runs.keys()].map((run) => run.leave()));
  }

  async #round(): Promise<void> {
    const { log, idleMs, onIdle, isNeeded } = this.#options;
    let hasTaken = false;
    try {
      hasTaken = await this.claim();
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) log.warn({ error }, 'Recordings could not be looked for; it is retried');
      this.#isFailing = true;
    }
    if (this.#runs.size > 0 || isNeeded?.()) this.#busyAt = performance.now();
    if (this.#isStopped) return;
    if (idleMs !== null && performance.now() - this.#busyAt >= idleMs) onIdle();
    else this.#timer = setTimeout(() => this.start(), hasTaken ? NEXT_AFTER : CLAIM_EVERY);
  }
}
