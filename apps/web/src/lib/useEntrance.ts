import { useEffect, useRef, useState } from 'react';
import { entranceApi, retryWhileBusy } from './api/index.ts';

/** After this time without a response the user is told that the server is busy; milliseconds. */
const SAID_AFTER = 2_500;

/**
 * Signs in or joins while many others do: retries while the server is busy. `isWaiting` is true while the user should
 * be told; `cancel` stops it, and `enter` then throws `Cancelled`.
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
