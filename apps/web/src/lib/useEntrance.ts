import type { Client, Routes } from '@rmeet/contract';
import { useEffect, useRef, useState } from 'react';
import { abortableApi, retryWhileBusy } from './api/index.ts';

/** After this time without a response the user is informed that the server is busy; milliseconds. */
const SAID_AFTER = 2_500;

/**
 * Signs in or joins under high load: retries while the server is busy. `isWaiting` is true while the user should be
 * informed; `cancel` stops it, and `enter` then throws `Cancelled`.
 * @param routes the calls that `enter` makes
 */
export function useEntrance<C extends Routes>(routes: C) {
  const [isWaiting, setIsWaiting] = useState(false);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);

  const enter = async <T>(call: (calls: Client<C>) => Promise<T>): Promise<T> => {
    const { signal } = (stop.current = new AbortController());
    const say = () => setIsWaiting(true);
    const timer = setTimeout(say, SAID_AFTER);
    try {
      return await retryWhileBusy(() => call(abortableApi(routes, signal)), signal, say);
    } finally {
      clearTimeout(timer);
      setIsWaiting(false);
    }
  };
  return { isWaiting, enter, cancel: () => stop.current?.abort() };
}
