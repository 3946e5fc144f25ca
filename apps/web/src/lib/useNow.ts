import { useEffect, useState } from 'react';

/** Milliseconds between updates. */
const TICK = 30_000;

/** The current time, updated while the component is mounted. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK);
    return () => clearInterval(timer);
  }, []);
  return now;
}
