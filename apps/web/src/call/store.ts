import { throttle } from './throttle.ts';

/** A value that notifies its listeners when it is replaced; fits React's useSyncExternalStore. */
export interface ReadableStore<T> {
  /** Calls `listener` after every change until the returned function is called. */
  subscribe: (listener: () => void) => () => void;
  /** The current value; the same object until the next change. */
  getSnapshot: () => T;
}

export class Store<T extends object> implements ReadableStore<T> {
  #value: T;
  readonly #listeners = new Set<() => void>();
  readonly #notify: () => void;

  /** With `delay` (ms), listeners are notified once for several changes, that long after the first. */
  constructor(value: T, delay?: number) {
    this.#value = value;
    const notify = (): void => {
      for (const listener of this.#listeners) listener();
    };
    this.#notify = delay === undefined ? notify : throttle(notify, delay);
  }

  // Arrow functions, because React calls them without their object.
  readonly getSnapshot = (): T => this.#value;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Replaces the given fields; listeners are notified only if one of them differs. */
  set(patch: Partial<T>): void {
    const changed = (Object.keys(patch) as (keyof T)[]).some((key) => !Object.is(patch[key], this.#value[key]));
    if (!changed) return;
    this.#value = { ...this.#value, ...patch };
    this.#notify();
  }
}
