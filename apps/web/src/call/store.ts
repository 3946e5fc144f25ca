import { coalesced } from './throttle.ts';

/** A value that tells its listeners when it is replaced; fits React's useSyncExternalStore. */
export interface ReadableStore<T> {
  /** Calls `listener` after every change until the returned function is called. */
  subscribe: (listener: () => void) => () => void;
  /** The current value; the same object until the next change. */
  getSnapshot: () => T;
}

export class Store<T extends object> implements ReadableStore<T> {
  #value: T;
  readonly #listeners = new Set<() => void>();
  readonly #tell: () => void;

  /** With `delay`, in milliseconds, listeners hear of several changes at once, that long after the first. */
  constructor(value: T, delay?: number) {
    this.#value = value;
    const tell = (): void => {
      for (const listener of this.#listeners) listener();
    };
    this.#tell = delay === undefined ? tell : coalesced(tell, delay);
  }

  // Arrow functions, because React calls them without their object.
  readonly getSnapshot = (): T => this.#value;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Replaces the given fields; listeners hear of it only when one of them differs. */
  set(patch: Partial<T>): void {
    const changed = (Object.keys(patch) as (keyof T)[]).some((key) => !Object.is(patch[key], this.#value[key]));
    if (!changed) return;
    this.#value = { ...this.#value, ...patch };
    this.#tell();
  }
}
