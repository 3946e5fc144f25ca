import { useEffect, useState } from 'react';
import { durationText } from '../model/duration.ts';

const SECOND = 1_000;

/** How long ago something was, or (`until`) how long it is still; counts by itself. */
export function Since({ time, until = false }: { time: string; until?: boolean }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND);
    return () => clearInterval(timer);
  }, []);
  const span = until ? Date.parse(time) - now : now - Date.parse(time);
  return <time dateTime={time}>{durationText(span)}</time>;
}
