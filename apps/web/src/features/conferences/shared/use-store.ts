import { useSyncExternalStore } from 'react';
import type { ReadableStore } from '../../../call/index.ts';

/** The store's current value; the component renders again when it changes. */
export function useStore<T>(store: ReadableStore<T>): T {
  return useSyncExternalStore(store.subscribe, store.getSnapshot);
}

/** Part of the store's value; the component renders again only if that part changes. */
export function useStorePart<T, P>(store: ReadableStore<T>, part: (value: T) => P): P {
  return useSyncExternalStore(store.subscribe, () => part(store.getSnapshot()));
}
