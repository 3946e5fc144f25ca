import type { ChildProcess } from 'node:child_process';
import type { ToChild } from './messages.ts';

/** It is started this long after the process that it stands by for, which has the processor for itself until then. */
const PREPARED_AFTER = 3_000;

export interface StandbyOptions {
  /** Starts a process that loads its modules and waits for `begin`. */
  launch(): ChildProcess;
  /** Its process number; undefined while there is none. */
  onChange(pid: number | undefined): void;
}

/** A process that has loaded its modules and waits, so that it can take over at once when another one dies. */
export class Standby {
  readonly #options: StandbyOptions;
  #child: ChildProcess | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: StandbyOptions) {
    this.#options = options;
  }

  /** Starts it soon, unless there is one. */
  prepare(): void {
    clearTimeout(this.#timer);
    if (this.#child === undefined) this.#timer = setTimeout(() => this.#launch(), PREPARED_AFTER);
  }

  #launch(): void {
    const child = this.#options.launch();
    const forget = (): void => this.#forget(child);
    child.on('error', forget);
    child.on('exit', forget);
    this.#child = child;
    this.#options.onChange(child.pid);
  }

  #forget(child: ChildProcess): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    this.#options.onChange(undefined);
  }

  /** It begins to work; undefined if there is none. */
  take(): ChildProcess | undefined {
    clearTimeout(this.#timer);
    const child = this.#child;
    if (child === undefined) return undefined;
    this.#forget(child);
    if (!child.connected) return undefined;
    child.send({ type: 'begin' } satisfies ToChild, () => undefined);
    return child;
  }

  /** Ends it at once: it has begun nothing. */
  drop(): void {
    clearTimeout(this.#timer);
    const child = this.#child;
    if (child === undefined) return;
    this.#forget(child);
    child.kill('SIGKILL');
  }
}
