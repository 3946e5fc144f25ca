import { useEffect, useRef, useState } from 'react';
import { entranceApi, retryWhileBusy } from './api/index.ts';

/** An answer that takes longer than this is waited for in a queue; milliseconds. */
const SAID_AFTER = 2_500;

/**
 * Signing in and joining while many others do: waits and tries again by itself. `isWaiting` says when to tell so;
 * `cancel` gives up, and `enter` throws `Cancelled` then.
 */
export function useEntrance() {
  const [isWaiting, setIsWaiting] = useState(false);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);

  const enter = async <T>(call: (calls: ReturnType<typeof entranceApi>) => Promise<T>): Promise<T> => {
    const { signal } = (stop.current = new AbortController());
    const say = () => setIsWaiting(true);
    const timer = setTimeout(say, SAID_AFTER);
    try {
      return await retryWhileBusy(() => call(entranceApi(signal)), signal, say);
    } finally {
      clearTimeout(timer);
      setIsWaiting(false);
    }
  };
  return { isWaiting, enter, cancel: () => stop.current?.abort() };
}
