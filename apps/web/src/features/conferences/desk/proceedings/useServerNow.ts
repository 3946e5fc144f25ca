import { useEffect, useState } from 'react';
import { useDeskPart } from '../context.ts';

/** The server's clock, ms, updated every `every` ms. */
export function useServerNow(every: number): number {
  const ahead = useDeskPart(({ clockAhead }) => clockAhead ?? 0);
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), every);
    return () => clearInterval(timer);
  }, [every]);
  return now + ahead;
}
