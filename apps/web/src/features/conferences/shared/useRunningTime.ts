import { useEffect, useState } from 'react';
import { runningTime } from './running-time.ts';

const SECOND = 1_000;

/** The time since a moment, as a clock shows it. `clockAhead`: how far the server's clock is ahead, ms. */
export function useRunningTime(startedAt: string, clockAhead: number): string {
  const [elapsed, setElapsed] = useState(() => Date.now() + clockAhead - Date.parse(startedAt));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    // Once per second, when it changes, so that a room in which nothing happens hardly renders.
    const look = () => {
      const now = Date.now() + clockAhead - Date.parse(startedAt);
      setElapsed(now);
      timer = setTimeout(look, SECOND - (((now % SECOND) + SECOND) % SECOND));
    };
    look();
    return () => clearTimeout(timer);
  }, [startedAt, clockAhead]);
  return runningTime(elapsed);
}
