import { useEffect, useState } from 'react';

/** Milliseconds after which the line of the present moves on. */
const TICK = 30_000;

/** The present, moving on while the component is shown. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK);
    return () => clearInterval(timer);
  }, []);
  return now;
}
